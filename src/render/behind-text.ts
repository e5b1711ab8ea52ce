import type { Behind, Summary } from '../trace/summary/summary.js';
import { formatSeconds } from './text/duration.js';

/** Describes how far kprobe itself is behind: `behind: 1.8 s, 12 % of ticks skipped`. */
export function behindText({ late, skipped }: Behind, { pods }: Summary): string {
  const probes = pods.flatMap(({ containers }) => containers.flatMap((one) => one.probes));
  const made = probes.reduce((sum, one) => sum + one.successes + one.failures + one.errors, 0);
  const share = Math.round((100 * skipped) / Math.max(1, made + skipped));
  return `behind: ${formatSeconds(late)}${share === 0 ? '' : `, ${share} % of ticks skipped`}`;
}
