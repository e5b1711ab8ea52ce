import type { PodSummary } from '../../../../trace/summary/summary.js';
import { matches } from '../../format/matches.js';
import type { Snapshot } from '../../store/snapshot.js';
import { troubleOf } from './trouble.js';

/** Under which the choice in the list of pods is kept. */
export const POD_LIST = 'pods';

/** The pods that the filter lets through, the most troubled first. */
export function listedPods({ summary, ui }: Snapshot): PodSummary[] {
  return summary.pods
    .filter(({ key }) => matches(key, ui.filter))
    .map((pod) => ({ pod, rank: troubleOf(pod).rank }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ pod }) => pod);
}

export function chosenPod(snapshot: Snapshot): PodSummary | undefined {
  const pods = listedPods(snapshot);
  return pods.find(({ key }) => key === snapshot.ui.chosen[POD_LIST]) ?? pods[0];
}
