import type { DivergenceView } from '../trace/summary/summary.js';

/** Compares a cluster's kubelet with one of v1.36, and names the cause. */
export function divergenceText({
  happened,
  expected,
  cause,
}: Pick<DivergenceView, 'happened' | 'expected' | 'cause'>): string {
  return `${happened}, expected ${expected}${cause === undefined ? '' : `: ${cause}`}`;
}
