import { duplicate, type FieldError, forbidden, notFound } from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import { type PodContext, validateContainerCommon } from './container-common.js';
import { validateContainerOnlyForPod } from './containers.js';

type EphemeralContainer = Decoded<'EphemeralContainer'>;

const DETAIL = 'cannot be set for an Ephemeral Container';

/** In the order of the fields of Go's struct. */
const FORBIDDEN_FIELDS = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;

/** Ports validateEphemeralContainers (pkg/apis/core/validation/validation.go). */
export function validateEphemeralContainers(context: PodContext, path: string): FieldError[] {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = context.spec;
  const others = new Set([...containers, ...initContainers].map(({ name = '' }) => name));
  const names = new Set(others);
  return ephemeralContainers.flatMap((container, index) => {
    const at = `${path}[${index}]`;
    const { name = '', targetContainerName = '' } = container;
    const errors = [
      ...validateContainerCommon(container, context, at),
      ...validateContainerOnlyForPod(container, at),
    ];
    if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
    names.add(name);
    if (targetContainerName !== '' && !others.has(targetContainerName)) {
      errors.push(notFound(`${at}.targetContainerName`, targetContainerName));
    }
    return [...errors, ...forbidFields(container, at)];
  });
}

function forbidFields(container: EphemeralContainer, path: string): FieldError[] {
  const errors = FORBIDDEN_FIELDS.filter((field) => isSet(container, field)).map((field) =>
    forbidden(`${path}.${field}`, DETAIL),
  );
  container.volumeMounts?.forEach(({ subPath = '', subPathExpr = '' }, index) => {
    const at = `${path}.volumeMounts[${index}]`;
    if (subPath !== '') errors.push(forbidden(`${at}.subPath`, DETAIL));
    if (subPathExpr !== '') errors.push(forbidden(`${at}.subPathExpr`, DETAIL));
  });
  return errors;
}

/** Whether Go's value would differ from its zero; resources alone are no pointer, and empty ones are their zero. */
function isSet(container: EphemeralContainer, field: (typeof FORBIDDEN_FIELDS)[number]): boolean {
  if (field === 'resources') return Object.keys(container.resources ?? {}).length > 0;
  return container[field] !== undefined;
}
