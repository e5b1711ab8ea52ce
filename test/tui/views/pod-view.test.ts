import { stripVTControlCharacters } from 'node:util';

import { describe, expect, it } from 'vitest';

import type { Summary } from '../../../src/trace/summary/summary.js';
import { openUi, summaryAt } from '../../helpers/ui.js';

/** The summary with an error in each attempt. */
function errored(summary: Summary): Summary {
  const text = JSON.stringify(summary, (key, value: unknown) =>
    key === 'attempts'
      ? (value as object[]).map((one) => ({ ...one, error: 'executable file not found' }))
      : value,
  );
  return JSON.parse(text) as Summary;
}

const size = { columns: 120, rows: 30 };

it.each([
  { at: 4, shows: /Ready ✓ {3}/ },
  { at: 9, shows: /Ready ✗ \(ContainersNotReady: app; lost once\)/ },
  { at: 14, shows: /Ready ✓ \(lost once\)/ },
  { at: 24, shows: /Ready ✓ \(lost 2 times\)/ },
])('reports at $at s how often a pod has lost its readiness', async ({ at, shows }) => {
  const ui = await openUi({ summary: await summaryAt(at, 'flap'), at, size });
  expect(ui.frame()).toMatch(shows);
  ui.close();
});

it.each([
  { at: 4, shows: /readiness +\S.*\n(?!.*ago)/ },
  { at: 14, shows: /readiness .*\n.*↳ 4s ago: HTTP probe failed with statuscode: 503/ },
])('says at $at s why a pod that is ready has lost its readiness', async ({ at, shows }) => {
  const ui = await openUi({ summary: await summaryAt(at, 'flap'), at, size });
  expect(stripVTControlCharacters(ui.frame())).toMatch(shows);
  ui.close();
});

it('reports that errors cause no restart, however many there are', async () => {
  const ui = await openUi({ summary: errored(await summaryAt(14, 'flap')), at: 14, size });
  expect(stripVTControlCharacters(ui.frame())).toContain(
    "app/liveness: errors don't count: not restarted until an attempt gives a result",
  );
  expect(ui.frame()).not.toMatch(/killed|failures in a row/);
  ui.close();
});

it.each([
  { at: 14, shows: 'replay, 14s of 40s' },
  { at: 40, shows: 'replay, over' },
  { at: 14, shows: 'replay, 14s of 40s, 4 ×', player: { speed: 4, isPaused: false } },
  { at: 14, shows: 'replay, 14s of 40s, 0.5 ×, paused', player: { speed: 0.5, isPaused: true } },
])('reports at $at s the progress of a replay: $shows', async ({ at, shows, player }) => {
  const context = { replayLength: 40 };
  const ui = await openUi({ summary: await summaryAt(at, 'flap'), at, size, context, player });
  expect(ui.frame()).toContain(shows);
  ui.close();
});

const SIZES = [
  { columns: 40, rows: 12 },
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
];

it.each(SIZES)(
  'calls an init container skipped that kprobe does not run: $columns×$rows',
  async (each) => {
    const summary = await summaryAt(8, 'web');
    const pods = summary.pods.map((pod) => {
      const [app] = pod.containers;
      const setup = { ...app!, name: 'setup', role: 'init' as const, runs: [], probes: [] };
      return { ...pod, containers: [setup, ...pod.containers] };
    });
    const ui = await openUi({ summary: { ...summary, pods }, at: 8, size: each });
    await ui.type('g');
    expect(stripVTControlCharacters(ui.frame())).toMatch(/setup +init container +skipped/);
    ui.close();
  },
);

it.each(SIZES)('shows a long command in four rows at most: $columns×$rows', async (each) => {
  const summary = await summaryAt(34.2, 'web');
  const exec = { command: ['sh', '-c', 'psql --command "select 1" && '.repeat(30)] };
  const pods = summary.pods.map((pod) => ({
    ...pod,
    containers: pod.containers.map((container) => {
      const { livenessProbe } = container.spec;
      return livenessProbe === undefined
        ? container
        : { ...container, spec: { ...container.spec, livenessProbe: { ...livenessProbe, exec } } };
    }),
  }));
  const ui = await openUi({ summary: { ...summary, pods }, at: 34.2, size: each });
  const rows = stripVTControlCharacters(ui.frame()).split('\n');
  const at = rows.findIndex((row) => row.includes('▸ liveness'));
  const end = rows.findIndex((row, index) => index > at && /↳|^│?log |\[1 pod\]|▲/.test(row));
  expect(end - at).toBeGreaterThan(0);
  expect(end - at).toBeLessThanOrEqual(4);
  ui.close();
});

it.each([
  { columns: 90, shows: /^worker {3}back-off, .*restarts 2 \(crashed, exit 1, 14s ago\) *$/m },
  { columns: 60, shows: /^worker {3}back-off, .*restarts 2 *$/m },
  { columns: 44, shows: /^worker {3}back-off, starts in \S+ – 17 s *$/m },
])('cuts no word of the restarts of a container: $columns', async ({ columns, shows }) => {
  const summary = await summaryAt(34.2, 'crash-loop');
  const ui = await openUi({ summary, at: 34.2, size: { columns, rows: 24 } });
  expect(stripVTControlCharacters(ui.frame())).toMatch(shows);
  ui.close();
});

it('keeps the cause on a screen of 40×12 where the container has a name of 63 letters', async () => {
  const name = 'a'.repeat(63);
  const summary = await summaryAt(34.2, 'crash-loop');
  const pods = summary.pods.map((pod) => ({
    ...pod,
    containers: pod.containers.map((container) => ({ ...container, name })),
  }));
  const size = { columns: 40, rows: 12 };
  const ui = await openUi({ summary: { ...summary, pods }, at: 34.2, size });
  expect(stripVTControlCharacters(ui.frame())).toMatch(/^✗ a+…a+ crashed 3 × \(exit/m);
  ui.close();
});

it.each([
  { columns: 80, rows: 20 },
  { columns: 60, rows: 20 },
])('marks what it leaves out of what the kubelet does next: $columns×$rows', async (low) => {
  const ui = await openUi({ summary: await summaryAt(14, 'flap'), at: 14, size: low });
  const rows = stripVTControlCharacters(ui.frame()).split('\n');
  const at = rows.findIndex((row) => row.startsWith('─ what the kubelet does next'));
  const shown = rows.slice(at + 1, rows.indexOf('─'.repeat(low.columns), at));
  expect(shown.length).toBeGreaterThan(1);
  for (const row of shown) expect(row).toMatch(/…|restarted at once$|no traffic$/);
  ui.close();
});

it('shows what the kubelet does next to a healthy pod in full where there is room', async () => {
  const ui = await openUi({
    summary: await summaryAt(8, 'web'),
    at: 8,
    size: { columns: 80, rows: 24 },
  });
  const [, next] = stripVTControlCharacters(ui.frame()).split('what the kubelet does next');
  expect(next?.replaceAll(/\s+/g, ' ')).toContain('→ not ready, Services send no traffic');
  ui.close();
});

describe('the output in the first view', () => {
  const withOutput = (summary: Summary): Summary => {
    const output = [{ t: 1, run: 0, stream: 'stdout' as const, text: 'waiting for the database' }];
    const pods = summary.pods.map((pod) => ({
      ...pod,
      containers: pod.containers.map((each) => ({ ...each, output, outputCount: 1 })),
    }));
    return { ...summary, pods };
  };

  it.each([
    { at: 3, name: 'web', has: true, state: 'that is not ready' },
    { at: 8, name: 'web', has: false, state: 'that is ready' },
    { at: 34, name: 'crash-loop', has: true, state: 'that has died' },
  ])('is that of a container $state, at 80×24', async ({ at, name, has }) => {
    const summary = withOutput(await summaryAt(at, name));
    const ui = await openUi({ summary, at, size: { columns: 80, rows: 24 } });
    expect(ui.frame().includes('waiting for the database')).toBe(has);
    ui.close();
  });

  it.each([20, 22, 24, 26])('leaves the keys below it whole, at 80×%i', async (rows) => {
    const summary = withOutput(await summaryAt(34.2, 'many'));
    const pods = summary.pods.map((pod) => ({ ...pod, containers: pod.containers.slice(-2) }));
    const ui = await openUi({
      summary: { ...summary, pods },
      at: 34.2,
      size: { columns: 80, rows },
    });
    const keys = stripVTControlCharacters(ui.frame()).split('\n').at(-2);
    expect(keys).toMatch(/^enter attempt {2}t probe now {2}.* \? keys {2}q quit$/);
    ui.close();
  });
});

describe("the timeline in a pod's first view", () => {
  it('leaves half of the rows to eleven containers at 120×40', async () => {
    const summary = await summaryAt(34.2, 'many');
    const pods = summary.pods.map((pod) => ({ ...pod, containers: pod.containers.slice(-11) }));
    const large = { columns: 120, rows: 40 };
    const ui = await openUi({ summary: { ...summary, pods }, at: 34.2, size: large });
    const frame = stripVTControlCharacters(ui.frame());
    expect(frame).toMatch(/^│▸ liveness +tcp :8011/m);
    expect(frame).toMatch(/^│▼ 8 more/m);
    expect(frame).toMatch(/^│c11 +S▄+ +│\n│ {2}readiness +✗↓✗+ +│\n│ {2}liveness +✗ ✗/m);
    expect(frame).toMatch(/^│c11\/liveness at 34\.0 s, run 0: ✗ refused in 2\.0 ms, 17\/99 +│$/m);
    ui.close();
  });

  const open = async (large = { columns: 120, rows: 40 }) =>
    openUi({ summary: await summaryAt(14, 'flap'), at: 14, size: large });

  it.each([
    { columns: 80, rows: 24, has: false },
    { columns: 80, rows: 40, has: true },
    { columns: 120, rows: 40, has: true },
  ])('is there where there is room: $columns×$rows', async ({ has, ...large }) => {
    const ui = await open(large);
    expect(ui.frame().includes('per cell, follows')).toBe(has);
    ui.close();
  });

  it('has the lanes at 40×12, where there is no room for the signs', async () => {
    const size = { columns: 40, rows: 12 };
    const ui = await openUi({ summary: await summaryAt(34.2, 'web'), at: 34.2, size });
    await ui.type('2');
    const frame = stripVTControlCharacters(ui.frame());
    for (const lane of ['app', 'readiness', 'liveness']) {
      expect(frame).toMatch(new RegExp(`^ *${lane} .*[▂▄█✓✗↑↓]`, 'm'));
    }
    ui.close();
  });

  it('reads an attempt under its cursor, which Enter opens, and follows the run again on f', async () => {
    const ui = await open();
    const cursor = (): string | undefined =>
      /│(app\/\w+ at \S+ s)/.exec(stripVTControlCharacters(ui.frame()))?.[1];
    const latest = cursor();
    await ui.type('\x1b[D');
    expect(cursor()).not.toBe(latest);
    expect(ui.frame()).not.toContain('follows');
    await ui.type('\r');
    expect(stripVTControlCharacters(ui.frame())).toMatch(/attempt (\d+) of (?!\1)/);
    await ui.type('q', 'f');
    expect(cursor()).toBe(latest);
    expect(ui.frame()).toContain('follows');
    ui.close();
  });

  it('zooms on + and -', async () => {
    const ui = await open();
    await ui.type('+');
    expect(ui.frame()).toContain('timeline, 0.5 s per cell');
    await ui.type('-', '-');
    expect(ui.frame()).toContain('timeline, 2 s per cell');
    ui.close();
  });
});

it('shows the latest output once there is room for it', async () => {
  const summary = await summaryAt(34.2, 'web');
  const output = [{ t: 1, run: 1, stream: 'stdout' as const, text: 'listening' }];
  const pods = summary.pods.map((pod) => ({
    ...pod,
    containers: pod.containers.map((container) => ({ ...container, output, outputCount: 1 })),
  }));
  const low = { columns: 80, rows: 20 };
  const ui = await openUi({ summary: { ...summary, pods }, at: 34.2, size: low });
  expect(ui.frame()).not.toContain('listening');
  ui.store.resize({ ...low, rows: 30 });
  await ui.pass(100);
  expect(stripVTControlCharacters(ui.frame())).toMatch(/^─ logs of app.*\n(.*\n)?.*listening$/m);
  ui.close();
});

it.each([
  { columns: 40, rows: 12, keys: ['?'], hasTimeline: false },
  { columns: 80, rows: 24, keys: ['?'], hasTimeline: false },
  { columns: 120, rows: 40, keys: ['?'], hasTimeline: true },
  { columns: 80, rows: 24, keys: ['2', '?'], hasTimeline: true },
])(
  'lists the keys of a timeline only where there is one: $columns×$rows after $keys',
  async ({ keys, hasTimeline, ...each }) => {
    const ui = await openUi({ summary: await summaryAt(14, 'flap'), at: 14, size: each });
    await ui.type(...keys);
    expect(ui.frame().includes('zoom the timeline')).toBe(hasTimeline);
    ui.close();
  },
);

it.each([...SIZES, { columns: 60, rows: 15 }])(
  'always shows the progress of a replay: $columns×$rows',
  async (each) => {
    const context = { replayLength: 40 };
    const ui = await openUi({ summary: await summaryAt(9, 'flap'), at: 9, size: each, context });
    expect(ui.frame()).toMatch(/Ready ✗.*replay, 9s of 40s/);
    ui.close();
  },
);

it.each([
  { keys: [], shows: /^a-nam…ame  Ready ✗     replay, 9s of 40s$/ },
  { keys: ['3'], shows: /^a-nam…me  Ready ✗  …   replay, 9s of 40s$/ },
  { keys: [' '], isPaused: true, shows: /^a-nam…ame  Ready ✗     paused, 9s of 40s$/ },
])('shortens name and title beside the progress of a replay: 40×12 after $keys', async (row) => {
  const summary = await summaryAt(9, 'flap');
  const pods = summary.pods.map((pod) => {
    const metadata = { ...pod.object.metadata, name: 'a-name-that-is-no-short-name' };
    return { ...pod, object: { ...pod.object, metadata } };
  });
  const context = { replayLength: 40 };
  const player = { speed: 0.25, isPaused: row.isPaused ?? false };
  const low = { columns: 40, rows: 12 };
  const ui = await openUi({ summary: { ...summary, pods }, at: 9, size: low, context, player });
  await ui.type(...row.keys);
  expect(stripVTControlCharacters(ui.frame()).split('\n')[0]).toMatch(row.shows);
  ui.close();
});

it.each(SIZES)('names the key that closes the list of keys: $columns×$rows', async (each) => {
  const ui = await openUi({ summary: await summaryAt(9, 'flap'), at: 9, size: each });
  await ui.type('2', '?');
  const last = stripVTControlCharacters(ui.frame()).split('\n').slice(-2).join('\n');
  expect(last).toMatch(/esc close(  \? keys)?$/m);
  ui.close();
});

it.each(SIZES)('shows the end of a long filter and the count: $columns×$rows', async (each) => {
  const ui = await openUi({ summary: await summaryAt(9, 'flap'), at: 9, size: each });
  await ui.type('/', `${'x y '.repeat(1250)}live`);
  const rows = stripVTControlCharacters(ui.frame()).split('\n');
  expect(rows[0]).toMatch(/^flap {4}\/.*…x y live: 0 of \d/);
  expect(rows.findLast((row) => row.includes('live'))).toMatch(/^…[xy ]+ live .*…$/);
  ui.close();
});

it.each([
  { columns: 120, rows: 40 },
  { columns: 200, rows: 60 },
])('keeps the border around the long title of a panel: $columns×$rows', async (each) => {
  const summary = await summaryAt(9, 'flap');
  const name = 'n'.repeat(150);
  const pods = summary.pods.map((pod) => ({
    ...pod,
    containers: pod.containers.map((container) => ({ ...container, name })),
  }));
  const ui = await openUi({ summary: { ...summary, pods }, at: 9, size: each });
  expect(stripVTControlCharacters(ui.frame())).toMatch(/┌─ logs of n+…n+ ┐$/m);
  ui.close();
});
