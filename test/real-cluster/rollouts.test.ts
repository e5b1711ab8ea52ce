import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, expect, test } from 'vitest';

import {
  compare,
  manifestOf,
  type RealRollout,
  type StatusLine,
} from '../conformance/rollout/reality.js';
import { apply, createNamespace, kubectl, type WatchEvent, watchRaw } from './kubectl.js';

/** Ten rollouts with exec probes beside simulated ones. With KPROBE_TEST_RECORD=1 they are recorded for the unit tests. */

const NAMESPACE = `rollouts-${process.pid}`;
const FILE = new URL('../conformance/rollout/reality.ndjson', import.meta.url);
/** Milliseconds for one group of rollouts, and how many run at a time. */
const LENGTH = 60_000;
const SETTLED = 6000;
const GROUP = 5;

const rollouts = readFileSync(FILE, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as RealRollout);

interface DeploymentObject {
  readonly metadata: { readonly name: string; readonly generation: number };
  readonly status: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason: string;
    }[];
  };
}

async function record(group: readonly RealRollout[]): Promise<readonly RealRollout[]> {
  const records = new Map(group.map(({ name }) => [name, [] as StatusLine[]]));
  const begin = new Map<string, number>();
  for (const real of group) apply(NAMESPACE, [manifestOf(real, 1)]);
  for (const { name } of group) {
    kubectl(['rollout', 'status', `deployment/${name}`, '-n', NAMESPACE, '--timeout=120s']);
  }
  await sleep(SETTLED);
  const onEvent = ({ object }: WatchEvent): void => {
    const { metadata, status } = object as DeploymentObject;
    const from = begin.get(metadata.name);
    if (from === undefined || metadata.generation !== 2 || status.observedGeneration !== 2) return;
    records.get(metadata.name)?.push(lineOf(status, Math.round((Date.now() - from) / 100) / 10));
  };
  const watch = watchRaw(`/apis/apps/v1/namespaces/${NAMESPACE}/deployments?watch=1`, onEvent);
  for (const real of group) {
    begin.set(real.name, Date.now());
    apply(NAMESPACE, [manifestOf(real, 2)]);
  }
  await sleep(LENGTH);
  watch.kill();
  for (const { name } of group) {
    kubectl(['delete', 'deployment', name, '-n', NAMESPACE, '--wait=false']);
  }
  return group.map((real) => ({ ...real, record: records.get(real.name) ?? [] }));
}

function lineOf(status: DeploymentObject['status'], at: number): StatusLine {
  const { replicas = 0, updatedReplicas = 0, readyReplicas = 0, availableReplicas = 0 } = status;
  const progressing = status.conditions?.find(({ type }) => type === 'Progressing');
  const text = progressing === undefined ? '' : `${progressing.status} ${progressing.reason}`;
  return [at, replicas, updatedReplicas, readyReplicas, availableReplicas, text];
}

beforeAll(() => createNamespace(NAMESPACE));

afterAll(() => {
  kubectl(['delete', 'namespace', NAMESPACE, '--wait=false']);
});

test('rollouts go as simulated', { timeout: 600_000 }, async () => {
  const recorded: RealRollout[] = [];
  for (let index = 0; index < rollouts.length; index += GROUP) {
    recorded.push(...(await record(rollouts.slice(index, index + GROUP))));
  }
  expect(recorded).toHaveLength(rollouts.length);
  if (process.env['KPROBE_TEST_RECORD'] === '1') {
    writeFileSync(FILE, recorded.map((real) => `${JSON.stringify(real)}\n`).join(''));
  }
  for (const real of recorded) {
    const { seen, simulated, text } = await compare(real);
    process.stdout.write(`${text}\n`);
    // A busy controller writes one status for several changes, so an extreme may go unseen.
    for (const { leastReady, mostReplicas } of simulated) {
      expect(seen.leastReady).toBeGreaterThanOrEqual(leastReady);
      expect(seen.mostReplicas).toBeLessThanOrEqual(mostReplicas);
    }
  }
});
