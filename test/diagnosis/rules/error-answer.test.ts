import { expect, it } from 'vitest';

import { attemptFault } from '../../../src/diagnosis/attempt-fault.js';
import { findingText } from '../../../src/diagnosis/words.js';
import { newPodSummary } from '../../../src/trace/summary/fold.js';
import type { AttemptView } from '../../../src/trace/summary/probe-view.js';
import { buildAttempt } from '../../helpers/attempt.js';
import { buildContainer, buildPod, buildProbe } from '../../helpers/builders.js';

/** The text for an attempt, a minute after the start of a program that wrote lines before it, one a second from `since` on. */
function textOf(
  attempt: Parameters<typeof buildAttempt>[0],
  lines: readonly string[],
  {
    before = [],
    since = 0,
  }: { readonly before?: readonly AttemptView[]; readonly since?: number | undefined } = {},
) {
  const { exec: _, ...settings } = buildProbe({});
  const readinessProbe = { ...settings, httpGet: { path: '/ready', port: 8080 } };
  const pod = buildPod({ spec: { containers: [buildContainer({ readinessProbe })] } });
  const [container] = newPodSummary('default/web', pod, 0).containers;
  const output = lines.map((text, index) => {
    return { t: since + index, run: 0, stream: 'stdout', text } as const;
  });
  const [probe] = container!.probes;
  const known = { ...container!, runs: [{ run: 0, startedAt: 0 }], output };
  const times = { startedAt: 60, endedAt: 61 };
  const failed = buildAttempt({ result: 'failure', ...times, ...attempt });
  return findingText(
    attemptFault({ container: known, probe: { ...probe!, attempts: [...before, failed] } }, failed),
  );
}

const REFUSED = 'Error: connect ECONNREFUSED 127.0.0.1:6379';
const WAITS = 'Unable to revive connection: http://search:9200/';

it.each([
  ['{"redis": "disconnected"}', [`[ioredis] ${REFUSED}`], `reports: [ioredis] ${REFUSED}. Start`],
  ['{"redis": "disconnected"}', [`[orders] ${REFUSED}`], 'redis is down. Fix what the answer'],
  ['{"agent_ready": false}', ['BASE_URL is not set, no agent'], 'no agent. Set BASE_URL in env'],
  [
    '{"agent_ready": false}',
    ['BASE_URL is not set, using memory for the agent'],
    'ready: false. Fix what',
  ],
  ['web is not ready', [WAITS, WAITS, WAITS], `reports: ${WAITS}. Start what it connects to`],
  ['web is not ready', [WAITS, WAITS], 'web is not ready. Fix what the answer names'],
])('the answer %j beside the log %j is: … %s', (text, lines, expected) => {
  const body = new TextEncoder().encode(text);
  const detail = { address: '127.0.0.1:8080', timings: { total: 1 }, body };
  expect(textOf({ statusCode: 503, detail }, lines)).toContain(expected);
});

it('a server without an answer has warned that all its workers are in use', () => {
  const line =
    '[05-Jun-2021 21:09:33] WARNING: [pool www] server reached pm.max_children setting (5)';
  const detail = { address: '127.0.0.1:8080', timings: { total: 1000, connect: 1 } };
  expect(textOf({ reason: 'timeout', detail }, [line, 'next line'])).toContain(
    'Raise the limit that it names',
  );
});

const PANIC = ["thread 'worker' panicked at src/delta.rs:413:9:", 'assertion failed: mtu >= 100'];
const ERROR = 'ERROR no broker: Connection refused';

const PANICKED = /reports: panic: assertion failed: mtu >= 100 \(src\/delta\.rs:413:9\)/;
const NONE = /^(?!.*reports)/;

it.each([
  ['after a success', 0.5, PANIC, PANICKED],
  ['after a success, in a log alone', 0.5, [ERROR], NONE],
  ['before a success', -2, PANIC, NONE],
  ['after the first failure', 8, PANIC, NONE],
  ['as the last word', undefined, [ERROR, ERROR, ERROR], /reports: no broker: .* Start what/],
  ['as the last word, and once', undefined, [ERROR], NONE],
  ['before other lines', undefined, [ERROR, ERROR, ERROR, 'INFO serving'], NONE],
])('an error before an answer without a word, %s', (_, since, lines, expected) => {
  const success = buildAttempt({ result: 'success', startedAt: 0.2, endedAt: 0.3 });
  const failures = [5, 20].map((at) => {
    return buildAttempt({ result: 'failure', startedAt: at, endedAt: at + 0.1 });
  });
  const before = since === undefined ? [] : [success, ...failures];
  expect(textOf({ statusCode: 503 }, lines, { before, since }) ?? '').toMatch(expected);
});
