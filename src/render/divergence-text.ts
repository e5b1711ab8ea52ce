import type { DivergenceView } from '../trace/summary/summary.js';

/** What a cluster's kubelet did, what one of v1.36 would have done, and why. */
export function divergenceText({
  happened,
  expected,
  cause,
}: Pick<DivergenceView, 'happened' | 'expected' | 'cause'>): string {
  return `${happened}, expected ${expected}${cause === undefined ? '' : `: ${cause}`}`;
}
