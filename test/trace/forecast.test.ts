import { describe, expect, it } from 'vitest';

import { outlooks } from '../../src/diagnosis/outlook.js';
import { outlookText } from '../../src/diagnosis/words.js';
import { forecastProbe } from '../../src/trace/forecast.js';
import { readStream, watchStream } from '../helpers/cluster-stream.js';

/** Recorded from a kubelet of v1.36.3. */
const STREAM = readStream('restarts');

/** What was received of one pod; the first line says when the stream begins. */
const streamOf = (name: string) =>
  STREAM.filter(({ kind, object }, index) => {
    const { [kind === 'pods' ? 'metadata' : 'involvedObject']: about } = object;
    return index === 0 || about?.['name'] === name;
  });

const podAt = (name: string, t: number, stream = streamOf(name)) => {
  const pod = watchStream(stream, 0, t).summary.pods.find(({ key }) => key.endsWith(`/${name}`));
  const [container] = pod?.containers ?? [];
  if (pod === undefined || container === undefined) throw new Error('no pod');
  return { pod, container };
};

describe('forecastProbe of a pod of a cluster', () => {
  it.each([
    ['hang-live', 'liveness'],
    ['short-budget', 'startup'],
  ])('gives a span in which the kubelet did kill %s', (name, type) => {
    const { pod } = podAt(name, 100);
    const kills = pod.containers[0]?.runs.flatMap(({ startedAt = 0, stop }) =>
      stop === undefined ? [] : [{ startedAt, at: stop.at }],
    );
    expect(kills?.length).toBeGreaterThan(3);
    const stream = streamOf(name);
    for (const { startedAt, at } of kills ?? []) {
      for (let now = startedAt + 1.5; now < at - 0.1; now += 0.5) {
        const { container } = podAt(name, now, stream);
        const probe = container.probes.find((one) => one.type === type);
        const turns = probe === undefined ? [] : forecastProbe(container, probe, now).pending;
        const { earliest = 0, latest = 0 } = turns.find(({ to }) => to === 'failure') ?? {};
        expect(earliest).toBeLessThan(at + 0.1);
        expect(latest).toBeGreaterThan(at - 0.1);
      }
    }
  });

  it('reaches the outlook with its earliest and its latest time', () => {
    const { pod } = podAt('hang-live', 10.5);
    const [first] = outlooks(pod, 10.5, () => false);
    expect(first && outlookText(first)).toMatch(
      /^1 more failure, in 1\.9 – 2\.9 s → killed with TERM, 3 s grace, then restarted at once$/,
    );
  });

  it('moves the next attempt on while successes are silent', () => {
    const { container } = podAt('hang-live', 3);
    const [probe] = container.probes;
    if (probe === undefined) throw new Error('no probe');
    for (const now of [30, 31.7, 300]) {
      const { nextAttempt = 0, pending: turns } = forecastProbe(container, probe, now);
      expect(nextAttempt).toBeGreaterThanOrEqual(now);
      const [{ earliest = 0, latest = 0 } = {}] = turns;
      expect(earliest - now).toBeCloseTo(6);
      expect(latest - now).toBeCloseTo(10);
    }
  });
});
