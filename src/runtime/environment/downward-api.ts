import {
  type Container,
  nanoOf,
  type ObjectFieldSelector,
  type Pod,
  type ResourceFieldSelector,
  type ResourceList,
  type ResourceRequirements,
  splitMaybeSubscriptedPath,
} from '../../api/index.js';
import { goQuote } from '../../go/quote.js';
import { fail, ok, type OrError } from '../../go/result.js';
import { sortPodIPs } from '../../kubelet/status/pod-status.js';

const NANO = 1_000_000_000n;
const MILLI = NANO / 1000n;
/** Resources whose limit defaults to the node's capacity. */
const DEFAULTED = ['cpu', 'memory', 'ephemeral-storage'];
/** Resources for which a limit of the whole pod takes precedence. */
const POD_LEVEL = ['cpu', 'memory'];

/**
 * A container's limit or request, in units of the divisor, rounded up. Ports containerResourceRuntimeValue
 * (pkg/kubelet/kubelet_pods.go).
 */
export function containerResourceRuntimeValue(
  selector: ResourceFieldSelector,
  pod: Pod,
  container: Container,
  allocatable: ResourceList,
): OrError<string> {
  const { containerName = '' } = selector;
  const isNamed = ({ name }: Container): boolean => name === containerName;
  const regular = containerName === '' ? container : pod.spec.containers.find(isNamed);
  if (regular !== undefined) {
    const limits = defaultLimits(pod, allocatable);
    return extractContainerResourceValue(selector, withLimits(regular.resources, limits));
  }
  // The limits of init containers are not defaulted.
  const init = pod.spec.initContainers?.find(isNamed);
  if (init !== undefined) return extractContainerResourceValue(selector, init.resources ?? {});
  return fail(`container ${containerName} not found`);
}

/** Ports ExtractContainerResourceValue (pkg/api/v1/resource/helpers.go). */
function extractContainerResourceValue(
  { resource, divisor }: ResourceFieldSelector,
  { limits = {}, requests = {} }: ResourceRequirements,
): OrError<string> {
  const [, kind, name = ''] = /^(limits|requests)\.(.+)$/.exec(resource) ?? [];
  if (kind === undefined || !(DEFAULTED.includes(name) || name.startsWith('hugepages-'))) {
    return fail(`unsupported container resource : ${resource}`);
  }
  const amount = nanoOf((kind === 'limits' ? limits : requests)[name]);
  const unit = nanoOf(divisor) || NANO;
  const step = name === 'cpu' ? MILLI : NANO;
  const ratio = Math.ceil(Number(divideUp(amount, step)) / Number(divideUp(unit, step)));
  return ok(String(BigInt(ratio)));
}

/** Ports defaultPodLimitsForDownwardAPI (pkg/kubelet/kubelet_resources.go). */
function defaultLimits(pod: Pod, allocatable: ResourceList): ResourceList {
  const podLimits = pod.spec.resources?.limits ?? {};
  const entries = Object.entries(allocatable).map(([name, quantity]) => {
    const podLimit = POD_LEVEL.includes(name) ? podLimits[name] : undefined;
    return [name, podLimit === undefined || nanoOf(podLimit) === 0n ? quantity : podLimit] as const;
  });
  return Object.fromEntries(entries);
}

/** Ports MergeContainerResourceLimits (pkg/api/v1/resource/helpers.go). */
function withLimits(
  resources: ResourceRequirements = {},
  defaults: ResourceList,
): ResourceRequirements {
  const missing = Object.entries(defaults).filter(
    ([name]) => DEFAULTED.includes(name) && nanoOf(resources.limits?.[name]) === 0n,
  );
  return { ...resources, limits: { ...resources.limits, ...Object.fromEntries(missing) } };
}

function divideUp(value: bigint, step: bigint): bigint {
  return value / step + (value % step > 0n ? 1n : 0n);
}

/** A field of the pod, or of its status as the runtime makes it. Ports podFieldSelectorRuntimeValue (kubelet_pods.go). */
export function podFieldSelectorRuntimeValue(
  { apiVersion = 'v1', fieldPath }: ObjectFieldSelector,
  pod: Pod,
  podIPs: readonly string[],
  { name, hostIPs }: { readonly name: string; readonly hostIPs: readonly string[] },
): OrError<string> {
  if (apiVersion !== 'v1') return fail(`unsupported pod version: ${apiVersion}`);
  const sortedPodIPs = sortPodIPs(podIPs, hostIPs[0] ?? '');
  switch (fieldPath) {
    case 'spec.host':
    case 'spec.nodeName':
      return ok(pod.spec.nodeName ?? name);
    case 'spec.serviceAccountName':
      return ok(pod.spec.serviceAccountName ?? '');
    case 'status.hostIP':
      return ok(hostIPs[0] ?? '');
    case 'status.hostIPs':
      return ok(hostIPs.join(','));
    case 'status.podIP':
      return ok(sortedPodIPs[0] ?? podIPs[0] ?? '');
    case 'status.podIPs':
      return ok(sortedPodIPs.join(','));
    default:
      return extract(pod, fieldPath);
  }
}

/** Fields that the API accepts in a reference, and the kubelet cannot read. */
const UNREADABLE = ['spec.restartPolicy', 'spec.schedulerName', 'status.phase'];

/** Rejects unknown fields before unsupported ones. Ports ConvertDownwardAPIFieldLabel (pkg/apis/core/pods/helpers.go). */
function extract(pod: Pod, fieldPath: string): OrError<string> {
  const subscripted = splitMaybeSubscriptedPath(fieldPath);
  const value = extractFieldPathAsString(pod, fieldPath);
  if (value.ok || UNREADABLE.includes(fieldPath)) return value;
  if (subscripted === undefined) return fail(`field label not supported: ${fieldPath}`);
  return fail(`field label does not support subscript: ${fieldPath}`);
}

/** A field of a pod as text. Ports ExtractFieldPathAsString (pkg/fieldpath/fieldpath.go). */
export function extractFieldPathAsString({ metadata }: Pod, fieldPath: string): OrError<string> {
  const subscripted = splitMaybeSubscriptedPath(fieldPath);
  if (subscripted !== undefined) {
    const { path, subscript } = subscripted;
    if (path === 'metadata.annotations') return ok(valueOf(metadata.annotations, subscript));
    if (path === 'metadata.labels') return ok(valueOf(metadata.labels, subscript));
    return fail(`fieldPath ${goQuote(fieldPath)} does not support subscript`);
  }
  switch (fieldPath) {
    case 'metadata.annotations':
      return ok(formatMap(metadata.annotations));
    case 'metadata.labels':
      return ok(formatMap(metadata.labels));
    case 'metadata.name':
      return ok(metadata.name);
    case 'metadata.namespace':
      return ok(metadata.namespace);
    case 'metadata.uid':
      return ok(metadata.uid);
    default:
      return fail(`unsupported fieldPath: ${fieldPath}`);
  }
}

/** Returns a line `key="value"` for each entry, sorted by key. Ports FormatMap (pkg/fieldpath/fieldpath.go). */
function formatMap(map: Readonly<Record<string, string>> = {}): string {
  return Object.entries(map)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${goQuote(value)}`)
    .join('\n');
}

function valueOf(map: Readonly<Record<string, string>> = {}, key: string): string {
  return Object.hasOwn(map, key) ? (map[key] ?? '') : '';
}
