import { type FieldError, invalid, notSupported, required } from '../field-error.js';
import { formatQuantity, parseQuantity } from '../quantity.js';
import type { Decoded } from '../schema/decoded.js';
import { validateQualifiedName } from './common.js';

const LABELS = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.serviceAccountName',
  'spec.schedulerName',
  'status.phase',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];

const RESOURCES = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];
const HUGE_PAGES = /^(?:requests|limits)\.hugepages-/;
const BYTE_DIVISORS = [
  '1',
  '1k',
  '1M',
  '1G',
  '1T',
  '1P',
  '1E',
  '1Ki',
  '1Mi',
  '1Gi',
  '1Ti',
  '1Pi',
  '1Ei',
];

/** Ports validateObjectFieldSelector (pkg/apis/core/validation/validation.go). */
export function validateObjectFieldSelector(
  selector: Decoded<'ObjectFieldSelector'>,
  expressions: readonly string[],
  path: string,
): FieldError[] {
  const { apiVersion = '', fieldPath = '' } = selector;
  if (apiVersion === '') return [required(`${path}.apiVersion`)];
  if (fieldPath === '') return [required(`${path}.fieldPath`)];
  const converted = convertDownwardAPIFieldLabel(apiVersion, fieldPath);
  if ('error' in converted) {
    return [
      invalid(`${path}.fieldPath`, fieldPath, `error converting fieldPath: ${converted.error}`),
    ];
  }
  const subscripted = splitMaybeSubscriptedPath(converted.label);
  if (subscripted?.path === 'metadata.annotations') {
    return validateQualifiedName(subscripted.subscript.toLowerCase(), path);
  }
  if (subscripted !== undefined) return validateQualifiedName(subscripted.subscript, path);
  if (expressions.includes(converted.label)) return [];
  return [notSupported(`${path}.fieldPath`, converted.label, expressions.toSorted())];
}

/** Ports ConvertDownwardAPIFieldLabel (pkg/apis/core/pods/helpers.go). */
function convertDownwardAPIFieldLabel(
  version: string,
  label: string,
): { readonly label: string } | { readonly error: string } {
  if (version !== 'v1') return { error: `unsupported pod version: ${version}` };
  const path = splitMaybeSubscriptedPath(label)?.path;
  if (path !== undefined) {
    if (path === 'metadata.annotations' || path === 'metadata.labels') return { label };
    return { error: `field label does not support subscript: ${label}` };
  }
  if (LABELS.includes(label)) return { label };
  if (label === 'spec.host') return { label: 'spec.nodeName' };
  return { error: `field label not supported: ${label}` };
}

/** Ports SplitMaybeSubscriptedPath (pkg/fieldpath/fieldpath.go). */
function splitMaybeSubscriptedPath(
  fieldPath: string,
): { readonly path: string; readonly subscript: string } | undefined {
  const match = /^(.+?)\['(.*)'\]$/s.exec(fieldPath);
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  return { path: match[1], subscript: match[2] };
}

/** Ports validateContainerResourceFieldSelector (pkg/apis/core/validation/validation.go). */
export function validateContainerResourceFieldSelector(
  selector: Decoded<'ResourceFieldSelector'>,
  path: string,
  inVolume: boolean,
): FieldError[] {
  const { containerName = '', resource = '', divisor = '0' } = selector;
  const errors: FieldError[] = [];
  if (inVolume && containerName === '') errors.push(required(`${path}.containerName`));
  else if (resource === '') errors.push(required(`${path}.resource`));
  else if (!RESOURCES.includes(resource) && !HUGE_PAGES.test(resource)) {
    errors.push(notSupported(`${path}.resource`, resource, RESOURCES));
  }
  return [...errors, ...validateContainerResourceDivisor(resource, divisor, path)];
}

/** Ports validateContainerResourceDivisor (pkg/apis/core/validation/validation.go). */
function validateContainerResourceDivisor(
  resource: string,
  divisor: string,
  path: string,
): FieldError[] {
  const parsed = parseQuantity(divisor);
  if (parsed.kind === 'error' || parsed.quantity.nano === 0n) return [];
  const text = formatQuantity(parsed.quantity);
  const [allowed, name] = divisorsOf(resource);
  if (name === undefined || allowed.includes(text)) return [];
  const list = allowed.length === 2 ? '1m and 1' : allowed.join(', ');
  const detail = `only divisor's values ${list} are supported with the ${name} resource`;
  return [invalid(`${path}.divisor`, resource, detail)];
}

function divisorsOf(resource: string): readonly [allowed: readonly string[], name?: string] {
  switch (resource.replace(/^(?:limits|requests)\./, '')) {
    case 'cpu':
      return [['1m', '1'], 'cpu'];
    case 'memory':
      return [BYTE_DIVISORS, 'memory'];
    case 'ephemeral-storage':
      return [BYTE_DIVISORS, 'local ephemeral storage'];
    default:
      return HUGE_PAGES.test(resource) ? [BYTE_DIVISORS, 'hugepages'] : [[]];
  }
}
