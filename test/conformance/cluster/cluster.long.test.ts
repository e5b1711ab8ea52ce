import { readdirSync, readFileSync } from 'node:fs';
import { stdout } from 'node:process';

import { afterAll, describe, expect, it } from 'vitest';

import { BEHAVIORS } from './behaviors.js';
import { compareWithSimulations } from './compare.js';
import { scenariosOf } from './pod-of.js';
import { decodeRecordings } from './recordings.js';

/** What real kubelets did with each pod, by release, as test/real-cluster/conformance.timed.test.ts recorded it. */
const FOLDER = new URL('recordings/', import.meta.url);

describe.each(readdirSync(FOLDER).map((file) => file.replace('.ndjson', '')))(
  'Kubernetes %s',
  (version) => {
    const text = readFileSync(new URL(`${version}.ndjson`, FOLDER), 'utf8');
    const recordings = decodeRecordings(text);
    let holding = 0;

    afterAll(() => {
      stdout.write(`real kubelet ${version}: ${holding} of ${BEHAVIORS.length} pods hold\n`);
    });

    it.each(scenariosOf(BEHAVIORS).map((scenario) => [scenario.name, scenario] as const))(
      '%s goes as on a real node',
      async (name, scenario) => {
        const { divergences } = await compareWithSimulations(
          { ...scenario, kubelet: { version } },
          recordings.get(name)!,
        );
        if (divergences.length === 0) holding++;
        expect(divergences.join('\n')).toBe('');
      },
    );
  },
);
