import { describe, expect, it } from 'vitest';

import { attemptSign, resultWord } from '../../src/render/attempt-result.js';
import { buildAttempt } from '../helpers/attempt.js';

describe('resultWord', () => {
  it.each([
    ['HTTP probe failed with statuscode: 503', '503'],
    ['dial tcp 127.0.0.1:1: connect: connection refused', 'refused'],
    ['Get "http://h/": context deadline exceeded (Client.Timeout exceeded)', 'timeout'],
    ['dial tcp 10.0.0.1:1: i/o timeout', 'timeout'],
    ['timeout: health rpc did not complete within 1s', 'timeout'],
    ['read: connection reset by peer', 'reset'],
    ['net/http: HTTP/1.x transport connection broken: malformed HTTP response', 'not HTTP'],
    ['http: server gave HTTP response to HTTPS client', 'no TLS'],
    ['service unhealthy (responded with "NOT_SERVING")', 'unhealthy'],
    ['Get "/loop": stopped after 10 redirects', 'redirects'],
    ['Get "http://h/": EOF', 'closed'],
    ['something else', 'failed'],
  ])('tells %s in a word: %s', (output, word) => {
    expect(resultWord(buildAttempt({ result: 'failure', output }))).toBe(word);
  });

  it('tells the exit code of a command', () => {
    const detail = { address: 'cat', response: 'exit code 2', timings: { total: 1 } };
    expect(resultWord(buildAttempt({ result: 'failure', detail }))).toBe('exit 2');
  });

  it('tells nothing of a success, a warning as such, and an error that counts for nothing', () => {
    expect(resultWord(buildAttempt({ result: 'success' }))).toBe('');
    expect(resultWord(buildAttempt({ result: 'warning' }))).toBe('warning');
    expect(resultWord(buildAttempt({ error: 'no such container' }))).toBe('errored');
  });
});

it.each([
  { is: 'success', attempt: buildAttempt({ result: 'success' }), sign: '✓' },
  { is: 'failure', attempt: buildAttempt({ result: 'failure' }), sign: '✗' },
  { is: 'error', attempt: buildAttempt({ error: 'no' }), sign: '!' },
])('has a sign of its own for $is', ({ attempt, sign }) => {
  expect(attemptSign(attempt)).toBe(sign);
});
