import { describe, expect, it } from 'vitest';

import { resultWord } from '../../src/diagnosis/words.js';
import { attemptSign } from '../../src/report/view-text.js';
import type { AttemptView } from '../../src/trace/summary/probe-view.js';
import { buildAttempt } from '../helpers/attempt.js';

describe('resultWord', () => {
  it.each<[Partial<AttemptView>, string]>([
    [{ statusCode: 503 }, '503'],
    [{ exitCode: 2 }, 'exit 2'],
    [{ reason: 'refused' }, 'refused'],
    [{ reason: 'timeout' }, 'timeout'],
    [{ reason: 'notConnected' }, 'timeout'],
    [{ reason: 'reset' }, 'reset'],
    [{ reason: 'noHost' }, 'no host'],
    [{ reason: 'noRoute' }, 'no route'],
    [{ reason: 'notHTTP' }, 'not HTTP'],
    [{ reason: 'speaksTLS' }, 'not HTTP'],
    [{ reason: 'plainHTTP' }, 'no TLS'],
    [{ reason: 'tls' }, 'TLS error'],
    [{ reason: 'notServing' }, 'unhealthy'],
    [{ reason: 'redirects' }, 'redirects'],
    [{ reason: 'closed' }, 'closed'],
    [{ reason: 'unknownService' }, 'failed'],
    [{ reason: 'constructor' as 'closed' }, 'failed'],
    [{ output: 'connection refused' }, 'failed'],
  ])('is for %o: %s', (attempt, word) => {
    expect(resultWord(buildAttempt({ result: 'failure', ...attempt }))).toBe(word);
  });

  it('is empty for a success, "warning" for a warning, and "errored" for an error', () => {
    expect(resultWord(buildAttempt({ result: 'success', statusCode: 200 }))).toBe('');
    expect(resultWord(buildAttempt({ result: 'warning', statusCode: 302 }))).toBe('warning');
    expect(resultWord(buildAttempt({ error: 'no such container' }))).toBe('errored');
  });
});

it.each([
  { is: 'success', attempt: buildAttempt({ result: 'success' }), sign: '✓' },
  { is: 'failure', attempt: buildAttempt({ result: 'failure' }), sign: '✗' },
  { is: 'error', attempt: buildAttempt({ error: 'no' }), sign: '!' },
])('attemptSign differs for $is', ({ attempt, sign }) => {
  expect(attemptSign(attempt)).toBe(sign);
});
