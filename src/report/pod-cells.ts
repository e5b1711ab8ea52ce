import type { ContainerState, ContainerStateTerminated, ContainerStatus } from '../api/index.js';
import { isRestartableInitContainer, isTrue } from '../kubelet/restart-policy.js';
import type { PodSummary } from '../trace/summary/summary.js';

/** The cells READY, STATUS and RESTARTS of `kubectl get pods`. */
export interface PodCells {
  readonly ready: number;
  readonly containers: number;
  readonly status: string;
  readonly restarts: number;
}

type PrintedPod = Pick<PodSummary, 'object' | 'status' | 'deletedAt'>;

/** Ports printPod (pkg/printers/internalversion/printers.go). */
export function podCells(pod: PrintedPod): PodCells {
  const { initContainers = [], containers } = pod.object.spec;
  const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
  const sidecars = initContainers.filter(isRestartableInitContainer).map(({ name }) => name);
  const isSidecar = ({ name }: ContainerStatus): boolean => sidecars.includes(name);
  const hasStarted = (each: ContainerStatus): boolean => isSidecar(each) && each.started === true;

  const at = initContainerStatuses.findIndex((each) => !hasCompleted(each) && !hasStarted(each));
  const current = initContainerStatuses[at];
  const inits =
    current === undefined ? initContainerStatuses : initContainerStatuses.slice(0, at + 1);
  const isInitialized = current === undefined || isTrue(pod.status, 'Initialized');
  const regular = isInitialized ? containerStatuses : [];
  const ready = inits.filter((each) => each.ready && hasStarted(each) && !hasCompleted(each));
  const restarted = [...(isInitialized ? inits.filter(isSidecar) : inits), ...regular];
  const ofInit = current && initReason(current.state, `${at}/${initContainers.length}`);
  return {
    ready: ready.length + regular.filter(isRunning).length,
    containers: containers.length + sidecars.length,
    status: deletedReason(pod) ?? containersReason(pod, regular) ?? ofInit ?? podReason(pod),
    restarts: restarted.reduce((sum, { restartCount }) => sum + restartCount, 0),
  };
}

function hasCompleted({ state }: ContainerStatus): boolean {
  return state.terminated?.exitCode === 0;
}

function isRunning({ ready, state }: ContainerStatus): boolean {
  return ready && state.running !== undefined;
}

function deletedReason({ status, deletedAt }: PrintedPod): string | undefined {
  if (deletedAt === undefined) return undefined;
  if (status?.reason === 'NodeLost') return 'Unknown';
  const isTerminal = status?.phase === 'Failed' || status?.phase === 'Succeeded';
  return isTerminal ? undefined : 'Terminating';
}

function containersReason(
  pod: PrintedPod,
  statuses: readonly ContainerStatus[],
): string | undefined {
  const [reason] = statuses.flatMap(({ state }) => stateReason(state) ?? []);
  if (reason !== 'Completed') return reason;
  const failed = statuses.find((each) => each.state.terminated && !hasCompleted(each));
  const runs = statuses.some(isRunning);
  if (runs && isTrue(pod.status, 'Ready')) return 'Running';
  return (failed && stateReason(failed.state)) ?? (runs ? 'NotReady' : reason);
}

function stateReason({ waiting, terminated }: ContainerState): string | undefined {
  return waiting?.reason || (terminated && endReason(terminated));
}

function endReason({ reason, signal = 0, exitCode }: ContainerStateTerminated): string {
  return reason || (signal === 0 ? `ExitCode:${exitCode}` : `Signal:${signal}`);
}

function initReason({ waiting, terminated }: ContainerState, progress: string): string {
  const reason = waiting?.reason === 'PodInitializing' ? undefined : waiting?.reason;
  return `Init:${(terminated && endReason(terminated)) ?? (reason || progress)}`;
}

function podReason({ status = {} }: PrintedPod): string {
  const { conditions = [], reason, phase } = status;
  const isGated = conditions.some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );
  // The API server gives a new pod its phase.
  return isGated ? 'SchedulingGated' : reason || (phase ?? 'Pending');
}
