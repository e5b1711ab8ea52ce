import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { KPROBE, kprobe } from '../helpers/kprobe.js';
import { openTerminal, type Size, type TestTerminal } from '../helpers/terminal.js';

/** A pod whose readiness probe is asked every second. */
const pod = (name: string, container: string): string => `apiVersion: v1
kind: Pod
metadata: { name: ${name} }
spec:
  containers:
    - { name: ${container}, image: 'a:1', readinessProbe: { httpGet: { port: 80 }, periodSeconds: 1 } }
`;

/** Shows the end of a simulated minute, which is the same at each time that a test looks. */
async function open(size: Size, pods: readonly string[], flag: string): Promise<TestTerminal> {
  const args = ['simulate', '-', '--for', '60s', ...flag.split(' '), '-o', 'json'];
  const { stdout } = await kprobe(args, { input: pods.join('---\n') });
  const terminal = await openTerminal(size);
  writeFileSync(join(terminal.folder, 'trace.ndjson'), stdout);
  terminal.tmux.enter(`'${process.execPath}' '${KPROBE}' replay --speed 1000 trace.ndjson`);
  await terminal.tmux.shows(/replay, over/);
  return terminal;
}

const DYING = ['web-1', 'web-2', 'web-3'].map((name) => pod(name, 'worker'));
const STEADY = pod('steady', 'app');

it('the list of pods has a column for all that there is room for at 300×80', async () => {
  await using terminal = await open(
    { columns: 300, rows: 80 },
    [...DYING, STEADY],
    '--dies-after worker=20s',
  );
  const screen = await terminal.tmux.shows(
    /^ +POD +READY +STATUS +RESTARTS +TROUBLE ↓ +NEXT +LATENCY +AGE /m,
    /^. web-1 +1\/1 +Running +2 +crashed 2 × .* worker: if it ends now, .* [▁▂▃▄▅▆▇█]+ *┤1 s +[\d.]+ ms +60s /m,
    /^. steady +1\/1 +Running +0 +ready +[▁▂▃▄▅▆▇█]+ *┤1 s /m,
  );
  // The chosen pod is beside it.
  expect(screen).toMatch(/┌─ containers and probes ─+┐/);
});

describe('the mark of a pod that has changed', () => {
  let terminal: TestTerminal;

  beforeAll(async () => {
    const pods = [...DYING, STEADY];
    terminal = await open({ columns: 80, rows: 24 }, pods, '--dies-after worker=20s');
  });

  afterAll(async () => {
    await terminal[Symbol.asyncDispose]();
  });

  /** Resolves once these pods have the mark. */
  const marked = (...names: readonly string[]): Promise<unknown> =>
    terminal.tmux.until(
      () => (terminal.tmux.screen().match(/^\* \S+/gm) ?? []).join(),
      (found) => found === names.map((name) => `* ${name}`).join(),
      `marks of ${names.join(' and ')}`,
    );

  it('stays until the pod was chosen, or until Escape', async () => {
    await marked('web-2', 'web-3');
    terminal.tmux.press('j');
    await marked('web-3');
    terminal.tmux.press('Escape');
    await marked();
  });
});

it.each([
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
])('an event that was held back says so below its text: $columns×$rows', async (size) => {
  await using terminal = await open(size, [STEADY], '--ready-after app=10m');
  const { tmux } = terminal;
  tmux.press('3');
  await tmux.shows(/\[3 events\]/, /61( in 59s)?\*/, /\*: held back, the kubelet sends 25 events/);
  tmux.press('k');
  await tmux.shows(/dial tcp\s.*connection refused *\n {4}held back: kubectl shows x25$/m);
});
