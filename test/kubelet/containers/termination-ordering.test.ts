import { describe, expect, it } from 'vitest';

import { sleep } from '../../../src/clock/clock.js';
import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { TerminationOrdering } from '../../../src/kubelet/containers/termination-ordering.js';
import { buildContainer, buildPod, buildSidecar } from '../../helpers/builders.js';

const pod = buildPod({
  spec: {
    initContainers: [
      buildSidecar({ name: 's1' }),
      buildContainer({ name: 'init' }),
      buildSidecar({ name: 's2' }),
      buildSidecar({ name: 's3' }),
    ],
    containers: [buildContainer({ name: 'a' }), buildContainer({ name: 'b' })],
  },
});
const ALL = ['a', 'b', 's1', 's2', 's3'];

/** How long each one waits in seconds, when each takes `takes` ms to end and all have the same grace period. */
async function delays(
  running: string[],
  grace: number,
  takes: number,
): Promise<Record<string, number>> {
  const clock = new VirtualClock(1, 0);
  const ordering = new TerminationOrdering(clock, pod, new Set(running));
  const waited: Record<string, number> = {};
  for (const name of running) {
    void ordering.waitForTurn(name, grace).then(async (seconds) => {
      waited[name] = seconds;
      await sleep(clock, takes);
      ordering.containerTerminated(name);
    });
  }
  await clock.advance(60_000);
  return waited;
}

describe('when a pod ends', () => {
  it('containers do not wait; sidecars do, the last one first', async () => {
    expect(await delays(ALL, 30, 1_250)).toEqual({ a: 0, b: 0, s3: 1.25, s2: 2.5, s1: 3.75 });
  });

  it('nobody waits for what does not run', async () => {
    expect(await delays(['a', 's1'], 30, 1_000)).toEqual({ a: 0, s1: 1 });
  });

  it('a sidecar waits for the next one only: where that does not run, not for later ones', async () => {
    expect(await delays(['s1', 's3'], 30, 1_000)).toEqual({ s3: 0, s1: 0 });
  });

  it('nobody waits longer than the grace period', async () => {
    expect(await delays(ALL, 2, 1_000)).toEqual({ a: 0, b: 0, s3: 1, s2: 2, s1: 2 });
  });

  it('a sidecar waits for all containers', async () => {
    const clock = new VirtualClock(1, 0);
    const ordering = new TerminationOrdering(clock, pod, new Set(['a', 'b', 's3']));
    let waited = -1;
    void ordering.waitForTurn('s3', 30).then((seconds) => (waited = seconds));
    await clock.advance(1_000);
    ordering.containerTerminated('a');
    await clock.advance(1_000);
    expect(waited).toBe(-1);
    ordering.containerTerminated('b');
    await clock.advance(0);
    expect(waited).toBe(2);
  });
});
