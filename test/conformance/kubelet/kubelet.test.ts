import { readFileSync } from 'node:fs';
import { stdout } from 'node:process';

import { afterAll, describe, expect, it } from 'vitest';

import { loadScenarios } from '../../../src/sim/load-scenarios.js';
import type { Scenario } from '../../../src/sim/scenario.js';
import { simulate } from '../../../src/sim/simulate.js';
import type { TraceLine } from '../../../src/trace/trace-line.js';
import { encodeLine } from '../../../src/trace/trace-record.js';
import { compare, type Facts } from './compare.js';
import { observe } from './observe.js';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

function readScenarios(file: string): readonly Scenario[] {
  const { scenarios, diagnostics } = loadScenarios([{ file, text: read(file) }]);
  expect(diagnostics).toEqual([]);
  return scenarios;
}

function readFacts(name: string): ReadonlyMap<string, Facts> {
  const lines = read(name).trimEnd().split('\n');
  const all = lines.map((line) => JSON.parse(line) as Facts);
  return new Map(all.map((facts) => [facts.name, facts]));
}

/** Where the scenario's trace, as it would be written, leaves the kubelet's. */
async function divergences(scenario: Scenario, facts: Facts): Promise<readonly string[]> {
  const lines: TraceLine[] = [];
  await simulate(scenario, (line) => lines.push(JSON.parse(encodeLine(line)) as TraceLine));
  return compare(facts, observe(lines));
}

const held: string[] = [];

afterAll(() => {
  stdout.write(`kubelet: ${held.join(', ')}\n`);
});

describe.each(['curated', 'random', 'rare'])('in the %s scenarios', (set) => {
  const scenarios = readScenarios(`${set}.json`);
  const facts = readFacts(`${set}.facts.ndjson`);
  let holding = 0;

  afterAll(() => {
    held.push(`${set} ${holding} of ${scenarios.length}`);
  });

  it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    '%s goes as in the kubelet',
    async (name, scenario) => {
      const found = await divergences(scenario, facts.get(name)!);
      if (found.length === 0) holding++;
      expect(found).toEqual([]);
    },
  );
});

/** Each probe's period and failure threshold, one too high. */
function slower(scenario: Scenario): Scenario {
  const text = JSON.stringify(scenario, (key, value: unknown) =>
    ['periodSeconds', 'failureThreshold'].includes(key) ? Number(value) + 1 : value,
  );
  return JSON.parse(text) as Scenario;
}

it('the comparison tells a kubelet whose periods and thresholds are one too high', async () => {
  const facts = readFacts('curated.facts.ndjson');
  const probed = readScenarios('curated.json').filter(({ pod }) =>
    /Probe"/.test(JSON.stringify(pod)),
  );
  const found = await Promise.all(
    probed.map((scenario) => divergences(slower(scenario), facts.get(scenario.name)!)),
  );
  const caught = found.filter((list) => list.length > 0).length;
  expect([caught, probed.length]).toEqual([22, 27]);
});
