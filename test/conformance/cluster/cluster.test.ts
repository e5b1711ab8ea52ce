import { readFileSync } from 'node:fs';
import { stdout } from 'node:process';

import { afterAll, expect, it } from 'vitest';

import { BEHAVIORS } from './behaviors.js';
import { compareWithSimulations } from './compare.js';
import { scenariosOf } from './pod-of.js';
import { decodeRecordings } from './recordings.js';

/** What a real kubelet did with each pod, as test/real-cluster/conformance.timed.test.ts recorded it. */
const recordings = decodeRecordings(
  readFileSync(new URL('recordings.ndjson', import.meta.url), 'utf8'),
);
let holding = 0;

afterAll(() => {
  stdout.write(`real kubelet: ${holding} of ${BEHAVIORS.length} pods hold\n`);
});

it.each(scenariosOf(BEHAVIORS).map((scenario) => [scenario.name, scenario] as const))(
  '%s goes as on a real node',
  async (name, scenario) => {
    const { divergences } = await compareWithSimulations(scenario, recordings.get(name)!);
    if (divergences.length === 0) holding++;
    expect(divergences).toEqual([]);
  },
);
