import type { RuntimeContainerState, RuntimePod } from '../ports.js';

/** Ports PodLifecycleEvent (pkg/kubelet/pleg/pleg.go). */
export interface PodLifecycleEvent {
  readonly uid: string;
  readonly type: 'ContainerStarted' | 'ContainerDied' | 'ContainerRemoved' | 'PodSync';
  /** The container or sandbox. */
  readonly id?: string;
}

type PlegState = 'running' | 'exited' | 'unknown' | 'nonExistent';

/**
 * What has changed between two listings of a pod. Ports computeEvents and generateEvents
 * (pkg/kubelet/pleg/generic.go).
 */
export function computeEvents(
  uid: string,
  oldPod: RuntimePod | undefined,
  newPod: RuntimePod | undefined,
): PodLifecycleEvent[] {
  const before = statesOf(oldPod);
  const after = statesOf(newPod);
  const events: PodLifecycleEvent[] = [];
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const oldState = before.get(id) ?? 'nonExistent';
    const newState = after.get(id) ?? 'nonExistent';
    if (newState === oldState) continue;
    for (const type of eventTypes(oldState, newState)) events.push({ uid, type, id });
  }
  return events;
}

/** A change to `unknown` counts as none that anybody could rely on. */
function eventTypes(oldState: PlegState, newState: PlegState): PodLifecycleEvent['type'][] {
  switch (newState) {
    case 'running':
      return ['ContainerStarted'];
    case 'exited':
      return ['ContainerDied'];
    case 'unknown':
      return [];
    case 'nonExistent':
      return oldState === 'exited' ? ['ContainerRemoved'] : ['ContainerDied', 'ContainerRemoved'];
  }
}

/** Whether the pod has a container or sandbox whose state became unknown. */
export function hasUnknownChange(
  oldPod: RuntimePod | undefined,
  newPod: RuntimePod | undefined,
): boolean {
  const before = statesOf(oldPod);
  return [...statesOf(newPod)].some(
    ([id, state]) => state === 'unknown' && before.get(id) !== 'unknown',
  );
}

function statesOf(pod: RuntimePod | undefined): Map<string, PlegState> {
  const states = new Map<string, PlegState>();
  for (const { id, state } of pod?.containers ?? []) states.set(id, convertState(state));
  for (const { id, state } of pod?.sandboxes ?? []) {
    states.set(id, state === 'ready' ? 'running' : 'exited');
  }
  return states;
}

function convertState(state: RuntimeContainerState): PlegState {
  return state === 'created' ? 'unknown' : state;
}
