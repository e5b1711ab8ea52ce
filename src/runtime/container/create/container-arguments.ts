import {
  type Container,
  parseQuantity,
  type Pod,
  type ResourceList,
  type SecurityContext,
} from '../../../api/index.js';
import { expand } from '../../../kubelet/prober/expand-command.js';
import { isHostNetworkPod } from '../../../kubelet/runtime-pod-status.js';
import type { Environment } from '../../environment/environment-variables.js';
import type { Mount } from './pod-mounts.js';

export interface ContainerArguments {
  readonly pod: Pod;
  readonly container: Container;
  readonly sandboxID: string;
  readonly env: Environment;
  readonly mounts: readonly Mount[];
}

/** The arguments of `create` that make a container what its manifest says. */
export function containerArguments(about: ContainerArguments): string[] {
  const { pod, container, env, mounts } = about;
  const [[entrypoint, ...rest], args] = expandContainerCommandAndArgs(container, env);
  return [
    ...namespaceArguments(about),
    ...[...env].flatMap(([key, value]) => ['--env', `${key}=${value}`]),
    ...(container.workingDir === undefined ? [] : ['--workdir', container.workingDir]),
    ...mounts.flatMap(mountArguments),
    ...resourceArguments(container),
    ...securityArguments(pod, container.securityContext ?? {}),
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
    ...['--network', namespace(isHostNetworkPod(pod))],
    ...['--ipc', namespace(hostIPC)],
    ...(ownPID ? [] : ['--pid', namespace(hostPID)]),
  ];
}

function mountArguments({ source, target, readOnly }: Mount): string[] {
  const fields = ['type=bind', `source=${source}`, `target=${target}`];
  return ['--mount', [...fields, ...(readOnly ? ['readonly'] : [])].map(csvField).join(',')];
}

/** `--mount` is read as a line of CSV. */
function csvField(field: string): string {
  return /[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

/** Limits are set; of the requests, CPU is a share and memory is only shown. */
function resourceArguments({ resources = {} }: Container): string[] {
  const { limits = {}, requests = {} } = resources;
  const [cpu, memory] = [amountOf(limits, 'cpu'), amountOf(limits, 'memory')];
  const request = amountOf(requests, 'cpu');
  const bytes = Math.ceil(memory ?? 0);
  return [
    ...(cpu === undefined ? [] : ['--cpus', String(cpu)]),
    ...(memory === undefined ? [] : ['--memory', `${bytes}b`, '--memory-swap', `${bytes}b`]),
    ...(request === undefined ? [] : ['--cpu-shares', String(milliCPUToShares(request))]),
  ];
}

function amountOf(list: ResourceList, name: string): number | undefined {
  const text = list[name];
  if (text === undefined) return undefined;
  const parsed = parseQuantity(text);
  const amount = parsed.kind === 'quantity' ? Number(parsed.quantity.nano) / 1e9 : 0;
  return amount > 0 ? amount : undefined;
}

/** Ports MilliCPUToShares (pkg/kubelet/cm/helpers_linux.go). */
function milliCPUToShares(cpus: number): number {
  return Math.min(262_144, Math.max(2, Math.trunc(cpus * 1024)));
}

/** Ports determineEffectiveSecurityContext (pkg/kubelet/kuberuntime/security_context.go), as far as engines have flags. */
function securityArguments(pod: Pod, own: SecurityContext): string[] {
  const ofPod = pod.spec.securityContext ?? {};
  const user = own.runAsUser ?? ofPod.runAsUser;
  const group = own.runAsGroup ?? ofPod.runAsGroup;
  const groups = [
    ...(ofPod.supplementalGroups ?? []),
    ...(ofPod.fsGroup === undefined ? [] : [ofPod.fsGroup]),
  ];
  const as = `${user ?? 0}${group === undefined ? '' : `:${group}`}`;
  return [
    ...(user === undefined && group === undefined ? [] : ['--user', as]),
    ...groups.flatMap((id) => ['--group-add', String(id)]),
    ...(own.privileged === true ? ['--privileged'] : []),
    ...(own.capabilities?.add ?? []).flatMap((name) => ['--cap-add', name]),
    ...(own.capabilities?.drop ?? []).flatMap((name) => ['--cap-drop', name]),
    ...(own.readOnlyRootFilesystem === true ? ['--read-only'] : []),
    ...(own.allowPrivilegeEscalation === false ? ['--security-opt', 'no-new-privileges'] : []),
  ];
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
