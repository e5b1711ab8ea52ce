import { resultWord } from '../diagnosis/words.js';
import { times } from '../text/count.js';
import { formatLatency, formatSeconds } from '../text/duration.js';
import { type Line, span, type Tone } from '../text/line.js';
import type { ProbeType, Result } from '../trace/event.js';
import { type AttemptView, verdictOfAttempt } from '../trace/summary/probe-view.js';
import type { Behind, DivergenceView, PodSummary, Summary } from '../trace/summary/summary.js';

export function attemptTone(attempt: AttemptView): Tone {
  if (attempt.result === 'warning') return 'warn';
  return ({ success: 'good', failure: 'bad', error: 'warn' } as const)[verdictOfAttempt(attempt)];
}

export function attemptSign(attempt: AttemptView): '✓' | '✗' | '!' {
  return ({ success: '✓', failure: '✗', error: '!' } as const)[verdictOfAttempt(attempt)];
}

/** `✗ 503` */
export function resultLine(attempt: AttemptView): Line {
  const word = resultWord(attempt);
  return [span(`${attemptSign(attempt)}${word === '' ? '' : ` ${word}`}`, attemptTone(attempt))];
}

/** The effect of a probe's result on its container. */
export const EFFECTS = {
  startup: { success: 'started', failure: 'restart' },
  readiness: { success: 'ready', failure: 'not ready' },
  liveness: { success: 'alive', failure: 'restart' },
} as const;

/** Returns ` → ready`; empty where an attempt has set no result. */
export function effectText(type: ProbeType, set: Result | undefined): string {
  return set === undefined || set === 'unknown' ? '' : ` → ${EFFECTS[type][set]}`;
}

/** Returns ` in 12 ms`, or the evidence of a cluster's attempt: ` (seen)`. */
export function tookText({ latency, late, evidence }: AttemptView): string {
  const lateness = late === undefined ? '' : `, kprobe ${formatLatency(late)} late`;
  return evidence === undefined ? ` in ${formatLatency(latency)}${lateness}` : ` (${evidence})`;
}

/** Describes how late kprobe is: `1.8 s behind, 12 % of ticks skipped`. */
export function behindText({ late, skipped }: Behind, { pods }: Summary): string {
  const probes = pods.flatMap(({ containers }) => containers.flatMap((each) => each.probes));
  const made = probes.reduce((sum, each) => sum + each.successes + each.failures + each.errors, 0);
  const share = Math.round((100 * skipped) / Math.max(1, made + skipped));
  return `${formatSeconds(late)} behind${share === 0 ? '' : `, ${share} % of ticks skipped`}`;
}

/** Compares a cluster's kubelet with one of v1.36, and names the cause. */
export function divergenceText({
  happened,
  expected,
  cause,
}: Pick<DivergenceView, 'happened' | 'expected' | 'cause'>): string {
  return `${happened}, expected ${expected}${cause === undefined ? '' : `: ${cause}`}`;
}

/** Returns how often a pod stopped being Ready: `lost once`, `lost 3 times`; empty for never. */
export function lossText({ readiness }: PodSummary): string {
  const lost = readiness.filter(({ ready }) => !ready).length;
  return lost === 0 ? '' : `lost ${times(lost)}`;
}
