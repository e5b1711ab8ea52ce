import {
  APP_ARMOR_KEY_PREFIX,
  appArmorFieldForAnnotation,
  type Container,
  type Pod,
} from '../../../api/index.js';
import type { Identity } from './image-groups.js';

/** The flags of a container's identity and rights. Ports determineEffectiveSecurityContext (kuberuntime/security_context.go). */
export function securityArguments(
  pod: Pod,
  container: Container,
  { user, groups }: Identity,
): string[] {
  const own = container.securityContext ?? {};
  return [
    ...(user === undefined ? [] : ['--user', user]),
    ...groups.flatMap((id) => ['--group-add', String(id)]),
    ...(own.privileged === true ? ['--privileged'] : []),
    ...(own.capabilities?.add ?? []).flatMap((name) => ['--cap-add', name]),
    ...(own.capabilities?.drop ?? []).flatMap((name) => ['--cap-drop', name]),
    ...(own.readOnlyRootFilesystem === true ? ['--read-only'] : []),
    ...securityOptions(pod, container).flatMap((option) => ['--security-opt', option]),
  ];
}

function securityOptions(pod: Pod, container: Container): string[] {
  const { allowPrivilegeEscalation, privileged } = container.securityContext ?? {};
  const appArmor = appArmorProfile(pod, container);
  return [
    ...(allowPrivilegeEscalation === false ? ['no-new-privileges'] : []),
    // A runtime has no seccomp profile for a privileged container, whatever its pod says.
    ...(privileged === true ? [] : seccompOption(seccompProfile(pod, container))),
    ...(appArmor?.type === 'Unconfined' ? ['apparmor=unconfined'] : []),
    ...(appArmor?.type === 'Localhost' ? [`apparmor=${appArmor.localhostProfile ?? ''}`] : []),
  ];
}

/** The engine has a profile of its own, which is also that of pods that name none. */
function seccompOption(profile: ReturnType<typeof seccompProfile>): string[] {
  if (profile?.type === 'Unconfined') return ['seccomp=unconfined'];
  const file = seccompFile(profile);
  return file === undefined ? [] : [`seccomp=${file}`];
}

type SecurityContext = NonNullable<Container['securityContext']>;

/** Ports getSeccompProfile (pkg/kubelet/kuberuntime/helpers.go); annotations count for nothing since v1.27. */
export function seccompProfile(
  { spec }: Pod,
  { securityContext }: Container,
): SecurityContext['seccompProfile'] {
  return securityContext?.seccompProfile ?? spec.securityContext?.seccompProfile;
}

/** The kubelet's folder of seccomp profiles (--root-dir and `seccomp`). */
const SECCOMP_PROFILE_ROOT = '/var/lib/kubelet/seccomp';

/** Returns the file of a profile that is on the node. */
export function seccompFile(profile: ReturnType<typeof seccompProfile>): string | undefined {
  if (profile?.type !== 'Localhost') return undefined;
  return `${SECCOMP_PROFILE_ROOT}/${profile.localhostProfile ?? ''}`;
}

/** Ports GetProfile (pkg/security/apparmor/helpers.go). */
export function appArmorProfile(
  { metadata, spec }: Pod,
  { name, securityContext }: Container,
): SecurityContext['appArmorProfile'] {
  if (securityContext?.appArmorProfile !== undefined) return securityContext.appArmorProfile;
  const annotation = metadata.annotations?.[`${APP_ARMOR_KEY_PREFIX}${name}`] ?? '';
  const { type, localhostProfile = '' } = appArmorFieldForAnnotation(annotation) ?? {};
  return type === undefined ? spec.securityContext?.appArmorProfile : { type, localhostProfile };
}
