import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, expect, test } from 'vitest';

import {
  compare,
  manifestOf,
  type RealRollout,
  statusLines,
} from '../conformance/rollout/reality.js';
import { startKprobe } from '../container/kprobe.js';
import { freePort } from '../helpers/free-port.js';
import { apply, createNamespace, kubeconfig, kubectl } from './kubectl.js';

/** Ten rollouts with exec probes, recorded by `kprobe watch`, beside simulated ones. With KPROBE_TEST_RECORD=1 they are recorded for the unit tests. */

const NAMESPACE = `rollouts-${process.pid}`;
const FILE = new URL('../conformance/rollout/reality.ndjson', import.meta.url);
/** Milliseconds that a group of rollouts may take, and that pods rest before. */
const LIMIT = 180_000;
const SETTLED = 6000;
/** Rollouts at a time. */
const GROUP = 5;

const rollouts = readFileSync(FILE, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as RealRollout);

const folder = mkdtempSync(join(tmpdir(), 'rollouts-'));

async function record(group: readonly RealRollout[]): Promise<readonly RealRollout[]> {
  for (const real of group) apply(NAMESPACE, [manifestOf(real, 1)]);
  for (const { name } of group) {
    kubectl(['rollout', 'status', `deployment/${name}`, '-n', NAMESPACE, '--timeout=120s']);
  }
  await sleep(SETTLED);
  const watches = group.map((real) => watch(real));
  await Promise.all(watches.map(({ kprobe }) => kprobe.until(/Rollout +Done/)));
  for (const real of group) apply(NAMESPACE, [manifestOf(real, 2)]);
  const isOver = /Rollout +Waiting[^]*Rollout +(?:Done|Failed)/;
  await Promise.all(watches.map(({ kprobe }) => kprobe.until(isOver, LIMIT)));
  for (const { kprobe } of watches) await kprobe.end();
  for (const { name } of group) {
    kubectl(['delete', 'deployment', name, '-n', NAMESPACE, '--wait=false']);
  }
  return watches.map(({ real, trace }) => ({
    ...real,
    record: statusLines(readFileSync(trace, 'utf8')),
  }));
}

function watch(real: RealRollout) {
  const trace = join(folder, `${real.name}.ndjson`);
  const flags = ['--kubeconfig', kubeconfig(), '-n', NAMESPACE, '--plain', '--record', trace];
  return { real, trace, kprobe: startKprobe(['watch', `deploy/${real.name}`, ...flags]) };
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
    // A busy controller writes one status for several changes, so an extreme may go unseen. It adds up statuses of
    // ReplicaSets of different ages, so the sum of replicas may exceed the surge for a moment.
    for (const { leastReady, failed } of simulated) {
      expect(seen.leastReady).toBeGreaterThanOrEqual(leastReady);
      expect(seen.failed).toBe(failed);
    }
  }
});

test('a watch of a rollout that cannot complete reports it, and counts what it sees', async () => {
  const never = rollouts.find(({ upAfter }) => upAfter === undefined)!;
  apply(NAMESPACE, [manifestOf({ ...never, name: 'reported' }, 2)]);
  const port = await freePort();
  const file = (kind: string): string => join(folder, `reported.${kind}`);
  const reports = ['html', 'junit', 'markdown'].flatMap((kind) => [
    '--report',
    `${kind}=${file(kind)}`,
  ]);
  const kprobe = startKprobe([
    ...['watch', 'deploy/reported', '--kubeconfig', kubeconfig(), '-n', NAMESPACE, '--plain'],
    ...['--metrics', `127.0.0.1:${port}`, ...reports],
  ]);
  await kprobe.until(/Unhealthy[^]*Rollout +Failed/, LIMIT);
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(metrics).toMatch(
    /prober_probe_total\{probe_type="Readiness",container="app",pod="reported-[^"]+",.*result="failed".*\} [1-9]/,
  );
  await kprobe.end();
  const [html, junit, markdown] = ['html', 'junit', 'markdown'].map((kind) =>
    readFileSync(file(kind), 'utf8'),
  );
  expect(junit).toMatch(
    /name="deployment\/reported rolled out"[^]*progress deadline of 15 s exceeded/,
  );
  expect(junit).toMatch(/<failure type="failed" message="app: readiness \d+ × failed/);
  expect(html).toContain('deployment/reported rolled out');
  expect(markdown).toContain('deployment/reported rolled out');
  kubectl(['delete', 'deployment', 'reported', '-n', NAMESPACE, '--wait=false']);
});
