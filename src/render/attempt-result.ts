import { type AttemptView, verdictOfAttempt } from '../trace/summary/probe-view.js';
import { type Line, span, type Tone } from './text/line.js';

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/connection refused/, 'refused'],
  [/deadline exceeded|i\/o timeout|timed out|did not complete within/, 'timeout'],
  [/connection reset/, 'reset'],
  [/no such host/, 'no host'],
  [/no route to host|network is unreachable/, 'no route'],
  [/malformed HTTP/, 'not HTTP'],
  [/server gave HTTP response to HTTPS client/, 'no TLS'],
  [/tls: |x509: /, 'TLS error'],
  [/NOT_SERVING/, 'unhealthy'],
  [/stopped after \d+ redirects/, 'redirects'],
  [/EOF/, 'closed'],
];

/** An attempt's result in a word: `503`, `refused`, `timeout`, `exit 1`; empty for a plain success. */
export function resultWord(attempt: AttemptView): string {
  if (attempt.error !== undefined) return 'errored';
  const status = /statuscode: (\d+)/.exec(attempt.output)?.[1];
  if (status !== undefined) return status;
  if (attempt.result === 'warning') return 'warning';
  if (attempt.result === 'success') return '';
  const exit = /^exit code (\d+)$/.exec(attempt.detail?.response ?? '')?.[1];
  if (exit !== undefined) return `exit ${exit}`;
  return WORDS.find(([pattern]) => pattern.test(attempt.output))?.[1] ?? 'failed';
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
