import { type Container, nanoOf, type Pod, type ResourceList } from '../../../api/index.js';
import { expand } from '../../../kubelet/prober/exec-probe.js';
import { isHostNetworkPod } from '../../../kubelet/runtime-pod-status.js';
import type { Environment } from '../../environment/environment-variables.js';
import type { Identity } from './image-groups.js';
import type { Mount } from './pod-mounts.js';
import { securityArguments } from './security-arguments.js';

export interface ContainerArguments {
  readonly pod: Pod;
  readonly container: Container;
  readonly sandboxID: string;
  readonly env: Environment;
  readonly mounts: readonly Mount[];
  readonly identity: Identity;
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
    ...securityArguments(pod, container, about.identity),
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
    ...['--network', namespace(isHostNetworkPod(pod))],
    ...['--ipc', namespace(hostIPC)],
    ...(ownPID ? [] : ['--pid', namespace(hostPID)]),
  ];
}

function mountArguments({ source, target, readOnly, propagation }: Mount): string[] {
  const fields = [
    ...['type=bind', `source=${source}`, `target=${target}`],
    ...(readOnly ? ['readonly'] : []),
    ...(propagation === undefined ? [] : [`bind-propagation=${propagation}`]),
  ];
  return ['--mount', fields.map(csvField).join(',')];
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
    ...(cpu === undefined
      ? []
      : ['--cpu-period', String(QUOTA_PERIOD), '--cpu-quota', String(milliCPUToQuota(cpu))]),
    ...(memory === undefined ? [] : ['--memory', `${bytes}b`, '--memory-swap', `${bytes}b`]),
    ...(request === undefined ? [] : ['--cpu-shares', String(milliCPUToShares(request))]),
  ];
}

/** Microseconds. */
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
