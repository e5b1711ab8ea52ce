import { containersWithPath } from '../containers-with-path.js';
import { type FieldError, forbidden } from '../field-error.js';
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

type PodSpec = Decoded<'PodSpec'>;
type Annotations = Readonly<Record<string, string>>;
type Profile = Decoded<'SeccompProfile'> | Decoded<'AppArmorProfile'>;

/** A profile that is set twice. */
interface Twice {
  readonly annotation: string | undefined;
  readonly profile: Profile | undefined;
  /** The path of the field. */
  readonly field: string;
}

/** Ports validateSeccompAnnotationsAndFields (pkg/apis/core/validation/validation.go). */
export function validateSeccompAnnotationsAndFields(
  annotations: Annotations = {},
  spec: PodSpec,
  path: string,
): FieldError[] {
  const ofPod: Twice = {
    annotation: annotations[SECCOMP_POD_KEY],
    profile: spec.securityContext?.seccompProfile,
    field: `${path}.securityContext.seccompProfile`,
  };
  const ofContainers = containersWithPath(spec, path).map(({ container, at }) => ({
    annotation: annotations[`${SECCOMP_CONTAINER_KEY_PREFIX}${container.name ?? ''}`],
    profile: container.securityContext?.seccompProfile,
    field: `${at}.securityContext.seccompProfile`,
  }));
  const defaults = [RUNTIME_DEFAULT, DOCKER_DEFAULT];
  return [ofPod, ...ofContainers].flatMap((twice) => validateMatch('seccomp', twice, defaults));
}

/** Ports validateAppArmorAnnotationsAndFieldsMatchOnCreate (pkg/apis/core/validation/validation.go). */
export function validateAppArmorAnnotationsAndFields(
  annotations: Annotations = {},
  spec: PodSpec,
  path: string,
): FieldError[] {
  if (spec.os?.name === 'windows') return [];
  return containersWithPath(spec, path).flatMap(({ container, at }) => {
    const twice: Twice = {
      annotation: annotations[`${APP_ARMOR_KEY_PREFIX}${container.name ?? ''}`],
      profile: container.securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile,
      field: `${at}.securityContext.appArmorProfile`,
    };
    return validateMatch('apparmor', twice, [RUNTIME_DEFAULT]);
  });
}

/** Ports validateSeccompAnnotationsAndFieldsMatch (pkg/apis/core/validation/validation.go). */
function validateMatch(
  what: string,
  { annotation, profile, field }: Twice,
  defaults: readonly string[],
): FieldError[] {
  if (annotation === undefined || profile === undefined) return [];
  const { type, localhostProfile } = profile;
  if (!isOfType(annotation, type, defaults)) {
    return [forbidden(`${field}.type`, `${what} type in annotation and field must match`)];
  }
  const path = annotation.slice(LOCALHOST_PREFIX.length);
  if (type !== 'Localhost' || path === localhostProfile) return [];
  const detail = `${what} profile in annotation and field must match`;
  return [forbidden(`${field}.localhostProfile`, detail)];
}

function isOfType(
  annotation: string,
  type: string | undefined,
  defaults: readonly string[],
): boolean {
  switch (type) {
    case 'Unconfined':
      return annotation === UNCONFINED;
    case 'RuntimeDefault':
      return defaults.includes(annotation);
    case 'Localhost':
      return annotation.startsWith(LOCALHOST_PREFIX);
    default:
      return true;
  }
}
