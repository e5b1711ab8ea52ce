import { stripVTControlCharacters } from 'node:util';

import { describe, expect, it } from 'vitest';

import { parseContainerState } from '../../../src/trace/summary/container-view.js';
import type { PodSummary } from '../../../src/trace/summary/summary.js';
import type { Size } from '../../../src/tui/store/state.js';
import { openUi, summaryAt } from '../../helpers/ui.js';

const AT = 34.2;

function shown({ frame }: { readonly frame: () => string }): string {
  return stripVTControlCharacters(frame());
}

/** The pod and the chosen row of a frame. */
function chosenIn(frame: string): string {
  const pod = /^\S+/.exec(frame)?.[0];
  return `${pod} ${/▸ (\S+)/.exec(frame)?.[1]}`;
}

describe('n and N', () => {
  it('choose the next row in trouble and the one before, from pod to pod', async () => {
    const ui = await openUi({ summary: await summaryAt(AT, 'web', 'many'), at: AT });
    const seen: string[] = [];
    for (const key of ['n', 'n', 'n', 'N', 'N']) {
      await ui.type(key);
      seen.push(chosenIn(shown(ui)));
    }
    const [web, many] = ['web liveness', 'many liveness'];
    expect(seen).toEqual([web, many, web, many, web]);
    ui.close();
  });

  it('say that there is no problem', async () => {
    const ui = await openUi({ summary: await summaryAt(8, 'web'), at: 8 });
    await ui.type('n');
    expect(ui.effects).toEqual([{ kind: 'say', text: 'nothing is in trouble now' }]);
    ui.close();
  });
});

it('says in the list how often a ready pod was not', async () => {
  const ui = await openUi({ summary: await summaryAt(24, 'flap', 'many'), at: 24 });
  expect(shown(ui)).toMatch(/^\* flap .* ready \(lost 2 times\)/m);
  ui.close();
});

it.each([
  { at: 24, shows: /ready, terminating/ },
  { at: 0.5, shows: /^. many .* terminating/m },
])('says in the list that a pod is deleted: at $at s', async ({ at, shows }) => {
  const summary = await summaryAt(at, 'flap', 'many');
  const pods = summary.pods.map((pod) => ({ ...pod, deletedAt: at }));
  const ui = await openUi({ summary: { ...summary, pods }, at });
  expect(shown(ui)).toMatch(shows);
  ui.close();
});

it.each([
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 200, rows: 60 },
])('names the container in trouble only in a pod of several: $columns×$rows', async (size) => {
  const ui = await openUi({ summary: await summaryAt(AT, 'web', 'crash-loop'), at: AT, size });
  expect(shown(ui)).toMatch(/^. worker .* 2 crashed 3 × /m);
  expect(shown(ui)).toMatch(/^. web .* 1 app killed 1 ×/m);
  ui.close();
});

it('calls a pod Pending of which the kubelet has not reported yet', async () => {
  const summary = await summaryAt(0.5, 'web', 'flap');
  const pods = summary.pods.map((pod) => ({ ...pod, phase: '', status: undefined }));
  const ui = await openUi({
    summary: { ...summary, pods },
    at: 0.5,
    size: { columns: 80, rows: 24 },
  });
  expect(shown(ui)).toMatch(/^. web .* Pending /m);
  ui.close();
});

describe('the row of a pod that is not ready', () => {
  const open = async (change: (pod: PodSummary) => PodSummary, size: Size) => {
    const summary = await summaryAt(0.5, 'web', 'flap');
    const pods = summary.pods.map((pod, index) => (index === 0 ? change(pod) : pod));
    return openUi({ summary: { ...summary, pods }, at: 0.5, size });
  };
  const withState = (pod: PodSummary, text: string, restartCount = 0): PodSummary => ({
    ...pod,
    conditions: { Ready: { status: 'False', reason: '' } },
    containers: pod.containers.map((each) => ({
      ...each,
      runs: [],
      restartCount,
      state: parseContainerState(text),
    })),
  });

  const unschedulable = (pod: PodSummary): PodSummary => ({
    ...withState(pod, ''),
    status: {
      ...pod.status,
      conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }],
    },
  });
  const gated = (pod: PodSummary): PodSummary => ({
    ...pod,
    object: {
      ...pod.object,
      spec: { ...pod.object.spec, readinessGates: [{ conditionType: 'example.com/balancer' }] },
    },
    containers: pod.containers.map((each) => ({ ...each, ready: true, started: true })),
  });

  const cases: readonly [string, (pod: PodSummary) => PodSummary][] = [
    ['app: ContainerCreating', (pod) => withState(pod, 'waiting ContainerCreating')],
    ['app ended with 0, 5 restarts', (pod) => withState(pod, 'terminated Completed 0', 5)],
    ['app not started yet', (pod) => withState(pod, 'running')],
    ['no node takes it', unschedulable],
    ['all containers are ready', gated],
  ];
  const sizes = [
    { columns: 40, rows: 12, length: 4 },
    { columns: 80, rows: 24, length: 24 },
    { columns: 120, rows: 40, length: 12 },
  ];
  it.each(cases.flatMap(([text, change]) => sizes.map((size) => ({ text, change, ...size }))))(
    'names what it waits for: $text, $columns×$rows',
    async ({ text, change, length, ...size }) => {
      const ui = await open(change, size);
      const row = shown(ui)
        .split('\n')
        .find((each) => /^[* ] web/.test(each));
      expect(row).toContain(text.slice(0, length));
      ui.close();
    },
  );
});

describe('a pod of twelve containers at 80×24', () => {
  const size = { columns: 80, rows: 24 };

  it('has the failing one first and chosen, and a row for each of the others', async () => {
    const ui = await openUi({ summary: await summaryAt(AT, 'many'), at: AT, size });
    const rows = shown(ui).split('\n');
    const at = rows.findIndex((row) => row.startsWith('c11 '));
    expect(rows.slice(at).find((row) => row.startsWith('▸'))).toMatch(/^▸ liveness/);
    expect(rows.filter((row) => /^[ ▸] readiness/.test(row))).toHaveLength(1);
    expect(rows.filter((row) => /^▼ \d+ more$/.test(row))).toHaveLength(1);
    ui.close();
  });

  it('draws no row of a container where it tells how many are out of sight', async () => {
    const higher = { columns: 80, rows: 31 };
    const ui = await openUi({ summary: await summaryAt(AT, 'many'), at: AT, size: higher });
    expect(shown(ui)).toMatch(/^▼ \d+ more *$/m);
    ui.close();
  });

  it('opens a healthy container when it is chosen', async () => {
    const ui = await openUi({ summary: await summaryAt(AT, 'many'), at: AT, size });
    await ui.type('j', 'j');
    expect(shown(ui)).toMatch(/^c01 .*\n▸ readiness/m);
    ui.close();
  });

  it('tells how many failing rows are out of sight', async () => {
    const ui = await openUi({ summary: await summaryAt(AT, 'many'), at: AT, size });
    await ui.type('G');
    expect(shown(ui)).toMatch(/▲ \d+ more, 2 failing$|▲ \d+ more, 1 failing$/m);
    ui.close();
  });
});

it('filters the view in which the filter was typed, and no other', async () => {
  const ui = await openUi({ summary: await summaryAt(AT, 'web'), at: AT });
  await ui.type('3', '/', 'Killing', '\r');
  expect(shown(ui)).not.toContain('Pulling');
  await ui.type('1');
  expect(shown(ui)).toMatch(/startup[^]*readiness[^]*liveness/);
  await ui.type('3');
  expect(shown(ui)).not.toContain('Pulling');
  await ui.type('\x1b');
  await ui.pass(200);
  expect(shown(ui)).toContain('Pulling');
  ui.close();
});

describe('w', () => {
  it.each([
    ['timeline', ['2']],
    ['describe', ['d']],
    ['explain', ['x']],
    ['help', ['?']],
  ])('wraps and cuts the long lines of %s', async (_, keys) => {
    const size = { columns: 45, rows: 40 };
    const ui = await openUi({ summary: await summaryAt(AT, 'web'), at: AT, size });
    await ui.type(...keys);
    const cutRows = (): number =>
      shown(ui)
        .split('\n')
        .slice(1, -2)
        .filter((row) => row.includes('…')).length;
    const before = cutRows();
    await ui.type('w');
    const after = cutRows();
    expect(Math.min(before, after)).toBe(0);
    expect(Math.max(before, after)).toBeGreaterThan(0);
    ui.close();
  });
});

describe('the list of pods at 80×24', () => {
  const open = async () =>
    openUi({
      summary: await summaryAt(AT, 'web', 'flap'),
      at: AT,
      size: { columns: 80, rows: 24 },
    });

  it('is filtered by the trouble of the pods too', async () => {
    const ui = await open();
    await ui.type('/', 'app killed', '\r');
    expect(shown(ui)).toContain('1 of 2, esc clears');
    ui.close();
  });

  it.each([
    ['X', 'NEXT'],
    ['L', 'LATENCY'],
    ['O', 'NODE'],
  ])('shows the column that sorts it: %s', async (key, heading) => {
    const ui = await open();
    const headings = (): string | undefined => shown(ui).split('\n')[1];
    expect(headings()).not.toContain(heading);
    await ui.type(key);
    expect(headings()).toContain(`${heading} ↓`);
    ui.close();
  });
});
