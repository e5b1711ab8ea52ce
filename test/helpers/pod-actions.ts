import type { Container, Pod } from '../../src/api/index.js';
import { computePodActions, type PodActions } from '../../src/kubelet/containers/pod-actions.js';
import type { RuntimeContainerStatus, RuntimePodStatus } from '../../src/kubelet/ports.js';
import {
  buildContainer,
  buildExited,
  buildRuntimeContainer,
  buildRuntimePodStatus,
  buildSandbox,
} from './builders.js';

/** What is to be done, in a line: `kill pod, new sandbox 1, init i1, start a b, kill a LivenessProbe`. */
export function plan(actions: PodActions): string {
  const names = (word: string, list: readonly Container[]): string[] =>
    list.length === 0 ? [] : [`${word} ${list.map(({ name }) => name).join(' ')}`];
  return [
    ...(actions.killPod ? ['kill pod'] : []),
    ...(actions.createSandbox ? [`new sandbox ${actions.attempt}`] : []),
    ...names('init', actions.initContainersToStart),
    ...names('start', actions.containersToStart),
    ...actions.containersToKill.map(({ id, reason }) => `kill ${id} ${reason}`.trim()),
    ...actions.containersToReset.map(
      ({ id, kill }) => `${kill ? 'kill and reset' : 'reset'} ${id}`,
    ),
  ].join(', ');
}

/** The runtime's containers from `a running, b exit 1, c unknown`; ids are names with `-1`. */
export function runtime(
  text: string,
  sandbox: 'ready' | 'notReady' = 'ready',
  attempt = 0,
): RuntimePodStatus {
  const containerStatuses = text === '' ? [] : text.split(', ').map(runtimeContainer);
  return buildRuntimePodStatus({
    sandboxStatuses: [buildSandbox({ state: sandbox, attempt })],
    containerStatuses,
  });
}

function runtimeContainer(text: string): RuntimeContainerStatus {
  const [name = '', word = '', code = '0'] = text.split(' ');
  switch (word) {
    case 'exit':
      return buildExited(Number(code), { name });
    case 'oom':
      return buildExited(0, { name, reason: 'OOMKilled' });
    case 'changed':
      return buildRuntimeContainer({ name, hash: 'old' });
    default:
      return buildRuntimeContainer({ name, state: word as 'running' | 'created' | 'unknown' });
  }
}

/** Results of probes by the runtime's container id. */
export interface ProbeResultsById {
  readonly liveness?: Readonly<Record<string, 'failure' | 'success' | 'unknown'>>;
  readonly startup?: Readonly<Record<string, 'failure' | 'success' | 'unknown'>>;
}

/** What is planned for a pod in this state. */
export function actionsOf(
  pod: Pod,
  podStatus: RuntimePodStatus,
  { liveness = {}, startup = {} }: ProbeResultsById = {},
  restartAll = false,
): PodActions {
  const probeResults = {
    liveness: (id: string) => liveness[id],
    startup: (id: string) => startup[id],
  };
  return computePodActions(pod, podStatus, probeResults, restartAll);
}

/** Containers of these names. */
export const named = (...names: string[]): Container[] =>
  names.map((name) => buildContainer({ name }));
