import { pathToFileURL } from 'node:url';

import { describe, expect, it } from 'vitest';

import { RealClock } from '../../../src/clock/real-clock.js';
import { localTarget } from '../../../src/session/targets/local-target.js';
import { buildContainer, buildPod, buildProbe } from '../../helpers/builders.js';

const NOWHERE = pathToFileURL('/nowhere/attempt-worker.js');

function target(pods: number, periodSeconds: number) {
  const { exec: _, ...probe } = buildProbe({ tcpSocket: { port: 1, host: '' }, periodSeconds });
  const pod = buildPod({ spec: { containers: [buildContainer({ readinessProbe: probe })] } });
  const options = {
    clock: new RealClock(),
    host: { env: {}, cwd: '/', kill: () => false },
    address: '127.0.0.1',
    ports: new Map<number, number>(),
    execAllowed: false,
    configMaps: [],
    secrets: [],
    kubeletVersion: '1.36',
  };
  return localTarget(
    options,
    Array.from({ length: pods }, () => pod),
    NOWHERE,
  );
}

describe('the attempts at a local target', () => {
  it.each([
    [999, 1],
    [5000, 10],
  ])('are made in this thread by %i probes with a period of %i s', async (pods, period) => {
    expect((await target(pods, period)).name).toBe('attached');
  });

  it('are made in threads from a thousand a second', async () => {
    await expect(target(1000, 1)).rejects.toThrow('attempt-worker.js');
  });
});
