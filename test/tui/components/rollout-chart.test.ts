import { stripVTControlCharacters } from 'node:util';

import { describe, expect, it } from 'vitest';

import type { ReplicaCounts } from '../../../src/trace/event.js';
import { fold } from '../../../src/trace/summary/fold.js';
import type { Summary } from '../../../src/trace/summary/summary.js';
import type { Size } from '../../../src/tui/store/state.js';
import { openUi, summaryAt } from '../../helpers/ui.js';

const AT = 34.2;
const WIDE = { columns: 120, rows: 40 };

/** The rollout of a Deployment of 3 replicas at some times: a pod more, two new ones, one that does not become ready. */
const COUNTS: readonly (readonly [number, Partial<ReplicaCounts>])[] = [
  [1, { updated: 1 }],
  [10, { updated: 1, ready: 4, available: 3, endpoints: 4 }],
  [20, { updated: 2, current: 3, ready: 2, available: 2, endpoints: 2 }],
];

async function rollout(done = false, workload = 'deployment/web'): Promise<Summary> {
  const usual = { desired: 3, current: 4, updated: 0, ready: 3, available: 3, endpoints: 3 };
  const state = { workload, namespace: 'default', sentence: `${workload}: waits`, failed: false };
  return COUNTS.map(([t, counts]) => ({
    ...({ t, kind: 'workload', ...state, done: done && t === 20 } as const),
    replicas: { ...usual, ...counts },
  })).reduce(fold, await summaryAt(AT, 'web', 'crash-loop'));
}

async function rowsOf(summary: Summary, size: Size, ...typed: readonly string[]) {
  const ui = await openUi({ summary, at: AT, size });
  await ui.type(...typed);
  const rows = stripVTControlCharacters(ui.frame()).split('\n');
  ui.close();
  return rows;
}

describe('the rollout above the list of pods', () => {
  it.each([{ columns: 80, rows: 24 }, WIDE, { columns: 200, rows: 60 }])(
    'shows each count of replicas and what it was: $columns×$rows',
    async (size) => {
      const rows = await rowsOf(await rollout(), size);
      const parts = rows.flatMap(
        (row) => /^ {2}(\w+) +(\d.*?) ([·▁-█]+)/.exec(row)?.slice(1) ?? [],
      );
      const bars = (index: number): string => [...new Set(parts[index])].join('');
      expect(parts.filter((_, index) => index % 3 !== 2)).toEqual([
        'new',
        '2 of 3',
        'old',
        '1',
        'ready',
        '2',
        'available',
        '2',
        'endpoints',
        '2',
      ]);
      expect([2, 5, 8, 11, 14].map(bars)).toEqual(['▃▅', '▆▃', '▆█▅', '▆▅', '▆█▅']);
      expect(rows.some((row) => /^\S? *POD/.test(row))).toBe(true);
    },
  );

  it('has one row on a terminal of 40×12', async () => {
    const rows = await rowsOf(await rollout(), { columns: 40, rows: 12 });
    expect(rows.some((row) => row.startsWith('new 2 of 3  old 1  ready 2'))).toBe(true);
  });

  it('shows how it went once it is complete', async () => {
    expect((await rowsOf(await rollout(true), WIDE)).join('\n')).toMatch(/new +2 of 3 ▃+▅/);
  });

  it('is not there where nothing is rolled out', async () => {
    const summary = await rollout(true);
    const workloads = summary.workloads.map((each) => ({
      ...{ ...each, history: each.history.slice(-1) },
    }));
    expect((await rowsOf({ ...summary, workloads }, WIDE)).join('\n')).not.toContain('endpoints');
  });

  it('is that of the workload in view, else the first that is not complete', async () => {
    const other = await rollout(false, 'statefulset/db');
    const summary = {
      ...other,
      workloads: [...(await rollout(true)).workloads, ...other.workloads],
    };
    expect((await rowsOf(summary, WIDE)).join('\n')).toMatch(/^statefulset\/db +╷/m);
    const pods = summary.pods.map((pod) => ({
      ...pod,
      object: {
        ...pod.object,
        metadata: {
          ...pod.object.metadata,
          labels: { 'pod-template-hash': '7d4' },
          ownerReferences: [
            {
              ...{ apiVersion: 'apps/v1', kind: 'ReplicaSet' },
              name: 'web-7d4',
              uid: '1',
              controller: true,
            },
          ],
        },
      },
    }));
    const rows = await rowsOf({ ...summary, pods }, WIDE, ':deploy web', '\r');
    expect(rows.join('\n')).toMatch(/^deployment\/web +╷/m);
  });
});

it.each([
  { columns: 40, rows: 12, sentence: 1 },
  { columns: 80, rows: 24, sentence: 2 },
  { columns: 120, rows: 40, sentence: 3 },
])(
  'says above an open pod in $sentence rows what the rollout waits for: $columns×$rows',
  async ({ sentence, ...size }) => {
    const summary = await rollout();
    const [workload] = summary.workloads;
    if (workload === undefined) throw new Error('no rollout');
    const long = { ...workload, sentence: 'waits and '.repeat(50) };
    const rows = await rowsOf({ ...summary, workloads: [long] }, size, '\r');
    expect(rows.filter((row) => row.includes('waits and'))).toHaveLength(sentence);
    expect(rows.join('\n')).toMatch(/^│?worker {3}/m);
  },
);
