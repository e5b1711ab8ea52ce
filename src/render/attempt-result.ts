import type { FailureReason } from '../kubelet/ports.js';
import { type AttemptView, verdictOfAttempt } from '../trace/summary/probe-view.js';
import { type Line, span, type Tone } from './text/line.js';

/** A trace may hold reasons of a later version. */
const WORDS: ReadonlyMap<string, string> = new Map<FailureReason, string>([
  ['refused', 'refused'],
  ['timeout', 'timeout'],
  ['notConnected', 'timeout'],
  ['reset', 'reset'],
  ['closed', 'closed'],
  ['noHost', 'no host'],
  ['noRoute', 'no route'],
  ['notHTTP', 'not HTTP'],
  ['speaksHTTP2', 'not HTTP'],
  ['speaksTLS', 'not HTTP'],
  ['plainHTTP', 'no TLS'],
  ['tls', 'TLS error'],
  ['notServing', 'unhealthy'],
  ['redirects', 'redirects'],
]);

/** An attempt's result in a word: `503`, `refused`, `timeout`, `exit 1`; empty for a plain success. */
export function resultWord(attempt: AttemptView): string {
  if (attempt.error !== undefined) return 'errored';
  if (attempt.result === 'warning') return 'warning';
  if (attempt.result === 'success') return '';
  const { statusCode, exitCode, reason = '' } = attempt;
  if (statusCode !== undefined) return String(statusCode);
  if (exitCode !== undefined) return `exit ${exitCode}`;
  return WORDS.get(reason) ?? 'failed';
}

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
