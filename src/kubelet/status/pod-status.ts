import {
  type Container,
  type ContainerStateTerminated,
  type ContainerStatus,
  getPodQOS,
  omitUndefined,
  type Pod,
  type PodPhase,
  type PodStatus,
} from '../../api/index.js';
import { isStaticPod } from '../pod-name.js';
import {
  containerShouldRestart,
  isRestartableInitContainer,
  shouldAllContainersRestart,
} from '../restart-policy.js';
import { hasAnyActiveRegularContainerStarted } from '../runtime-pod-status.js';
import { generateConditions, hasAnyRegularContainerStarted } from './conditions.js';
import {
  type ContainerStatusesInput,
  convertToAPIContainerStatuses,
  RESTARTING_ALL_CONTAINERS,
} from './container-statuses.js';

export interface PodStatusInput extends Omit<
  ContainerStatusesInput,
  'previous' | 'containers' | 'isInit' | 'podRestarting'
> {
  /** The status manager's status; undefined before the first sync. */
  readonly cached: PodStatus | undefined;
  /** No container will be started again. */
  readonly podIsTerminal: boolean;
  /** The active deadline has passed. */
  readonly deadlineExceeded: boolean;
  readonly hostIP: string;
  /** Sets `started` and `ready`, as the prober manager does. */
  readonly updatePodStatus: (status: PodStatus) => PodStatus;
}

/** Returns the pod's status as the API shows it. Ports generateAPIPodStatus (pkg/kubelet/kubelet_pods.go). */
export function generateAPIPodStatus(input: PodStatusInput): PodStatus {
  const { pod, podStatus } = input;
  const oldPodStatus = input.cached ?? pod.status;
  const converted = convertStatusToAPIStatus(input, oldPodStatus);
  const { phase, ...reason } = phaseAndReason(input, oldPodStatus, converted);
  const probed = input.updatePodStatus({ ...converted, phase, ...reason });
  const statuses = [...(probed.initContainerStatuses ?? []), ...(probed.containerStatuses ?? [])];
  const given = { pod, oldPodStatus, podStatus, statuses, phase, behavior: input.behavior };
  const conditions = generateConditions(given);
  return { ...probed, conditions, ...addresses(input), qosClass: getPodQOS(pod) };
}

/** Returns the computed phase, or a terminal phase that the pod already has: it never changes. */
function phaseAndReason(
  input: PodStatusInput,
  old: PodStatus,
  converted: PodStatus,
): Pick<PodStatus, 'reason' | 'message'> & { readonly phase: PodPhase } {
  const { pod, podStatus, podIsTerminal, deadlineExceeded, behavior } = input;
  const { containerStatuses = [], initContainerStatuses = [] } = converted;
  const statuses = [...containerStatuses, ...initContainerStatuses];
  const podHasInitialized = behavior.phaseByActiveContainers
    ? hasAnyActiveRegularContainerStarted(pod, podStatus)
    : hasAnyRegularContainerStarted(pod, statuses);
  const computed = getPhase(pod, statuses, podIsTerminal, podHasInitialized);
  const phase = [computed, old.phase, pod.status.phase].find(isTerminal) ?? computed;
  const status = deadlineExceeded ? DEADLINE_EXCEEDED : { phase, ...keptReason(pod, old, phase) };
  return isTerminal(pod.status.phase) ? { ...status, phase: pod.status.phase } : status;
}

export const DEADLINE_EXCEEDED = {
  phase: 'Failed',
  reason: 'DeadlineExceeded',
  message: 'Pod was active on the node longer than the specified deadline',
} as const;

/** Keeps the old reason and message while the phase stays the same. */
function keptReason(
  pod: Pod,
  old: PodStatus,
  phase: PodPhase,
): Pick<PodStatus, 'reason' | 'message'> {
  if (phase !== old.phase) return {};
  return omitUndefined({
    reason: old.reason ?? pod.status.reason,
    message: old.message ?? pod.status.message,
  });
}

/** Ports IsPodPhaseTerminal (pkg/api/v1/pod/util.go). */
export function isTerminal(phase: PodStatus['phase']): phase is 'Succeeded' | 'Failed' {
  return phase === 'Succeeded' || phase === 'Failed';
}

/** Ports convertStatusToAPIStatus (pkg/kubelet/kubelet_pods.go). */
function convertStatusToAPIStatus(
  { pod, podStatus, runtimeName, startError, behavior }: PodStatusInput,
  old: PodStatus,
): PodStatus {
  const podRestarting = shouldAllContainersRestart(pod, podStatus, old);
  const common = { pod, podStatus, runtimeName, startError, podRestarting, behavior };
  const convert = (
    containers: readonly Container[],
    previous: readonly ContainerStatus[] = [],
    isInit: boolean,
  ): readonly ContainerStatus[] =>
    convertToAPIContainerStatuses({ ...common, containers, previous, isInit });
  const { containers, initContainers = [] } = pod.spec;
  const containerStatuses = convert(containers, old.containerStatuses, false);
  if (initContainers.length === 0) return { containerStatuses };
  const initContainerStatuses = convert(initContainers, old.initContainerStatuses, true);
  return { containerStatuses, initContainerStatuses };
}

function addresses({ pod, podStatus, hostIP }: PodStatusInput): PodStatus {
  const sorted = sortPodIPs(podStatus.ips, hostIP);
  const podIPs = sorted.length === 0 && pod.spec.hostNetwork === true ? [hostIP] : sorted;
  const [podIP] = podIPs;
  return { hostIP, hostIPs: [hostIP], ...(podIP !== undefined && { podIP, podIPs }) };
}

/** Returns at most one address of each family, the node's family first. Ports sortPodIPs (kubelet_pods.go). */
export function sortPodIPs(ips: readonly string[], hostIP: string): readonly string[] {
  const isV6 = (ip: string): boolean => ip.includes(':');
  const primary = ips.find((ip) => isV6(ip) === isV6(hostIP));
  const secondary = ips.find((ip) => isV6(ip) !== isV6(hostIP));
  return [primary, secondary].filter((ip) => ip !== undefined);
}

/**
 * Returns the pod's phase. `podIsTerminal` means that no container will be started again, `podHasInitialized` that the
 * current sandbox has a regular container. Ports getPhase (pkg/kubelet/kubelet_pods.go).
 */
export function getPhase(
  pod: Pod,
  statuses: readonly ContainerStatus[],
  podIsTerminal: boolean,
  podHasInitialized: boolean,
): PodPhase {
  const { containers, initContainers = [] } = pod.spec;
  const isInit = (container: Container): boolean => !isRestartableInitContainer(container);
  const inits = containerViews(initContainers.filter(isInit), statuses);
  const sidecars = containerViews(initContainers.filter(isRestartableInitContainer), statuses);
  const regular = containerViews(containers, statuses);
  const has = (state: ContainerView['state']): boolean =>
    [...sidecars, ...regular].some((view) => view.state === state);
  const restarts = ({ container, termination }: ContainerView): boolean =>
    termination !== undefined &&
    (containerShouldRestart(container, pod.spec, termination.exitCode) ||
      termination.reason === RESTARTING_ALL_CONTAINERS);

  const failed = inits.filter(
    ({ termination }) => termination !== undefined && termination.exitCode !== 0,
  );
  if (!failed.every(restarts)) return 'Failed';
  if (inits.some(({ termination }) => termination === undefined)) return 'Pending';
  // A pod whose regular containers have run does not become pending when its sidecars restart.
  if (!podHasInitialized && sidecars.some(isPending)) return 'Pending';
  if (has('waiting')) return 'Pending';
  const stopped = regular.filter(({ state }) => state === 'terminated');
  if (has('unknown') || (!has('running') && stopped.length === 0)) return 'Pending';
  if (has('running')) return 'Running';
  // A container that waits for a restart does not count as succeeded.
  const succeeded = stopped.every(({ status }) => status?.state.terminated?.exitCode === 0);
  const done = succeeded ? 'Succeeded' : 'Failed';
  if (podIsTerminal && !isStaticPod(pod)) return done;
  return stopped.some(restarts) ? 'Running' : done;
}

interface ContainerView {
  readonly container: Container;
  readonly status: ContainerStatus | undefined;
  readonly termination: ContainerStateTerminated | undefined;
  readonly state: 'running' | 'terminated' | 'waiting' | 'unknown';
}

function containerViews(
  containers: readonly Container[],
  statuses: readonly ContainerStatus[],
): ContainerView[] {
  return containers.map((container) => {
    const status = statuses.find(({ name }) => name === container.name);
    const termination = status && lastTermination(status);
    const { running, waiting } = status?.state ?? {};
    const other = waiting === undefined ? 'unknown' : 'waiting';
    const state =
      running !== undefined ? 'running' : termination !== undefined ? 'terminated' : other;
    return { container, status, termination, state };
  });
}

function isPending({ status, state }: ContainerView): boolean {
  if (state === 'running') return status?.started !== true;
  return status !== undefined && state !== 'terminated';
}

/** Returns the termination of a container that does not run; while it waits for its next run, that of the last one. */
function lastTermination(status: ContainerStatus): ContainerStateTerminated | undefined {
  const { running, terminated, waiting } = status.state;
  if (running !== undefined) return undefined;
  if (terminated !== undefined) return terminated;
  return waiting === undefined ? undefined : status.lastTerminationState.terminated;
}
