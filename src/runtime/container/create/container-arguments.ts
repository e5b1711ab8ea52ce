import { type Container, nanoOf, type Pod, type ResourceList } from '../../../api/index.js';
import { expand } from '../../../kubelet/prober/exec-probe.js';
import { isHostNetworkPod } from '../../../kubelet/runtime-pod-status.js';
import type { Environment } from '../../environment/environment-variables.js';
import type { Mount } from './pod-mounts.js';

interface ContainerArguments {
  readonly pod: Pod;
  readonly container: Container;
  readonly sandboxID: string;
  readonly env: Environment;
  readonly mounts: readonly Mount[];
  readonly identity: Identity;
}

/** The arguments of `create` that make a container what its manifest says. */
export function containerArguments(input: ContainerArguments): string[] {
  const { pod, container, env, mounts } = input;
  const [[entrypoint, ...rest], args] = expandContainerCommandAndArgs(container, env);
  return [
    ...namespaceArguments(input),
    ...[...env].flatMap(([key, value]) => ['--env', `${key}=${value}`]),
    ...(container.workingDir === undefined ? [] : ['--workdir', container.workingDir]),
    ...mounts.flatMap(mountArguments),
    ...resourceArguments(container),
    ...securityArguments(pod, container, input.identity),
    ...(container.lifecycle?.stopSignal === undefined
      ? []
      : ['--stop-signal', container.lifecycle.stopSignal]),
    // A kubelet does not run an image's HEALTHCHECK.
    '--no-healthcheck',
    ...(container.stdin === true ? ['--interactive'] : []),
    ...(container.tty === true ? ['--tty'] : []),
    ...(entrypoint === undefined ? [] : ['--entrypoint', entrypoint]),
    container.image,
    ...rest,
    ...args,
  ];
}

/** Containers share the sandbox's namespaces, except filesystem and, by default, processes. */
function namespaceArguments({ pod, sandboxID }: ContainerArguments): string[] {
  const { hostPID, hostIPC, shareProcessNamespace } = pod.spec;
  const namespace = (isHosts = false): string => (isHosts ? 'host' : `container:${sandboxID}`);
  const ownPID = hostPID !== true && shareProcessNamespace !== true;
  return [
    `--network=${namespace(isHostNetworkPod(pod))}`,
    `--ipc=${namespace(hostIPC)}`,
    ...(ownPID ? [] : [`--pid=${namespace(hostPID)}`]),
  ];
}

function mountArguments({ source, target, readOnly, propagation }: Mount): string[] {
  const fields = [
    'type=bind',
    `source=${source}`,
    `target=${target}`,
    ...(readOnly ? ['readonly'] : []),
    ...(propagation === undefined ? [] : [`bind-propagation=${propagation}`]),
  ];
  return ['--mount', fields.map(csvField).join(',')];
}

/** `--mount` is read as a line of CSV. */
function csvField(field: string): string {
  return /[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

/** Sets the limits, and a CPU request as a share. A memory request has no effect on a running container. */
function resourceArguments({ resources = {} }: Container): string[] {
  const { limits = {}, requests = {} } = resources;
  const [cpu, memory] = [amountOf(limits, 'cpu'), amountOf(limits, 'memory')];
  const request = amountOf(requests, 'cpu');
  const bytes = Math.ceil(memory ?? 0);
  return [
    ...(cpu === undefined
      ? []
      : ['--cpu-period', String(QUOTA_PERIOD), '--cpu-quota', String(milliCPUToQuota(cpu))]),
    ...(memory === undefined ? [] : ['--memory', `${bytes}b`, '--memory-swap', `${bytes}b`]),
    ...(request === undefined ? [] : ['--cpu-shares', String(milliCPUToShares(request))]),
  ];
}

/** Microseconds: a CPU quota is an amount of CPU time in each period. */
const QUOTA_PERIOD = 100_000;
const MIN_QUOTA_PERIOD = 1000;

/** Ports MilliCPUToQuota (pkg/kubelet/cm/helpers_linux.go). */
function milliCPUToQuota(cpus: number): number {
  const quota = Math.trunc((Math.ceil(cpus * 1000) * QUOTA_PERIOD) / 1000);
  return Math.max(MIN_QUOTA_PERIOD, quota);
}

function amountOf(list: ResourceList, name: string): number | undefined {
  const amount = Number(nanoOf(list[name])) / 1e9;
  return amount > 0 ? amount : undefined;
}

/** Ports MilliCPUToShares (pkg/kubelet/cm/helpers_linux.go). */
function milliCPUToShares(cpus: number): number {
  return Math.min(262_144, Math.max(2, Math.trunc(cpus * 1024)));
}

/** Replaces `$(VAR)` in a container's command. Ports ExpandContainerCommandAndArgs (container/helpers.go). */
function expandContainerCommandAndArgs(
  { command = [], args = [] }: Container,
  env: Environment,
): readonly [command: string[], args: string[]] {
  const words = (list: readonly string[]): string[] =>
    list.map((word) => expand(word, (name) => env.get(name) ?? `$(${name})`));
  return [words(command), words(args)];
}

/** The flags of a container's identity and rights. Ports determineEffectiveSecurityContext (kuberuntime/security_context.go). */
function securityArguments(pod: Pod, container: Container, { user, groups }: Identity): string[] {
  const context = container.securityContext ?? {};
  return [
    ...(user === undefined ? [] : ['--user', user]),
    ...groups.flatMap((id) => ['--group-add', String(id)]),
    ...(context.privileged === true ? ['--privileged'] : []),
    ...(context.capabilities?.add ?? []).flatMap((name) => ['--cap-add', name]),
    ...(context.capabilities?.drop ?? []).flatMap((name) => ['--cap-drop', name]),
    ...(context.readOnlyRootFilesystem === true ? ['--read-only'] : []),
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

/** Returns nothing for RuntimeDefault and for pods that name no profile: both get the engine's default profile. */
function seccompOption(profile: ReturnType<typeof seccompProfile>): string[] {
  if (profile?.type === 'Unconfined') return ['seccomp=unconfined'];
  const file = seccompFile(profile);
  return file === undefined ? [] : [`seccomp=${file}`];
}

type SecurityContext = NonNullable<Container['securityContext']>;

/** Ports getSeccompProfile (pkg/kubelet/kuberuntime/helpers.go); annotations have had no effect since v1.27. */
export function seccompProfile(
  { spec }: Pod,
  { securityContext }: Container,
): SecurityContext['seccompProfile'] {
  return securityContext?.seccompProfile ?? spec.securityContext?.seccompProfile;
}

/** The kubelet's folder of seccomp profiles (--root-dir and `seccomp`). */
const SECCOMP_PROFILE_ROOT = '/var/lib/kubelet/seccomp';

export function seccompFile(profile: ReturnType<typeof seccompProfile>): string | undefined {
  if (profile?.type !== 'Localhost') return undefined;
  return `${SECCOMP_PROFILE_ROOT}/${profile.localhostProfile ?? ''}`;
}

/** Ports GetProfile (pkg/security/apparmor/helpers.go), without the deprecated annotation. */
export function appArmorProfile(
  { spec }: Pod,
  { securityContext }: Container,
): SecurityContext['appArmorProfile'] {
  return securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile;
}

export interface ImageAccounts {
  /** The image's user, such as `1000` or `app:app`; empty for root. */
  readonly user: string;
  readonly passwd: string;
  readonly group: string;
}

interface Identity {
  /** The argument of `--user`; undefined for the image's user. */
  readonly user: string | undefined;
  readonly groups: readonly number[];
}

/** Returns true if the image's users and groups are needed, because an engine would choose other groups than containerd. */
export function needsAccounts(pod: Pod, container: Container): boolean {
  return isStrict(pod) === (runAs(pod, container).group === undefined);
}

/**
 * Returns the user and the groups of a container's first process. Engines add a user's groups of the image's /etc/group
 * where no group is named, and containerd does by policy (WithAdditionalGIDs in internal/cri/opts/spec_opts.go).
 */
export function identityOf(
  pod: Pod,
  container: Container,
  accounts: ImageAccounts | undefined,
): Identity {
  const { fsGroup, supplementalGroups = [] } = pod.spec.securityContext ?? {};
  const { user, group } = runAs(pod, container);
  const extra = [...(fsGroup === undefined ? [] : [fsGroup]), ...supplementalGroups];
  const [imageUser = '0', imageGroup] = (accounts?.user ?? '').split(':');
  const effective = String(user ?? (imageUser === '' ? '0' : imageUser));
  if (isStrict(pod)) {
    // A user without a line in passwd has root's group.
    const primary = group ?? Number(lineOf(accounts, effective)?.[3] ?? 0);
    if (user === undefined && imageGroup !== undefined) return { user: undefined, groups: extra };
    return { user: `${effective}:${primary}`, groups: extra };
  }
  if (group === undefined)
    return { user: user === undefined ? undefined : `${user}`, groups: extra };
  const added = groupsOf(accounts, effective).filter((id) => !extra.includes(id) && id !== group);
  return { user: `${effective}:${group}`, groups: [...extra, ...added] };
}

function isStrict({ spec: { securityContext } }: Pod): boolean {
  return securityContext?.supplementalGroupsPolicy === 'Strict';
}

function runAs({ spec }: Pod, { securityContext = {} }: Container) {
  return {
    user: securityContext.runAsUser ?? spec.securityContext?.runAsUser,
    group: securityContext.runAsGroup ?? spec.securityContext?.runAsGroup,
  };
}

function groupsOf(accounts: ImageAccounts | undefined, user: string): readonly number[] {
  const name = lineOf(accounts, user)?.[0] ?? user;
  return fieldsOf(accounts?.group)
    .filter(([, , , members = '']) => members.split(',').includes(name))
    .map(([, , id]) => Number(id));
}

function lineOf(accounts: ImageAccounts | undefined, user: string): readonly string[] | undefined {
  return fieldsOf(accounts?.passwd).find(([name, , id]) => name === user || id === user);
}

function fieldsOf(text = ''): readonly (readonly string[])[] {
  return text.split('\n').map((line) => line.trim().split(':'));
}
