/* Ports pkg/kubelet/status/generate.go, with its names. */

import {
  allContainers,
  type Container,
  type ContainerStatus,
  omitUndefined,
  type Pod,
  type PodCondition,
  type PodPhase,
  type PodStatus,
} from '../../api/index.js';
import type { RuntimePodStatus } from '../ports.js';
import type { ReleaseBehavior } from '../release.js';
import {
  allContainersCouldRestart,
  isRestartableInitContainer,
  isTrue,
  shouldAllContainersRestart,
} from '../restart-policy.js';
import { findContainerStatusByName, podSandboxChanged } from '../runtime-pod-status.js';

/** Condition types that the kubelet sets (pkg/kubelet/types/pod_status.go). */
const BY_KUBELET: ReadonlySet<string> = new Set([
  'PodScheduled',
  'Ready',
  'Initialized',
  'PodReadyToStartContainers',
  'ContainersReady',
  'PodResizeInProgress',
  'PodResizePending',
  'AllContainersRestarting',
]);

export function conditionsOfOthers(conditions: readonly PodCondition[] = []) {
  return conditions.filter(({ type }) => !podConditionByKubelet(type));
}

/** Ports PodConditionByKubelet (pkg/kubelet/types/pod_status.go). */
export function podConditionByKubelet(type: string): boolean {
  return BY_KUBELET.has(type);
}

interface ConditionsInput {
  readonly pod: Pod;
  readonly oldPodStatus: PodStatus;
  readonly podStatus: RuntimePodStatus;
  /** Statuses of the init containers, then of the regular containers. */
  readonly statuses: readonly ContainerStatus[];
  readonly phase: PodPhase;
  readonly behavior: ReleaseBehavior;
}

/**
 * Returns a pod's conditions: those of others first, then the kubelet's in its order. Ports the end of
 * generateAPIPodStatus (pkg/kubelet/kubelet_pods.go).
 */
export function generateConditions(input: ConditionsInput): readonly PodCondition[] {
  const { pod, podStatus, oldPodStatus, statuses, phase } = input;
  const others = conditionsOfOthers(pod.status.conditions);
  const byKubelet = [
    condition(pod, 'PodReadyToStartContainers', readyToStartContainers(input)),
    condition(pod, 'Initialized', initialized(input)),
  ];
  const earlier = [...others, ...byKubelet];
  byKubelet.push(generatePodReadyCondition(pod, earlier, statuses, phase));
  byKubelet.push(generateContainersReadyCondition(pod, statuses, phase));
  byKubelet.push(condition(pod, 'PodScheduled', status(true)));
  if (allContainersCouldRestart(pod.spec)) {
    const restarting = allContainersRestarting(pod, podStatus, oldPodStatus, phase);
    byKubelet.push({ type: 'AllContainersRestarting', ...restarting });
  }
  return [...others, ...byKubelet];
}

type ConditionValue = Pick<PodCondition, 'status' | 'reason' | 'message'>;

function status(isTrue: boolean): ConditionValue {
  return { status: isTrue ? 'True' : 'False' };
}

function readyToStartContainers({ pod, podStatus, behavior }: ConditionsInput): ConditionValue {
  const { changed, reason: message } = podSandboxChanged(pod, podStatus);
  if (!changed || !behavior.namesSandboxReason) return status(!changed);
  return { status: 'False', reason: 'PodSandboxNotReady', message };
}

function condition(pod: Pod, type: string, value: ConditionValue): PodCondition {
  return { type, ...omitUndefined({ observedGeneration: pod.metadata.generation }), ...value };
}

export function generateContainersReadyCondition(
  pod: Pod,
  statuses: readonly ContainerStatus[] | undefined,
  phase: PodPhase | undefined,
): PodCondition {
  return condition(pod, 'ContainersReady', containersReady(pod, statuses, phase));
}

export function generatePodReadyCondition(
  pod: Pod,
  conditions: readonly PodCondition[],
  statuses: readonly ContainerStatus[] | undefined,
  phase: PodPhase | undefined,
): PodCondition {
  const ready = containersReady(pod, statuses, phase);
  return condition(pod, 'Ready', ready.status === 'True' ? readinessGates(pod, conditions) : ready);
}

/** Returns a ready condition of a pod that has ended. Ports generatePodReadyConditionForTerminalPhase and generateContainersReadyConditionForTerminalPhase. */
export function terminalCondition(
  pod: Pod,
  type: 'Ready' | 'ContainersReady',
  phase: PodPhase | undefined,
): PodCondition {
  return condition(pod, type, terminalReadiness(phase));
}

/**
 * Returns whether the API server's Ready condition contradicts the readiness gates. Ports
 * NeedToReconcilePodReadiness (pkg/kubelet/status/status_manager.go).
 */
export function needToReconcilePodReadiness(pod: Pod): boolean {
  if ((pod.spec.readinessGates ?? []).length === 0) return false;
  const { conditions = [], containerStatuses, phase } = pod.status;
  const expected = generatePodReadyCondition(pod, conditions, containerStatuses, phase);
  const current = conditions.find((c) => c.type === 'Ready');
  if (current === undefined) return false;
  return current.status !== expected.status || (current.message ?? '') !== (expected.message ?? '');
}

function terminalReadiness(phase: PodPhase | undefined): ConditionValue {
  return { status: 'False', reason: phase === 'Failed' ? 'PodFailed' : 'PodCompleted' };
}

function containersReady(
  pod: Pod,
  statuses: readonly ContainerStatus[] | undefined,
  phase: PodPhase | undefined,
): ConditionValue {
  if (statuses === undefined) return { status: 'False', reason: 'UnknownContainerStatuses' };
  const sidecars = (pod.spec.initContainers ?? []).filter(isRestartableInitContainer);
  const required = [...sidecars, ...pod.spec.containers];
  const { unknown, failing } = checkStatuses(required, statuses, (s) => s.ready);
  if (phase === 'Succeeded' && unknown.length === 0) return terminalReadiness(phase);
  if (phase === 'Failed') return terminalReadiness(phase);
  const message = statusMessage(unknown, failing, 'unready');
  if (message === '') return status(true);
  return { status: 'False', reason: 'ContainersNotReady', message };
}

function readinessGates(pod: Pod, conditions: readonly PodCondition[]): ConditionValue {
  const messages: string[] = [];
  for (const { conditionType } of pod.spec.readinessGates ?? []) {
    const condition = conditions.find((c) => c.type === conditionType);
    const gate = `pod readiness gate ${JSON.stringify(conditionType)}`;
    if (condition === undefined) {
      messages.push(`corresponding condition of ${gate} does not exist.`);
    } else if (condition.status !== 'True') {
      messages.push(`the status of ${gate} is not "True", but ${condition.status}`);
    }
  }
  if (messages.length === 0) return status(true);
  return { status: 'False', reason: 'ReadinessGatesNotReady', message: messages.join(', ') };
}

/** Ports GeneratePodInitializedCondition (pkg/kubelet/status/generate.go). */
function initialized({
  pod,
  oldPodStatus,
  statuses,
  phase,
  behavior,
}: ConditionsInput): ConditionValue {
  const inits = pod.spec.initContainers ?? [];
  const { unknown, failing } = checkStatuses(inits, statuses, (s, container) =>
    isRestartableInitContainer(container) ? s.started === true : s.ready,
  );
  if (phase === 'Succeeded' && unknown.length === 0) {
    return { status: 'True', reason: 'PodCompleted' };
  }
  if (hasAnyRegularContainerStarted(pod, statuses)) return status(true);
  const message = statusMessage(unknown, failing, 'incomplete');
  if (message === '') return status(true);
  // An initialized pod stays initialized while all its containers restart in place.
  const wasInitialized = isTrue(oldPodStatus, 'Initialized');
  if (behavior.restartsAllContainers && wasInitialized) return status(true);
  return { status: 'False', reason: 'ContainersNotInitialized', message };
}

/** Ports GenerateAllContainersRestartingCondition (pkg/kubelet/status/generate.go). */
function allContainersRestarting(
  pod: Pod,
  podStatus: RuntimePodStatus,
  oldPodStatus: PodStatus,
  phase: PodPhase,
): ConditionValue {
  if (phase === 'Succeeded' || phase === 'Failed') return terminalReadiness(phase);
  const cleanedUp = allContainers(pod.spec).every(
    ({ name }) => findContainerStatusByName(podStatus, name) === undefined,
  );
  if (cleanedUp || !shouldAllContainersRestart(pod, podStatus, oldPodStatus)) return status(false);
  return {
    status: 'True',
    reason: 'RestartAllContainersStarted',
    message: 'container exited with restart policy rule',
  };
}

/** Ports HasAnyRegularContainerStarted (pkg/kubelet/container/helpers.go). */
export function hasAnyRegularContainerStarted(
  pod: Pod,
  statuses: readonly ContainerStatus[],
): boolean {
  const names = new Set(pod.spec.containers.map(({ name }) => name));
  return statuses.some(
    ({ name, state }) =>
      names.has(name) && (state.running !== undefined || state.terminated !== undefined),
  );
}

/** Returns the names of the containers without a status, and of those whose status fails the check. */
function checkStatuses(
  containers: readonly Container[],
  statuses: readonly ContainerStatus[],
  passes: (status: ContainerStatus, container: Container) => boolean,
): { unknown: string[]; failing: string[] } {
  const unknown: string[] = [];
  const failing: string[] = [];
  for (const container of containers) {
    const status = statuses.find(({ name }) => name === container.name);
    if (status === undefined) unknown.push(container.name);
    else if (!passes(status, container)) failing.push(container.name);
  }
  return { unknown, failing };
}

function statusMessage(
  unknown: readonly string[],
  failing: readonly string[],
  adjective: 'unready' | 'incomplete',
): string {
  const parts: string[] = [];
  if (unknown.length > 0) parts.push(`containers with unknown status: [${unknown.join(' ')}]`);
  if (failing.length > 0) parts.push(`containers with ${adjective} status: [${failing.join(' ')}]`);
  return parts.join(', ');
}
