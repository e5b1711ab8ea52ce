import { bucketBound, type Histogram } from '../../../../trace/summary/histogram.js';
import { formatLatency } from '../../../text/duration.js';
import { type Line, span } from '../../../text/line.js';

/** More rows than that are put together. */
const MAX_ROWS = 12;

/** A histogram as rows: an upper bound, a bar, and how many. */
export function histogramLines({ counts }: Histogram, width: number): Line[] {
  const first = counts.findIndex((count) => count > 0);
  if (first === -1) return [];
  const used = counts.slice(first);
  const perRow = Math.ceil(used.length / MAX_ROWS);
  const rows = Array.from({ length: Math.ceil(used.length / perRow) }, (_, index) => {
    const own = used.slice(index * perRow, (index + 1) * perRow);
    return {
      bound: bucketBound(first + index * perRow + own.length - 1),
      count: own.reduce((sum, count) => sum + count, 0),
    };
  });
  const highest = Math.max(...rows.map(({ count }) => count));
  const room = Math.max(10, Math.min(50, width - 26));
  return rows.map(({ bound, count }) => [
    span(`  ≤ ${formatLatency(bound).padStart(8)} `, 'dim'),
    span('█'.repeat(Math.ceil((count / highest) * room)), 'info'),
    span(` ${count}`, 'dim'),
  ]);
}
