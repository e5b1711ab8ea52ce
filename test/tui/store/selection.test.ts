import { stripVTControlCharacters } from 'node:util';

import { describe, expect, it } from 'vitest';

import { parseContainerState } from '../../../src/trace/summary/container-view.js';
import type { PodSummary } from '../../../src/trace/summary/summary.js';
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

describe('the row of a pod that is not ready', () => {
  const open = async (change: (pod: PodSummary) => PodSummary) => {
    const summary = await summaryAt(0.5, 'web', 'flap');
    const pods = summary.pods.map((pod, index) => (index === 0 ? change(pod) : pod));
    const size = { columns: 110, rows: 30 };
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

  it.each([
    { state: 'waiting ContainerCreating', restarts: 0, shows: 'ContainerCreating' },
    { state: 'terminated Completed 0', restarts: 5, shows: 'ended with 0, 5 restarts' },
    { state: 'running', restarts: 0, shows: 'not started yet' },
  ])('names what it waits for: $shows', async ({ state, restarts, shows }) => {
    const ui = await open((pod) => withState(pod, state, restarts));
    expect(shown(ui)).toContain(shows);
    ui.close();
  });
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
