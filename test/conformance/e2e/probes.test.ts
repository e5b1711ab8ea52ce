import { stdout } from 'node:process';

import { afterAll, describe, expect, it } from 'vitest';

import { KUBERNETES_RELEASES } from '../../../src/kubelet/release.js';
import { loadScenarios } from '../../../src/sim/load-scenarios.js';
import { simulate } from '../../../src/sim/simulate.js';
import type { TraceLine } from '../../../src/trace/trace-line.js';
import { type Expected, PROBE_TESTS, type ProbeTest } from './probes.js';

const NAME = 'app';
const PLACES = ['container', 'sidecar'] as const;
type Place = (typeof PLACES)[number];

const held = new Map<string, number>();

afterAll(() => {
  const all = PROBE_TESTS.length * PLACES.length;
  for (const [release, count] of held) {
    stdout.write(`Kubernetes' end-to-end tests of probes, ${release}: ${count} of ${all} hold\n`);
  }
});

const ROWS = PLACES.flatMap((place) =>
  PROBE_TESTS.map((test) => [place, test.title, test] as const),
);

describe.each(KUBERNETES_RELEASES)('Kubernetes %s', (release) => {
  it.each(ROWS)('a %s %s', async (place, _, test) => {
    const lines = await linesOf(test, place, release);
    expectHolds(test.expected, lines);
    if (test.event)
      expect(eventsOf(lines)).toContainEqual(
        expect.objectContaining({
          ...test.event,
          message: expect.stringContaining(test.event.message) as string,
        }),
      );
    held.set(release, (held.get(release) ?? 0) + 1);
  });
});

async function linesOf(
  test: ProbeTest,
  place: Place,
  version: string,
): Promise<readonly TraceLine[]> {
  const { fields, run, terminationGracePeriodSeconds, expected } = test;
  const container = { name: NAME, image: 'agnhost', ...fields };
  const sidecar = { ...container, restartPolicy: 'Always' };
  const spec = {
    ...(place === 'container'
      ? { containers: [container] }
      : { initContainers: [sidecar], containers: [{ name: 'main', image: 'agnhost' }] }),
    ...(terminationGracePeriodSeconds !== undefined && { terminationGracePeriodSeconds }),
  };
  const written = {
    name: 'test',
    until: `${lengthOf(expected)}s`,
    pod: { metadata: { name: 'test' }, spec },
    containers: { [NAME]: { runs: [run] } },
  };
  const { scenarios, diagnostics } = loadScenarios([
    { file: 'test.json', text: JSON.stringify(written) },
  ]);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const lines: TraceLine[] = [];
  await simulate({ ...scenarios[0]!, kubelet: { version } }, (line) => lines.push(line));
  return lines;
}

function lengthOf(expected: Expected): number {
  switch (expected.kind) {
    case 'restarts':
      return expected.within;
    case 'readyAfterDelay':
    case 'readySoonAfterStarted':
      return 120;
    case 'neverReady':
      return expected.for;
  }
}

function expectHolds(expected: Expected, lines: readonly TraceLine[]): void {
  switch (expected.kind) {
    case 'restarts': {
      const counts = statusesOf(lines).map(({ container }) => container?.restartCount ?? 0);
      expect(counts).toEqual(counts.toSorted((a, b) => a - b));
      const last = counts.at(-1);
      if (expected.count === 0) expect(last).toBe(0);
      else expect(last).toBeGreaterThanOrEqual(expected.count);
      return;
    }
    case 'readyAfterDelay': {
      const started = lines.find((line) => line.kind === 'started' && line.container === NAME)!;
      const ready = statusesOf(lines).find(({ isReady }) => isReady)!;
      expect(ready.t - started.t).toBeGreaterThanOrEqual(expected.delay);
      expect(statusesOf(lines).at(-1)!.container?.restartCount).toBe(0);
      return;
    }
    case 'neverReady':
      expect(statusesOf(lines).some(({ isReady }) => isReady)).toBe(false);
      expect(statusesOf(lines).at(-1)!.container?.restartCount).toBe(0);
      return;
    case 'readySoonAfterStarted': {
      const started = statusesOf(lines).find(({ container }) => container?.started === true)!;
      const ready = statusesOf(lines).find(({ isReady }) => isReady)!;
      expect(ready.t).toBeGreaterThanOrEqual(started.t);
      expect(ready.t - started.t).toBeLessThanOrEqual(expected.within);
      return;
    }
  }
}

function statusesOf(lines: readonly TraceLine[]) {
  return lines.flatMap((line) => {
    if (line.kind !== 'status') return [];
    const container = [...line.containers, ...line.initContainers].find(
      ({ name }) => name === NAME,
    );
    return [{ t: line.t, container, isReady: line.conditions['Ready'] === 'True' }];
  });
}

function eventsOf(lines: readonly TraceLine[]) {
  return lines.flatMap((line) => (line.kind === 'event' ? [line] : []));
}
