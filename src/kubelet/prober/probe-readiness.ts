import {
  type Container,
  type ContainerStatus,
  type Pod,
  type PodStatus,
  present,
} from '../../api/index.js';
import type { ProbeType, Result } from '../event.js';
import { isRestartableInitContainer, isTrue } from '../restart-policy.js';
import { isOlderThanKubelet } from './worker.js';

export interface ProbeKnowledge {
  readonly startupResult: (containerID: string) => Result | undefined;
  readonly readinessResult: (containerID: string) => Result | undefined;
  readonly hasWorker: (container: string, probeType: ProbeType) => boolean;
  /** Start of the kubelet, in the clock's milliseconds. */
  readonly kubeletStart: number;
}

export interface ProbeReadiness {
  readonly status: PodStatus;
  /** Containers whose readiness worker has to probe now. */
  readonly trigger: readonly string[];
}

/** Sets `started` and `ready` from probe results. Ports UpdatePodStatus (pkg/kubelet/prober/prober_manager.go). */
export function probeReadiness(
  pod: Pod,
  status: PodStatus,
  knowledge: ProbeKnowledge,
): ProbeReadiness {
  const trigger: string[] = [];
  const decide = (c: ContainerStatus, spec: Container | undefined): ContainerStatus => {
    const started = isContainerStarted(c, knowledge);
    if (!started) return { ...c, started };
    if (c.state.running === undefined) return { ...c, started, ready: false };
    const containerID = c.containerID ?? '';
    const result = knowledge.readinessResult(containerID);
    if (result === 'success') return { ...c, started, ready: true };
    const probed = knowledge.hasWorker(c.name, 'readiness');
    if (probed) trigger.push(c.name);
    const ready = readyOnKubeletRestart(!probed, result, c, spec, pod, knowledge.kubeletStart);
    return { ...c, started, ready };
  };
  const specOf = (name: string, list: readonly Container[] | undefined): Container | undefined =>
    list?.find((container) => container.name === name);

  const containerStatuses = status.containerStatuses?.map((c) =>
    decide(c, specOf(c.name, pod.spec.containers)),
  );
  const initContainerStatuses = status.initContainerStatuses?.map((c) => {
    const spec = specOf(c.name, pod.spec.initContainers);
    if (spec !== undefined && isRestartableInitContainer(spec)) return decide(c, spec);
    const completed = spec !== undefined && c.state.terminated?.exitCode === 0;
    return { ...c, started: isContainerStarted(c, knowledge), ready: completed || c.ready };
  });
  return {
    status: { ...status, ...present({ containerStatuses, initContainerStatuses }) },
    trigger,
  };
}

/** Ports isContainerStarted (pkg/kubelet/prober/prober_manager.go). */
function isContainerStarted(c: ContainerStatus, knowledge: ProbeKnowledge): boolean {
  if (c.state.running === undefined) return false;
  const result = knowledge.startupResult(c.containerID ?? '');
  if (result !== undefined) return result === 'success';
  // `started` survives a restart of the container: a readiness probe may then run early.
  if (c.started === true) return true;
  return !knowledge.hasWorker(c.name, 'startup');
}

/** Ports setReadyStateOnKubeletRestart (pkg/kubelet/prober/prober_manager.go). */
function readyOnKubeletRestart(
  ready: boolean,
  result: Result | undefined,
  c: ContainerStatus,
  spec: Container | undefined,
  pod: Pod,
  kubeletStart: number,
): boolean {
  if (!isOlderThanKubelet(c, kubeletStart) || spec === undefined) return ready;
  if (spec.readinessProbe !== undefined && !isTrue(pod.status, 'Ready')) return false;
  return ready || result === undefined;
}
