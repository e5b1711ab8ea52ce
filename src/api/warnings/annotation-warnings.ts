import {
  APP_ARMOR_KEY_PREFIX,
  appArmorFieldForAnnotation,
  isSameProfile,
  SECCOMP_CONTAINER_KEY_PREFIX,
  SECCOMP_POD_KEY,
} from '../profile-annotations.js';
import type { Decoded } from '../schema/decoded.js';
import type { ApiWarning } from './warning.js';

type PodSpec = Decoded<'PodSpec'>;
type Annotations = Readonly<Record<string, string>>;

/** Annotations that do nothing any more: deprecatedAnnotations (pkg/api/pod/warnings.go). */
const DEPRECATED: readonly (readonly [key: string, message: string])[] = [
  [
    'scheduler.alpha.kubernetes.io/critical-pod',
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  ],
  [
    'security.alpha.kubernetes.io/sysctls',
    'non-functional in v1.11+; use the "sysctls" field instead',
  ],
  [
    'security.alpha.kubernetes.io/unsafe-sysctls',
    'non-functional in v1.11+; use the "sysctls" field instead',
  ],
];
const SECCOMP_MESSAGE = 'non-functional in v1.27+; use the "seccompProfile" field instead';

/** A part of warningsForPodSpecAndMeta (pkg/api/pod/warnings.go). */
export function deprecatedAnnotationWarnings(
  annotations: Annotations,
  path: string,
): readonly ApiWarning[] {
  return DEPRECATED.filter(([key]) => annotations[key] !== undefined).map(([key, message]) => ({
    field: `${path}[${key}]`,
    message,
  }));
}

/** Of a pod's seccomp annotation without the field that has taken its place. */
export function podSeccompWarnings(
  annotations: Annotations,
  spec: PodSpec,
  path: string,
): readonly ApiWarning[] {
  if (annotations[SECCOMP_POD_KEY] === undefined || spec.securityContext?.seccompProfile) return [];
  return [{ field: `${path}[${SECCOMP_POD_KEY}]`, message: SECCOMP_MESSAGE }];
}

/** The same of a container; of AppArmor in a template only: a pod is told before it is validated. */
export function containerProfileWarnings(
  annotations: Annotations,
  spec: PodSpec,
  container: Decoded<'Container'>,
  path: string,
): readonly ApiWarning[] {
  const { name = '', securityContext } = container;
  const warnings: ApiWarning[] = [];
  const seccompKey = `${SECCOMP_CONTAINER_KEY_PREFIX}${name}`;
  if (annotations[seccompKey] !== undefined && !securityContext?.seccompProfile) {
    warnings.push({ field: `${path}[${seccompKey}]`, message: SECCOMP_MESSAGE });
  }
  const key = `${APP_ARMOR_KEY_PREFIX}${name}`;
  const annotation = annotations[key];
  const isTemplate = path !== 'metadata.annotations';
  if (!isTemplate || annotation === undefined || securityContext?.appArmorProfile) return warnings;
  const ofPod = spec.securityContext?.appArmorProfile;
  if (ofPod && isSameProfile(ofPod, appArmorFieldForAnnotation(annotation))) return warnings;
  const message = 'deprecated since v1.30; use the "appArmorProfile" field instead';
  return [...warnings, { field: `${path}[${key}]`, message }];
}
