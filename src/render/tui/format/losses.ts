import type { PodSummary } from '../../../trace/summary/summary.js';

/** How often a pod was Ready and then no longer: `lost once`, `lost 3 times`; empty where it never was. */
export function lossText({ readiness }: PodSummary): string {
  const lost = readiness.filter(({ ready }) => !ready).length;
  if (lost === 0) return '';
  return lost === 1 ? 'lost once' : `lost ${lost} times`;
}
