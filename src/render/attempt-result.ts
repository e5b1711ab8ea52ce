import { resultWord } from '../diagnosis/past-run.js';
import { type AttemptView, verdictOfAttempt } from '../trace/summary/probe-view.js';
import { formatLatency } from './text/duration.js';
import { type Line, span, type Tone } from './text/line.js';

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

/** ` in 12 ms`; of an attempt that a cluster's kubelet made, its basis: ` (seen)`. */
export function tookText({ latency, evidence }: AttemptView): string {
  return evidence === undefined ? ` in ${formatLatency(latency)}` : ` (${evidence})`;
}
