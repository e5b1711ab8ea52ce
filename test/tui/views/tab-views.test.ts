import { stripVTControlCharacters } from 'node:util';

import { describe, expect, it } from 'vitest';

import { omitUndefined } from '../../../src/api/index.js';
import { columnWidths } from '../../../src/text/table.js';
import type { Summary } from '../../../src/trace/summary/summary.js';
import type { ListedEvent } from '../../../src/tui/store/lists.js';
import { eventColumns } from '../../../src/tui/views/tab-views.js';
import { openUi, summaryAt } from '../../helpers/ui.js';

it.each([
  { columns: 40, rows: 12 },
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
])(
  'says below an event that it was held back, not in place of its text: $columns×$rows',
  async (size) => {
    const ui = await openUi({ summary: await summaryAt(34.2, 'many'), at: 34.2, size });
    await ui.type('3', 'G', 'k');
    const rows = stripVTControlCharacters(ui.frame()).split('\n');
    const at = rows.findIndex((row) => row.includes('held back: kubectl'));
    expect(rows[at]).toMatch(/^ {4}held back: kubectl (shows x\d+|does not show it)$/);
    const text = rows.slice(Math.max(0, at - 8), at).join(' ');
    expect(text).toMatch(/iveness probe failed|adiness probe failed/);
    ui.close();
  },
);

const size = { columns: 80, rows: 24 };

it.each([
  { longest: 'app', object: 6, message: 44 },
  { longest: 'database', object: 8, message: 42 },
  { longest: 'a-container-of-a-long-name', object: 12, message: 38 },
])('gives the longest name of a container ($longest) $object columns', (row) => {
  const event = { container: row.longest, reason: 'Killing' } as ListedEvent;
  const mins = eventColumns(80, [event]).map(({ min }) => min);
  expect(mins.slice(-2)).toEqual([row.object, row.message]);
});

it('shows the messages of events in full in their view', async () => {
  const ui = await openUi({ summary: await summaryAt(34.2, 'crash-loop'), at: 34.2, size });
  await ui.type('3');
  const frame = stripVTControlCharacters(ui.frame());
  expect(frame).toMatch(/Back-off restarting failed container worker in\n +pod worker_default/);
  expect(frame).toContain('w wrap');
  ui.close();
});

describe('logs', () => {
  const withOutput = (summary: Summary, count: number): Summary => {
    const output = Array.from({ length: count }, (_, index) => ({
      ...{ t: 1, run: 0, stream: 'stdout' as const },
      text: `line ${index} ${'and more '.repeat(20)}`,
    }));
    const pods = summary.pods.map((pod) => ({
      ...pod,
      containers: pod.containers.map((each) => ({ ...each, output, outputCount: count })),
    }));
    return { ...summary, pods };
  };

  it.each([
    { count: 30, keys: ['5'], where: 'in their view' },
    { count: 1, keys: [], where: 'in the first view' },
  ])('show the end of a run once it has ended: $where', async ({ count, keys }) => {
    const before = withOutput(await summaryAt(1.8, 'crash-loop'), count);
    const ui = await openUi({ summary: before, at: 1.8, size });
    await ui.type(...keys);
    await ui.pass(200);
    ui.store.receive(withOutput(await summaryAt(2.2, 'crash-loop'), count));
    await ui.pass(200);
    expect(ui.frame()).toContain('run 0 ended, exit 1');
    ui.close();
  });

  it('have no empty rows once long lines are cut', async () => {
    const summary = withOutput(await summaryAt(1.8, 'crash-loop'), 3);
    const ui = await openUi({ summary, at: 1.8, size });
    await ui.type('5', 'w');
    const [, ...rows] = stripVTControlCharacters(ui.frame()).split('\n');
    expect(rows.slice(1, 4).join('\n')).toMatch(/^.*line 0 .*\n.*line 1 .*\n.*line 2 .*$/);
    ui.close();
  });

  it('mark the match that n and N have reached, also where all matches are on one page', async () => {
    const summary = withOutput(await summaryAt(1.8, 'crash-loop'), 4);
    const ui = await openUi({ summary, at: 1.8, size });
    await ui.type('5', 'w', '/', 'more', '\r');
    const marked: (string | undefined)[] = [];
    for (const key of ['n', 'n', 'N', 'N', 'n']) {
      await ui.type(key);
      marked.push(/▸(line \d)/.exec(stripVTControlCharacters(ui.frame()))?.[1]);
    }
    expect(marked).toEqual(['line 0', 'line 1', 'line 0', 'line 3', 'line 0']);
    ui.close();
  });
});

it.each([
  { columns: 40, rows: 12, keys: ['3'] },
  { columns: 40, rows: 20, keys: [] },
  { columns: 80, rows: 24, keys: [] },
  { columns: 120, rows: 40, keys: [] },
])('shows age and count of events: $columns×$rows after $keys', async ({ keys, ...each }) => {
  const ui = await openUi({ summary: await summaryAt(34.2, 'flap'), at: 34.2, size: each });
  await ui.type(...keys);
  expect(stripVTControlCharacters(ui.frame())).toMatch(/AGE +COUNT [^]*^\W*\d+s +\d+ /m);
  ui.close();
});

it.each([
  { target: 'process', shows: 'the container has written nothing so far' },
  { target: 'process', isSimulated: () => true, shows: 'kprobe sees no output' },
  { target: 'attached', shows: 'kprobe sees no output from this container' },
  { target: 'process', replayLength: 40, shows: 'no output was recorded' },
  { target: 'cluster', shows: 'the container has written nothing so far' },
  { target: 'cluster', hasEnded: true, shows: 'the container has written nothing so far' },
  { target: 'cluster', wroteNothing: true as const, shows: 'the container has written nothing' },
  { target: 'cluster', hasRun: false, shows: 'the container has not started' },
])('say why there is no output: $shows', async (row) => {
  const { target, replayLength, wroteNothing, hasRun = true, hasEnded = false, shows } = row;
  const summary = await summaryAt(14, 'flap');
  const pods = summary.pods.map((pod) => ({
    ...pod,
    containers: pod.containers.map((each) => ({
      ...each,
      runs: (hasRun ? each.runs : []).map((run) => ({
        ...run,
        ...omitUndefined({ wroteNothing }),
        ...(hasEnded && { endedAt: 14 }),
      })),
    })),
  }));
  const context = { target, replayLength, isSimulated: row.isSimulated ?? (() => false) };
  const ui = await openUi({ summary: { ...summary, pods }, at: 14, size, context });
  await ui.type('5');
  expect(stripVTControlCharacters(ui.frame()).replaceAll(/\s+/g, ' ')).toContain(shows);
  const follow = { kind: 'followLog', pod: 'default/flap', container: 'app' };
  expect(ui.effects).toEqual(hasRun ? [follow] : []);
  ui.close();
});

it('gives the reason of an event the columns that it needs where there is room', () => {
  const event = { container: 'app', reason: 'ErrImageNeverPull' } as ListedEvent;
  const widths = [80, 200].map(
    (columns) => columnWidths(eventColumns(columns, [event]), columns)[3],
  );
  expect(widths).toEqual([10, 17]);
});
