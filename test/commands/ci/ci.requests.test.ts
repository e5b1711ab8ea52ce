import { describe, expect, it } from 'vitest';

import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { requestsCheck } from '../../../src/commands/ci/checks.js';
import { sendRequests } from '../../../src/commands/ci/ci.js';
import type { ProbeOutcome } from '../../../src/kubelet/ports.js';
import { buildContainer, buildPod } from '../../helpers/builders.js';
import { fakeTransports } from '../../helpers/fake-transports.js';

const failed = (reason?: ProbeOutcome['reason']): ProbeOutcome => ({
  result: 'failure',
  output: '',
  reason,
});

describe('a request in the shutdown', () => {
  it.each([
    ['with an answer', { ...failed(), statusCode: 404 }, 'answered'],
    ['with a server error', { ...failed(), statusCode: 503 }, 'lost'],
    ['with half a body', { ...failed(), statusCode: 200, error: 'unexpected EOF' }, 'lost'],
    [
      'that is reset after its headers',
      { ...failed('reset'), statusCode: 200, error: 'reset' },
      'lost',
    ],
    ['whose connection is closed', failed('closed'), 'lost'],
    ['without a known reason', failed(), 'lost'],
    ['that times out', failed('timeout'), 'lost'],
    ['that is refused', failed('refused'), 'refused'],
    ['that the server had not taken when it closed its socket', failed('reset'), 'refused'],
  ] as const)('$0 counts as $2', async (_, outcome, kind) => {
    const clock = new VirtualClock();
    const container = buildContainer();
    const endpoint = { pod: buildPod(), container, action: { path: '/', port: 80 } };
    const transports = { ...fakeTransports().transports, http: () => Promise.resolve(outcome) };
    const sender = sendRequests(endpoint, '127.0.0.1', { clock, transports });
    sender.deleted();
    await clock.advance(100);
    const stopped = sender.stop();
    await clock.advance(100);
    const { answered, lost, refused } = await stopped;
    const total = answered + lost + refused;
    expect(total).toBeGreaterThan(4);
    expect({ answered, lost, refused }[kind]).toBe(total);
  });
});

it('a server error before the deletion is no lost request', async () => {
  const clock = new VirtualClock();
  const container = buildContainer();
  const endpoint = { pod: buildPod(), container, action: { path: '/', port: 80 } };
  const http = () => Promise.resolve({ ...failed(), statusCode: 500 });
  const transports = { ...fakeTransports().transports, http };
  const sender = sendRequests(endpoint, '127.0.0.1', { clock, transports });
  await clock.advance(100);
  const stopped = sender.stop();
  await clock.advance(100);
  const counts = await stopped;
  expect(counts.lost).toBe(0);
  expect(requestsCheck(counts)).toMatchObject({
    kind: 'skipped',
    text: expect.stringContaining('--traffic-path') as string,
  });
});
