import { goQuote } from '../../../go/quote.js';
import { containersWithPath } from '../../helpers/containers.js';
import type { Decoded } from '../../schema/schema.js';
import { sortedEntries } from '../../values/objects.js';
import { validateLocalDescendingPath, visitContainersWithPath } from '../common/checks.js';
import type { FieldPath } from '../common/field-error.js';

type AppArmorProfile = Decoded<'AppArmorProfile'>;

/** The annotations that seccomp profiles were once set with: of a pod, and the beginning of a container's. */
export const SECCOMP_POD_KEY = 'seccomp.security.alpha.kubernetes.io/pod';
export const SECCOMP_CONTAINER_KEY_PREFIX = 'container.seccomp.security.alpha.kubernetes.io/';
/** The beginning of a container's annotation of the same kind for AppArmor. */
export const APP_ARMOR_KEY_PREFIX = 'container.apparmor.security.beta.kubernetes.io/';

/** The names of profiles in them; one on the node has its path after the prefix. */
export const UNCONFINED = 'unconfined';
export const RUNTIME_DEFAULT = 'runtime/default';
export const DOCKER_DEFAULT = 'docker/default';
export const LOCALHOST_PREFIX = 'localhost/';

/** Returns an annotation as a field. Ports ApparmorFieldForAnnotation (pkg/api/pod/util.go). */
export function appArmorFieldForAnnotation(annotation: string): AppArmorProfile | undefined {
  if (annotation === UNCONFINED) return { type: 'Unconfined' };
  if (annotation === RUNTIME_DEFAULT) return { type: 'RuntimeDefault' };
  if (!annotation.startsWith(LOCALHOST_PREFIX)) return undefined;
  const localhostProfile = annotation.slice(LOCALHOST_PREFIX.length);
  return localhostProfile === '' ? undefined : { type: 'Localhost', localhostProfile };
}

export function isSameProfile(
  a: AppArmorProfile | undefined,
  b: AppArmorProfile | undefined,
): boolean {
  return a?.type === b?.type && a?.localhostProfile === b?.localhostProfile;
}

/* Ported from pkg/apis/core/validation/validation.go, with its names. */

type PodSpec = Decoded<'PodSpec'>;
type Annotations = Readonly<Record<string, string>>;
type Profile = Decoded<'SeccompProfile'> | Decoded<'AppArmorProfile'>;

export const MIRROR_POD_KEY = 'kubernetes.io/config.mirror';
const DELETION_COST_KEY = 'controller.kubernetes.io/pod-deletion-cost';
/** No plus sign, and no zero before other digits unless it is negative. */
const DELETION_COST = /^(?:0|-\d+|[1-9]\d*)$/;

export function validatePodSpecificAnnotations(
  annotations: Annotations = {},
  spec: PodSpec,
  at: FieldPath,
): void {
  const entries = sortedEntries(annotations);
  const mirror = annotations[MIRROR_POD_KEY];
  if (mirror !== undefined && spec.nodeName === undefined) {
    const detail = 'must set spec.nodeName if mirror pod annotation is set';
    at.item(MIRROR_POD_KEY).invalid(mirror, detail);
  }
  validateDeletionCost(annotations[DELETION_COST_KEY], at.item(DELETION_COST_KEY));
  for (const [key, value] of entries) {
    if (key === SECCOMP_POD_KEY) validateSeccompProfileName(value, at.child(key));
  }
  for (const [key, value] of entries) {
    if (!key.startsWith(SECCOMP_CONTAINER_KEY_PREFIX)) continue;
    validateSeccompProfileName(value, at.child(key));
  }
  for (const [key, value] of entries) {
    if (key.startsWith(APP_ARMOR_KEY_PREFIX)) validateAppArmor(key, value, spec, at.item(key));
  }
}

/** Ports GetDeletionCostFromPodAnnotations (pkg/apis/core/helper/helpers.go). */
function validateDeletionCost(value: string | undefined, at: FieldPath): void {
  if (value === undefined) return;
  const cost = Number(value);
  if (DELETION_COST.test(value) && cost >= -(2 ** 31) && cost < 2 ** 31) return;
  at.invalid(value, 'must be a 32bit integer');
}

/** Ports ValidateSeccompProfile (pkg/apis/core/validation/validation.go). */
function validateSeccompProfileName(profile: string, at: FieldPath): void {
  if ([UNCONFINED, RUNTIME_DEFAULT, DOCKER_DEFAULT].includes(profile)) return;
  if (!profile.startsWith(LOCALHOST_PREFIX)) {
    return at.invalid(profile, 'must be a valid seccomp profile');
  }
  validateLocalDescendingPath(profile.slice(LOCALHOST_PREFIX.length), at);
}

/** Ports ValidateAppArmorPodAnnotations (pkg/apis/core/validation/validation.go). */
function validateAppArmor(key: string, value: string, spec: PodSpec, at: FieldPath): void {
  const name = key.slice(APP_ARMOR_KEY_PREFIX.length);
  const containers = containersWithPath(spec, '').map(({ container }) => container.name ?? '');
  if (!containers.includes(name)) at.invalid(name, 'container not found');
  if (['', RUNTIME_DEFAULT, UNCONFINED].includes(value) || value.startsWith(LOCALHOST_PREFIX)) {
    return;
  }
  at.invalid(value, `invalid AppArmor profile name: ${goQuote(value)}`);
}

/** Ports validateSeccompAnnotationsAndFields and validateAppArmorAnnotationsAndFieldsMatchOnCreate. */
export function validateProfileAnnotationsAndFields(
  annotations: Annotations = {},
  spec: PodSpec,
  at: FieldPath,
): void {
  const validateSeccomp = (key: string, profile: Profile | undefined, own: FieldPath): void => {
    const defaults = [RUNTIME_DEFAULT, DOCKER_DEFAULT];
    const fieldAt = own.child('securityContext.seccompProfile');
    validateMatch('seccomp', annotations[key], profile, defaults, fieldAt);
  };
  validateSeccomp(SECCOMP_POD_KEY, spec.securityContext?.seccompProfile, at);
  visitContainersWithPath(spec, at, ({ name = '', securityContext }, containerAt) => {
    const key = `${SECCOMP_CONTAINER_KEY_PREFIX}${name}`;
    validateSeccomp(key, securityContext?.seccompProfile, containerAt);
  });
  if (spec.os?.name === 'windows') return;
  visitContainersWithPath(spec, at, ({ name = '', securityContext }, containerAt) => {
    const annotation = annotations[`${APP_ARMOR_KEY_PREFIX}${name}`];
    const profile = securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile;
    const fieldAt = containerAt.child('securityContext.appArmorProfile');
    validateMatch('apparmor', annotation, profile, [RUNTIME_DEFAULT], fieldAt);
  });
}

/** Ports validateSeccompAnnotationsAndFieldsMatch (pkg/apis/core/validation/validation.go). */
function validateMatch(
  kind: string,
  annotation: string | undefined,
  profile: Profile | undefined,
  defaults: readonly string[],
  at: FieldPath,
): void {
  if (annotation === undefined || profile === undefined) return;
  const { type, localhostProfile } = profile;
  const matches: Readonly<Record<string, boolean>> = {
    Unconfined: annotation === UNCONFINED,
    RuntimeDefault: defaults.includes(annotation),
    Localhost: annotation.startsWith(LOCALHOST_PREFIX),
  };
  if (matches[type ?? ''] === false) {
    return at.child('type').forbidden(`${kind} type in annotation and field must match`);
  }
  const path = annotation.slice(LOCALHOST_PREFIX.length);
  if (type !== 'Localhost' || path === localhostProfile) return;
  at.child('localhostProfile').forbidden(`${kind} profile in annotation and field must match`);
}
