import { expect, it } from 'vitest';

import type { Scenario } from '../../../src/sim/scenario.js';
import { divergences, readFacts, readScenarios, testScenarios } from './scenarios.js';

testScenarios([['1.36', 'curated', 'curated.facts.ndjson']]);

/** Each probe's period and failure threshold, one too high. */
function slower(scenario: Scenario): Scenario {
  const text = JSON.stringify(scenario, (key, value: unknown) =>
    ['periodSeconds', 'failureThreshold'].includes(key) ? Number(value) + 1 : value,
  );
  return JSON.parse(text) as Scenario;
}

it('the comparison tells a kubelet whose periods and thresholds are one too high', async () => {
  const facts = readFacts('curated.facts.ndjson');
  const probed = readScenarios('curated.json', '1.36').filter(({ pod }) =>
    /Probe"/.test(JSON.stringify(pod)),
  );
  const found = await Promise.all(
    probed.map((scenario) => divergences(slower(scenario), facts.get(scenario.name)!)),
  );
  const caught = found.filter((list) => list.length > 0).length;
  expect([caught, probed.length]).toEqual([22, 27]);
});
