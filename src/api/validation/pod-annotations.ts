import { goQuote } from '../../go/quote.js';
import { containersWithPath } from '../containers-with-path.js';
import { type FieldError, invalid } from '../field-error.js';
import {
  APP_ARMOR_KEY_PREFIX,
  DOCKER_DEFAULT,
  LOCALHOST_PREFIX,
  RUNTIME_DEFAULT,
  SECCOMP_CONTAINER_KEY_PREFIX,
  SECCOMP_POD_KEY,
  UNCONFINED,
} from '../profile-annotations.js';
import type { Decoded } from '../schema/decoded.js';
import { sortedEntries } from './common.js';
import { validateLocalDescendingPath } from './paths.js';
import { validateTolerationsInPodAnnotations } from './toleration-annotation.js';

type PodSpec = Decoded<'PodSpec'>;
type Annotations = Readonly<Record<string, string>>;

export const MIRROR_POD_KEY = 'kubernetes.io/config.mirror';
const DELETION_COST_KEY = 'controller.kubernetes.io/pod-deletion-cost';
/** No plus sign, and no zero before other digits unless it is negative. */
const DELETION_COST = /^(?:0|-\d+|[1-9]\d*)$/;

/** Ports ValidatePodSpecificAnnotations (pkg/apis/core/validation/validation.go). */
export function validatePodSpecificAnnotations(
  annotations: Annotations = {},
  spec: PodSpec,
  path: string,
): FieldError[] {
  const entries = sortedEntries(annotations);
  return [
    ...entries.flatMap(([key, value]) => validateMirrorPod(key, value, spec, path)),
    ...validateTolerationsInPodAnnotations(annotations, path),
    ...entries.flatMap(([key, value]) => validateDeletionCost(key, value, path)),
    ...validateSeccompPodAnnotations(entries, path),
    ...entries.flatMap(([key, value]) => validateAppArmor(key, value, spec, path)),
  ];
}

function validateMirrorPod(key: string, value: string, spec: PodSpec, path: string): FieldError[] {
  if (key !== MIRROR_POD_KEY || spec.nodeName !== undefined) return [];
  const detail = 'must set spec.nodeName if mirror pod annotation is set';
  return [invalid(`${path}[${key}]`, value, detail)];
}

/** Ports GetDeletionCostFromPodAnnotations (pkg/apis/core/helper/helpers.go). */
function validateDeletionCost(key: string, value: string, path: string): FieldError[] {
  if (key !== DELETION_COST_KEY) return [];
  const cost = Number(value);
  if (DELETION_COST.test(value) && cost >= -(2 ** 31) && cost < 2 ** 31) return [];
  return [invalid(`${path}[${key}]`, value, 'must be a 32bit integer')];
}

/** Ports ValidateSeccompPodAnnotations (pkg/apis/core/validation/validation.go). */
function validateSeccompPodAnnotations(
  entries: readonly (readonly [string, string])[],
  path: string,
): FieldError[] {
  const ofPod = entries.filter(([key]) => key === SECCOMP_POD_KEY);
  const ofContainers = entries.filter(([key]) => key.startsWith(SECCOMP_CONTAINER_KEY_PREFIX));
  return [...ofPod, ...ofContainers].flatMap(([key, value]) =>
    validateSeccompProfileName(value, `${path}.${key}`),
  );
}

/** Ports ValidateSeccompProfile (pkg/apis/core/validation/validation.go). */
function validateSeccompProfileName(profile: string, path: string): FieldError[] {
  if ([UNCONFINED, RUNTIME_DEFAULT, DOCKER_DEFAULT].includes(profile)) return [];
  if (!profile.startsWith(LOCALHOST_PREFIX)) {
    return [invalid(path, profile, 'must be a valid seccomp profile')];
  }
  return validateLocalDescendingPath(profile.slice(LOCALHOST_PREFIX.length), path);
}

/** Ports ValidateAppArmorPodAnnotations (pkg/apis/core/validation/validation.go). */
function validateAppArmor(key: string, value: string, spec: PodSpec, path: string): FieldError[] {
  if (!key.startsWith(APP_ARMOR_KEY_PREFIX)) return [];
  const name = key.slice(APP_ARMOR_KEY_PREFIX.length);
  const containers = containersWithPath(spec, '').map(({ container }) => container.name ?? '');
  const errors = containers.includes(name)
    ? []
    : [invalid(`${path}[${key}]`, name, 'container not found')];
  const known = ['', RUNTIME_DEFAULT, UNCONFINED].includes(value);
  if (known || value.startsWith(LOCALHOST_PREFIX)) return errors;
  const detail = `invalid AppArmor profile name: ${goQuote(value)}`;
  return [...errors, invalid(`${path}[${key}]`, value, detail)];
}
