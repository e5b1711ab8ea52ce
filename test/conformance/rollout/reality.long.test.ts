import { readFileSync } from 'node:fs';

import { afterAll, expect, test } from 'vitest';

import { compare, type RealRollout } from './reality.js';

/** Recorded by test/real-cluster/rollouts.timed.test.ts: a whole Kubernetes v1.36.3 on a busy machine, five rollouts at a time. */
const rollouts = readFileSync(new URL('./reality.ndjson', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as RealRollout);

/** Starting a container takes a real, busy node seconds; the simulated one starts it at once. */
const SLOWER = 3;
const lines: string[] = [];

afterAll(() => {
  process.stdout.write(`rollout on a cluster:\n  ${lines.join('\n  ')}\n`);
});

test.each(rollouts.map((real) => [real.name, real] as const))(
  'the rollout of %s goes as on a cluster',
  async (_, real) => {
    const { seen, simulated, text } = await compare(real);
    lines.push(text);
    for (const { doneAt, ...counts } of simulated) {
      expect(seen).toMatchObject(counts);
      expect(seen.doneAt ?? 0).toBeLessThan(SLOWER * (doneAt ?? 1));
    }
  },
);
