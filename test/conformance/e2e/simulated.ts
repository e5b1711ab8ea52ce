import { stdout } from 'node:process';

import { afterAll, describe, expect, it } from 'vitest';

import { loadScenarios } from '../../../src/sim/load-scenarios.js';
import { simulate } from '../../../src/sim/simulate.js';
import type { TraceLine } from '../../../src/trace/trace-line.js';
import { type Case, CASES, podOf } from './cases.js';

const SUITES = ['probes', 'containers'] as const;

/** Plays Kubernetes' end-to-end tests as each of the releases, simulated. */
export function testSimulated(releases: readonly string[]): void {
  const rows = releases.flatMap((release) => SUITES.map((suite) => [release, suite] as const));
  describe.each(rows)('simulated as Kubernetes %s, a test of %s', (release, suite) => {
    const cases = CASES.filter(
      (each) => each.suite === suite && (each.since ?? release) <= release,
    );
    let held = 0;

    afterAll(() => {
      const name = `Kubernetes' end-to-end tests of ${suite}, ${release}`;
      stdout.write(`${name}: ${held} of ${cases.length} hold\n`);
    });

    it.each(cases.map((each) => [each.title, each] as const))('%s', async (_, each) => {
      each.expect(await linesOf(each, release));
      held++;
    });
  });
}

async function linesOf(each: Case, version: string): Promise<readonly TraceLine[]> {
  const { runs, isDeleted, gates, length } = each;
  const written = {
    name: 'test',
    until: `${length}s`,
    pod: JSON.parse(podOf(each, 'agnhost')) as object,
    containers: Object.fromEntries(
      Object.entries(runs).map(([name, script]) => [name, { runs: script }]),
    ),
    ...(isDeleted && { actions: [{ at: '30s', do: 'delete' }] }),
  };
  const { scenarios, diagnostics } = loadScenarios([
    { file: 'test.json', text: JSON.stringify(written) },
  ]);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const featureGates = Object.fromEntries(gates.map((name) => [name, true]));
  const lines: TraceLine[] = [];
  const kubelet = { version, featureGates };
  await simulate({ ...scenarios[0]!, kubelet }, (line) => lines.push(line));
  return lines;
}
