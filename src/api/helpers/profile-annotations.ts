import type { Decoded } from '../schema/decoded.js';

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
