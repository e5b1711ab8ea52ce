import { writeFileSync } from 'node:fs';
import { stdout } from 'node:process';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { BEHAVIOURS } from '../conformance/cluster/behaviours.js';
import { compareWithSimulations } from '../conformance/cluster/compare.js';
import { scenariosOf } from '../conformance/cluster/pod-of.js';
import { encodeRecordings } from '../conformance/cluster/recordings.js';
import { recordBehaviours, type Recordings } from './record.js';

/*
 * All pods on a real kubelet, and the same scripts in the simulator. KPROBE_RECORD=FILE keeps the recordings, for
 * test/conformance/cluster.
 */

let recordings: Recordings = new Map();
let holding = 0;

beforeAll(async () => {
  recordings = await recordBehaviours(BEHAVIOURS, `conformance-${process.pid}`);
  const file = process.env['KPROBE_RECORD'];
  if (file !== undefined) writeFileSync(file, encodeRecordings(recordings));
}, 240_000);

afterAll(() => {
  stdout.write(`real kubelet: ${holding} of ${BEHAVIOURS.length} pods hold\n`);
});

it.each(BEHAVIOURS.map((behaviour) => [behaviour.title, behaviour] as const))(
  '%s, as in the simulator',
  async (_, behaviour) => {
    const [scenario] = scenariosOf([behaviour]);
    const { divergences } = await compareWithSimulations(
      scenario!,
      recordings.get(behaviour.name)!,
    );
    if (divergences.length === 0) holding++;
    expect(divergences).toEqual([]);
  },
);
