import { resultWord } from '../diagnosis/past-run.js';
import { type AttemptView, verdictOfAttempt } from '../trace/summary/probe-view.js';
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
