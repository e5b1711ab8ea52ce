import type { PodSummary } from '../../../trace/summary/summary.js';
import type { Snapshot } from './snapshot.js';

/** The pod that is looked into; undefined while there is none, or the list of several is shown. */
export function podInView({ summary, ui }: Snapshot): PodSummary | undefined {
  if (summary.pods.length === 1) return summary.pods[0];
  return summary.pods.find(({ key }) => key === ui.pod);
}
