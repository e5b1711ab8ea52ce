import { writeFileSync } from 'node:fs';
import { stdout } from 'node:process';

import { beforeAll, describe, expect, it } from 'vitest';

import { type Behavior, BEHAVIORS } from '../conformance/cluster/behaviors.js';
import { compareWithSimulations } from '../conformance/cluster/compare.js';
import { scenariosOf } from '../conformance/cluster/pod-of.js';
import { encodeRecordings } from '../conformance/cluster/recordings.js';
import { kubectl } from './kubectl.js';
import { recordBehaviors, type Recorded } from './record.js';

/*
 * All pods on a real kubelet, as the API server reports them and as `kprobe watch` records them, and the same scripts in the
 * simulator, with the version of the node. KPROBE_TEST_RECORD=FILE keeps the recordings, for
 * test/conformance/cluster/recordings.
 */

type Source = keyof Recorded;

const SOURCES: readonly Source[] = ['reported', 'watched'];
/** Times that pods which differ run again. */
const AGAIN = 3;
/** By source and pod. */
const divergences = new Map<string, readonly string[]>();

beforeAll(async () => {
  const first = await recordBehaviors(BEHAVIORS, `conformance-${process.pid}`);
  const file = process.env['KPROBE_TEST_RECORD'];
  if (file !== undefined) writeFileSync(file, encodeRecordings(first.reported));
  await compare(first, BEHAVIORS);
  const all = BEHAVIORS.length;
  const [reported, watched] = SOURCES.map((source) => all - differing([source]).length);
  stdout.write(
    `real kubelet: ${reported} of ${all} pods hold, ${watched} of ${all} watched ones\n`,
  );
  // A node that had no CPU for seconds was late: those pods run again, fewer at once.
  for (let round = 1; round <= AGAIN; round++) {
    const again = differing(SOURCES);
    if (again.length === 0) break;
    await compare(await recordBehaviors(again, `again-${round}-${process.pid}`), again);
  }
}, 900_000);

async function compare(recorded: Recorded, behaviors: readonly Behavior[]): Promise<void> {
  const path = 'jsonpath={.items[0].status.nodeInfo.kubeletVersion}';
  const version = kubectl(['get', 'nodes', '-o', path]);
  for (const scenario of scenariosOf(behaviors)) {
    for (const source of SOURCES) {
      const lines = recorded[source].get(scenario.name) ?? [];
      const comparison = await compareWithSimulations({ ...scenario, kubelet: { version } }, lines);
      divergences.set(`${source} ${scenario.name}`, comparison.divergences);
    }
  }
}

function differing(sources: readonly Source[]): readonly Behavior[] {
  return BEHAVIORS.filter(({ name }) =>
    sources.some((source) => divergences.get(`${source} ${name}`)?.length !== 0),
  );
}

describe.each(SOURCES)('as it is %s', (source) => {
  it.each(BEHAVIORS.map(({ title, name }) => [title, name] as const))(
    '%s, as in the simulator',
    (_, name) => {
      expect(divergences.get(`${source} ${name}`)?.join('\n')).toBe('');
    },
  );
});
