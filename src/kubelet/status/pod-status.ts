import {
  type ContainerStatus,
  getPodQOS,
  type Pod,
  type PodPhase,
  type PodStatus,
  present,
} from '../../api/index.js';
import type { RuntimePodStatus } from '../ports.js';
import { shouldAllContainersRestart } from '../restart-policy.js';
import { hasAnyActiveRegularContainerStarted } from '../runtime-pod-status.js';
import type { StartError } from '../sync-result.js';
import { generateConditions } from './conditions.js';
import { convertToAPIContainerStatuses } from './container-statuses.js';
import { getPhase } from './phase.js';

export interface PodStatusInput {
  readonly pod: Pod;
  readonly podStatus: RuntimePodStatus;
  readonly runtimeName: string;
  /** The status manager's status; undefined before the first. */
  readonly cached: PodStatus | undefined;
  /** No container will be started again. */
  readonly podIsTerminal: boolean;
  /** The active deadline has passed. */
  readonly deadlineExceeded: boolean;
  readonly hostIP: string;
  readonly startError: (container: string) => StartError | undefined;
  /** Sets `started` and `ready`, in the prober manager. */
  readonly updatePodStatus: (status: PodStatus) => PodStatus;
}

/** Returns the pod's status as the API shows it. Ports generateAPIPodStatus (pkg/kubelet/kubelet_pods.go). */
export function generateAPIPodStatus(input: PodStatusInput): PodStatus {
  const { pod, podStatus } = input;
  const oldPodStatus = input.cached ?? pod.status;
  const converted = convertStatusToAPIStatus(input, oldPodStatus);
  const { phase, ...reason } = phaseOf(input, oldPodStatus, converted);
  const probed = input.updatePodStatus({ ...converted, phase, ...reason });
  const statuses = [...(probed.initContainerStatuses ?? []), ...(probed.containerStatuses ?? [])];
  const conditions = generateConditions({ pod, oldPodStatus, podStatus, statuses, phase });
  return { ...probed, conditions, ...addresses(input), qosClass: getPodQOS(pod) };
}

interface PhaseAndReason extends Pick<PodStatus, 'reason' | 'message'> {
  readonly phase: PodPhase;
}

/** Returns the computed phase, unless the pod already has a terminal one, which never changes. */
function phaseOf(input: PodStatusInput, old: PodStatus, converted: PodStatus): PhaseAndReason {
  const { pod, podStatus, podIsTerminal, deadlineExceeded } = input;
  const computed = getPhase({
    pod,
    statuses: [...(converted.containerStatuses ?? []), ...(converted.initContainerStatuses ?? [])],
    podIsTerminal,
    podHasInitialized: hasAnyActiveRegularContainerStarted(pod, podStatus),
  });
  const phase = [computed, old.phase, pod.status.phase].find(isTerminal) ?? computed;
  const found = deadlineExceeded ? DEADLINE_EXCEEDED : { phase, ...reasonOf(pod, old, phase) };
  return isTerminal(pod.status.phase) ? { ...found, phase: pod.status.phase } : found;
}

const DEADLINE_EXCEEDED: PhaseAndReason = {
  phase: 'Failed',
  reason: 'DeadlineExceeded',
  message: 'Pod was active on the node longer than the specified deadline',
};

/** Keeps reason and message while the phase stays the same. */
function reasonOf(
  pod: Pod,
  old: PodStatus,
  phase: PodPhase,
): Pick<PodStatus, 'reason' | 'message'> {
  if (phase !== old.phase) return {};
  return present({
    reason: old.reason ?? pod.status.reason,
    message: old.message ?? pod.status.message,
  });
}

/** Ports IsPodPhaseTerminal (pkg/api/v1/pod/util.go). */
export function isTerminal(phase: PodStatus['phase']): phase is 'Succeeded' | 'Failed' {
  return phase === 'Succeeded' || phase === 'Failed';
}

/** Ports convertStatusToAPIStatus (pkg/kubelet/kubelet_pods.go). */
function convertStatusToAPIStatus(input: PodStatusInput, oldPodStatus: PodStatus): PodStatus {
  const { pod, podStatus, runtimeName, startError } = input;
  const podRestarting = shouldAllContainersRestart(pod, podStatus, oldPodStatus);
  const common = { pod, podStatus, runtimeName, startError, podRestarting };
  const containerStatuses = convertToAPIContainerStatuses({
    ...common,
    previous: oldPodStatus.containerStatuses ?? [],
    containers: pod.spec.containers,
    isInit: false,
  });
  const initContainers = pod.spec.initContainers ?? [];
  const initContainerStatuses: readonly ContainerStatus[] = convertToAPIContainerStatuses({
    ...common,
    previous: oldPodStatus.initContainerStatuses ?? [],
    containers: initContainers,
    isInit: true,
  });
  return {
    containerStatuses,
    ...(initContainers.length === 0 ? {} : { initContainerStatuses }),
  };
}

function addresses({ pod, podStatus, hostIP }: PodStatusInput): PodStatus {
  const sorted = sortPodIPs(podStatus.ips, hostIP);
  const podIPs = sorted.length === 0 && pod.spec.hostNetwork === true ? [hostIP] : sorted;
  const [podIP] = podIPs;
  return { hostIP, hostIPs: [hostIP], ...(podIP === undefined ? {} : { podIP, podIPs }) };
}

/** Returns at most one address of each family, the node's family first. Ports sortPodIPs (kubelet_pods.go). */
export function sortPodIPs(ips: readonly string[], hostIP: string): readonly string[] {
  const isV6 = (ip: string): boolean => ip.includes(':');
  const primary = ips.find((ip) => isV6(ip) === isV6(hostIP));
  const secondary = ips.find((ip) => isV6(ip) !== isV6(hostIP));
  return [primary, secondary].filter((ip) => ip !== undefined);
}
