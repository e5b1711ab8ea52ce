import type { Container, Pod } from '../../api/index.js';
import type { RuntimeContainerStatus, RuntimePodStatus } from '../ports.js';
import type { ProbeResults } from '../prober/results-manager.js';
import type { ReleaseBehavior } from '../release.js';
import { findMatchingContainerRestartRule, shouldContainerBeRestarted } from '../restart-policy.js';
import {
  findContainerStatusByName,
  hasAnyRegularContainerCreated,
  podSandboxChanged,
} from '../runtime-pod-status.js';
import { containerChanged } from './container-hash.js';
import { type ContainerToKillInfo, killUnknown } from './container-killer.js';
import { computeInitContainerActions } from './init-container-actions.js';
import type { ContainerKillReason } from './termination-grace-period.js';

export interface ContainerToReset {
  readonly id: string;
  readonly container: Container;
  /** The container has not exited, and is killed first. */
  readonly kill: boolean;
}

/** Actions of one sync of a pod. Ports podActions (pkg/kubelet/kuberuntime/kuberuntime_manager.go). */
export interface PodActions {
  readonly killPod: boolean;
  readonly createSandbox: boolean;
  /** The current sandbox; empty when there is none. */
  readonly sandboxID: string;
  readonly attempt: number;
  readonly initContainersToStart: readonly Container[];
  readonly containersToStart: readonly Container[];
  readonly containersToKill: readonly ContainerToKillInfo[];
  readonly containersToReset: readonly ContainerToReset[];
}

/** Plans the actions of a sync. Ports computePodActions (pkg/kubelet/kuberuntime/kuberuntime_manager.go). */
export function computePodActions(
  pod: Pod,
  podStatus: RuntimePodStatus,
  probeResults: ProbeResults,
  restartAllContainers: boolean,
  behavior?: ReleaseBehavior,
): PodActions {
  const { changed, attempt, sandboxID } = podSandboxChanged(pod, podStatus);
  const base: PodActions = {
    killPod: changed,
    createSandbox: changed,
    sandboxID,
    attempt,
    initContainersToStart: [],
    containersToStart: [],
    containersToKill: [],
    containersToReset: [],
  };
  if (restartAllContainers)
    return { ...base, containersToReset: getContainersToReset(pod, podStatus) };
  if (changed) return withNewSandbox(pod, podStatus, base);

  const init = computeInitContainerActions(pod, podStatus, probeResults, behavior);
  const actions = { ...base, ...init.actions };
  if (actions.killPod || !init.hasInitialized) return actions;
  return withRegularContainers(pod, podStatus, probeResults, actions);
}

/** Starts the pod over in a new sandbox, unless all its containers are done. */
function withNewSandbox(pod: Pod, podStatus: RuntimePodStatus, actions: PodActions): PodActions {
  const hasRun = podStatus.containerStatuses.length > 0;
  if (pod.spec.restartPolicy === 'Never' && actions.attempt !== 0 && hasRun) {
    return { ...actions, createSandbox: false };
  }
  const containersToStart = pod.spec.containers.filter(({ name, restartPolicy }) => {
    const last = findContainerStatusByName(podStatus, name);
    const succeeded = last?.state === 'exited' && last.exitCode === 0;
    return (restartPolicy ?? pod.spec.restartPolicy) !== 'OnFailure' || !succeeded;
  });
  if (containersToStart.length === 0 && hasAnyRegularContainerCreated(pod, podStatus)) {
    return { ...actions, createSandbox: false };
  }
  const [firstInit] = pod.spec.initContainers ?? [];
  if (firstInit !== undefined) return { ...actions, initContainersToStart: [firstInit] };
  return { ...actions, containersToStart };
}

function withRegularContainers(
  pod: Pod,
  podStatus: RuntimePodStatus,
  probeResults: ProbeResults,
  actions: PodActions,
): PodActions {
  const containersToStart = [...actions.containersToStart];
  const containersToKill = [...actions.containersToKill];
  let keepCount = 0;
  for (const container of pod.spec.containers) {
    const status = findContainerStatusByName(podStatus, container.name);
    if (status?.state !== 'running') {
      if (!shouldContainerBeRestarted(container, pod, podStatus)) continue;
      containersToStart.push(container);
      // A container in an unknown state may be running, and is killed first so that it does not run twice.
      if (status?.state === 'unknown') containersToKill.push(killUnknown(container, status));
      continue;
    }
    const kill = reasonToKill(pod, container, status, probeResults);
    if (kill === undefined) {
      keepCount++;
      continue;
    }
    if (kill.restart) containersToStart.push(container);
    const message = kill.restart ? `${kill.message}, will be restarted` : kill.message;
    containersToKill.push({ id: status.id, container, message, reason: kill.reason });
  }
  if (keepCount === 0 && containersToStart.length === 0) {
    // No regular container is left to run: sidecars do not keep the pod alive.
    return {
      ...actions,
      killPod: true,
      initContainersToStart: [],
      containersToStart,
      containersToKill,
    };
  }
  return { ...actions, containersToStart, containersToKill };
}

function reasonToKill(
  pod: Pod,
  container: Container,
  status: RuntimeContainerStatus,
  probeResults: ProbeResults,
): { message: string; reason: ContainerKillReason; restart: boolean } | undefined {
  const subject = `Container ${container.name}`;
  // The container is still running, so exit code rules do not apply.
  const restart = (container.restartPolicy ?? pod.spec.restartPolicy) !== 'Never';
  if (containerChanged(container, status)) {
    return { message: `${subject} definition changed`, reason: '', restart: true };
  }
  if (probeResults.liveness(status.id) === 'failure') {
    return { message: `${subject} failed liveness probe`, reason: 'LivenessProbe', restart };
  }
  if (probeResults.startup(status.id) === 'failure') {
    return { message: `${subject} failed startup probe`, reason: 'StartupProbe', restart };
  }
  return undefined;
}

/** Returns the containers to reset, with those that triggered the reset last. Ports the Go function of the same name. */
function getContainersToReset(pod: Pod, podStatus: RuntimePodStatus): ContainerToReset[] {
  const sources: ContainerToReset[] = [];
  const targets: ContainerToReset[] = [];
  for (const container of [...pod.spec.containers, ...(pod.spec.initContainers ?? [])]) {
    for (const { id, name, state, exitCode } of podStatus.containerStatuses) {
      if (name !== container.name) continue;
      const exited = state === 'exited';
      const rule = exited ? findMatchingContainerRestartRule(container, exitCode) : undefined;
      const list = rule?.action === 'RestartAllContainers' ? sources : targets;
      list.push({ id, container, kill: !exited });
    }
  }
  return [...targets, ...sources];
}
