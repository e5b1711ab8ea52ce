import type { SeenPod } from './recorder.js';
import type { RolloutOutcome } from './rollout.js';

/** Something that keeps a rollout from its end. */
export interface Blocker {
  readonly reason: string;
  /** Number of pods that it keeps from being available; absent when it is not about pods. */
  readonly pods?: number;
}

/** Returns what keeps the rollout, or the workload, from having all replicas available: most pods first. */
export function blockersOf(outcome: RolloutOutcome): readonly Blocker[] {
  const { rollout, pods, blocked } = outcome;
  if (rollout?.doneAt !== undefined) return [];
  const found: Blocker[] = blocked === undefined ? [] : [{ reason: blocked }];
  const reasons = new Map<string, number>();
  for (const pod of pods) {
    const reason = rollout !== undefined && pod.version === 'old' ? undefined : reasonOf(pod);
    if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const byPods = [...reasons].map(([reason, count]) => ({ reason, pods: count }));
  return [...found, ...byPods.sort((a, b) => b.pods - a.pods)];
}

function reasonOf({ pod, state, lastFailure, restarts }: SeenPod): string | undefined {
  switch (state) {
    case 'pending':
      return 'no node takes the pod: all are cordoned';
    case 'starting':
    case 'notReady': {
      const waiting = waitingReason(pod);
      const restarted =
        restarts > 0 ? `restarted ${restarts === 1 ? 'once' : `${restarts} times`}` : '';
      const what = [waiting, restarted, lastFailure].filter(
        (part) => part !== undefined && part !== '',
      );
      return what.length === 0 ? 'not ready yet' : what.join(', ');
    }
    case 'ended':
      return `the pod has ${pod.status.phase === 'Failed' ? 'failed' : 'succeeded'}`;
    case 'ready':
    case 'terminating':
      return undefined;
  }
}

function waitingReason({ status }: SeenPod['pod']): string | undefined {
  const statuses = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  const reasons = statuses.map(({ state }) => state.waiting?.reason);
  return reasons.find((reason) => reason !== undefined && reason !== 'PodInitializing');
}
