import { writeFileSync } from 'node:fs';
import { stdout } from 'node:process';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { BEHAVIOURS } from '../conformance/cluster/behaviours.js';
import { compareWithSimulations } from '../conformance/cluster/compare.js';
import { scenariosOf } from '../conformance/cluster/pod-of.js';
import { encodeRecordings } from '../conformance/cluster/recordings.js';
import { recordBehaviours, type Recorded } from './record.js';

/*
 * All pods on a real kubelet, and the same scripts in the simulator. KPROBE_RECORD=FILE keeps the recordings, for
 * test/conformance/cluster.
 */

let recorded: Recorded;
const holding = { reported: 0, watched: 0 };

beforeAll(async () => {
  recorded = await recordBehaviours(BEHAVIOURS, `conformance-${process.pid}`);
  const file = process.env['KPROBE_RECORD'];
  if (file !== undefined) writeFileSync(file, encodeRecordings(recorded.reported));
}, 240_000);

afterAll(() => {
  const { reported, watched } = holding;
  const all = BEHAVIOURS.length;
  stdout.write(
    `real kubelet: ${reported} of ${all} pods hold, ${watched} of ${all} watched ones\n`,
  );
});

describe.each([['reported'], ['watched']] as const)('as it is %s', (source) => {
  it.each(BEHAVIOURS.map((behaviour) => [behaviour.title, behaviour] as const))(
    '%s, as in the simulator',
    async (_, behaviour) => {
      const lines = recorded[source].get(behaviour.name)!;
      const [scenario] = scenariosOf([behaviour]);
      const { divergences } = await compareWithSimulations(scenario!, lines);
      if (divergences.length === 0) holding[source]++;
      expect(divergences).toEqual([]);
    },
  );
});
