import { stripVTControlCharacters } from 'node:util';

import { describe, expect, it } from 'vitest';

import type { PodSummary, Summary } from '../../../src/trace/summary/summary.js';
import type { Size } from '../../../src/tui/store/state.js';
import { openUi, summaryAt } from '../../helpers/ui.js';

const AT = 34.2;

type Ui = Awaited<ReturnType<typeof openUi>>;

function rowsOf(ui: Ui): string[] {
  return stripVTControlCharacters(ui.frame()).split('\n');
}

function podsOf(ui: Ui): string[] {
  return rowsOf(ui).flatMap((row) => /^[* ] (web|worker|hostile|many)\b/.exec(row)?.[1] ?? []);
}

/** The pods of the scenarios with other metadata and nodes, by their names. */
async function clusterAt(seconds: number): Promise<Summary> {
  const summary = await summaryAt(seconds, 'web', 'crash-loop');
  const places: Readonly<Record<string, object>> = {
    web: {
      namespace: 'shop',
      labels: { 'pod-template-hash': '7d4' },
      ownerReferences: [{ kind: 'ReplicaSet', name: 'site-7d4', uid: '1', controller: true }],
    },
    worker: {
      namespace: 'infra',
      ownerReferences: [{ kind: 'StatefulSet', name: 'db', uid: '2', controller: true }],
    },
  };
  const place = (pod: PodSummary): PodSummary => {
    const { metadata, spec } = pod.object;
    const changed = { ...metadata, ...places[metadata.name] };
    const object = {
      ...pod.object,
      metadata: changed,
      spec: { ...spec, nodeName: `node-${metadata.name}` },
    };
    return { ...pod, key: `${changed.namespace}/${metadata.name}`, object };
  };
  return { ...summary, pods: summary.pods.map(place) };
}

describe('the chosen pod', () => {
  it.each([
    { columns: 40, rows: 12, names: ['web', 'crash-loop'], place: 'nowhere' },
    { columns: 60, rows: 15, names: ['web', 'crash-loop'], place: 'below' },
    { columns: 80, rows: 24, names: ['web', 'crash-loop', 'flap', 'many'], place: 'below' },
    { columns: 119, rows: 40, names: ['web', 'crash-loop'], place: 'below' },
    { columns: 120, rows: 40, names: ['web', 'crash-loop'], place: 'beside' },
    { columns: 120, rows: 16, names: ['web', 'crash-loop'], place: 'beside' },
    { columns: 200, rows: 60, names: ['web', 'crash-loop'], place: 'beside' },
  ])('is $place a list of $names: $columns×$rows', async ({ names, place, ...size }) => {
    const ui = await openUi({ summary: await summaryAt(AT, ...names), at: AT, size });
    const row = rowsOf(ui).find((each) => each.includes('✗ worker crashed'));
    expect(row === undefined ? 'nowhere' : row.startsWith('✗') ? 'below' : 'beside').toBe(place);
    expect(rowsOf(ui).some((each) => /restarts \d/.test(each))).toBe(place !== 'nowhere');
    ui.close();
  });

  it('follows the cursor below a narrow list, whose keys stay', async () => {
    const size = { columns: 80, rows: 24 };
    const ui = await openUi({ summary: await summaryAt(AT, 'web', 'crash-loop'), at: AT, size });
    await ui.type('j');
    expect(rowsOf(ui).join('\n')).toMatch(/^─ web ─+\n✗ app killed 1 ×/m);
    expect(podsOf(ui)).toEqual(['worker', 'web']);
    ui.close();
  });

  it.each([
    { columns: 120, rows: 40 },
    { columns: 200, rows: 60 },
    { columns: 300, rows: 80 },
  ])(
    'moves with the cursor, with its diagnosis, probes, events and output: $columns×$rows',
    async (size) => {
      const ui = await openUi({ summary: await summaryAt(AT, 'web', 'crash-loop'), at: AT, size });
      const shown = (): string => rowsOf(ui).join('\n');
      expect(shown()).toMatch(/✗ worker crashed/);
      expect(shown()).toContain('logs of worker');
      await ui.type('j');
      expect(shown()).toMatch(/✗ app killed 1 ×/);
      for (const part of [
        'containers and probes',
        'liveness',
        'per cell',
        '─ events',
        'logs of app',
      ]) {
        expect(shown()).toContain(part);
      }
      ui.close();
    },
  );

  it('has its cause in full beside the list where there are rows for it: 120×40', async () => {
    const size = { columns: 120, rows: 40 };
    const ui = await openUi({ summary: await summaryAt(AT, 'hostile', 'flap'), at: AT, size });
    const rows = rowsOf(ui).map((row) => row.slice(60).trim());
    const cause = rows.slice(
      1,
      rows.findIndex((row) => row.includes('containers and probes')),
    );
    for (const row of [/│app +running/, /│▸ liveness/]) {
      expect(rows.some((each) => row.test(each))).toBe(true);
    }
    expect(cause.join('')).toMatch(/^✗ app: liveness 29 × exit 1; שלום עולם(?:全角文字)+= Fix /);
    ui.close();
  });

  it('takes no clicks: only those on the list choose a pod', async () => {
    const size = { columns: 120, rows: 40 };
    const ui = await openUi({ summary: await summaryAt(AT, 'web', 'crash-loop'), at: AT, size });
    await ui.type('\x1b[<0;100;4M');
    expect(rowsOf(ui).join('\n')).toContain('logs of worker');
    await ui.type('\x1b[<0;10;4M');
    expect(rowsOf(ui).join('\n')).toContain('logs of app');
    ui.close();
  });

  it('leaves few rows empty on a screen of 300×80', async () => {
    const size = { columns: 300, rows: 80 };
    const ui = await openUi({ summary: await summaryAt(AT, 'web', 'crash-loop'), at: AT, size });
    expect(rowsOf(ui).filter((row) => row.trim() === '')).toEqual([]);
    ui.close();
  });
});

describe('a list of copies of a pod', () => {
  const copiesAt = async (count: number): Promise<Summary> => {
    const summary = await summaryAt(AT, 'web');
    const pods = Array.from({ length: count }, (_, index) =>
      summary.pods.map((pod) => {
        const name = `web-${String(index).padStart(2, '0')}`;
        const metadata = { ...pod.object.metadata, name };
        return { ...pod, key: `default/${name}`, object: { ...pod.object, metadata } };
      }),
    ).flat();
    return { ...summary, pods };
  };

  it.each([
    { count: 10, columns: 80, rows: 24 },
    { count: 30, columns: 120, rows: 40 },
  ])('has a row for each of $count: $columns×$rows', async ({ count, ...size }) => {
    const ui = await openUi({ summary: await copiesAt(count), at: AT, size });
    const names = rowsOf(ui)
      .slice(2, 2 + count)
      .map((row) => /^[* ] (web-\d\d) +1\/2/.exec(row)?.[1]);
    expect(names).toEqual(
      Array.from({ length: count }, (_, index) => `web-${String(index).padStart(2, '0')}`),
    );
    ui.close();
  });

  it('does not cut the heading by which it is sorted', async () => {
    const size = { columns: 80, rows: 24 };
    const ui = await openUi({ summary: await copiesAt(30), at: AT, size });
    await ui.type('T', 'T');
    expect(rowsOf(ui)[1]).toContain('RESTARTS ↑');
    ui.close();
  });
});

describe('the columns of the list', () => {
  const headings = async (size: Size): Promise<string[]> => {
    const ui = await openUi({ summary: await clusterAt(AT), at: AT, size });
    const [, row = ''] = rowsOf(ui);
    ui.close();
    return row
      .slice(0, size.columns < 120 ? size.columns : Math.max(size.columns / 2, size.columns - 120))
      .split(/[↓↑ ✗]+/)
      .filter((word) => /^[A-Z]+$/.test(word));
  };

  it.each([
    { columns: 40, rows: 12, has: ['POD', 'READY', 'RESTARTS', 'TROUBLE'] },
    {
      columns: 80,
      rows: 24,
      has: ['POD', 'NAMESPACE', 'READY', 'STATUS', 'RESTARTS', 'TROUBLE', 'AGE'],
    },
    {
      columns: 300,
      rows: 80,
      has: [
        'POD',
        'NAMESPACE',
        'READY',
        'STATUS',
        'RESTARTS',
        'TROUBLE',
        'NEXT',
        'LATENCY',
        'NODE',
        'AGE',
      ],
    },
  ])('are those there is room for: $columns×$rows', async ({ has, ...size }) => {
    expect(await headings(size)).toEqual(has);
  });

  it('have the namespace only where there are several', async () => {
    const size = { columns: 300, rows: 80 };
    const ui = await openUi({ summary: await summaryAt(AT, 'web', 'crash-loop'), at: AT, size });
    expect(rowsOf(ui)[1]).not.toContain('NAMESPACE');
    ui.store.receive(await clusterAt(AT));
    await ui.pass(300);
    expect(rowsOf(ui)[1]).toContain('NAMESPACE');
    await ui.type(':', 'ns shop', '\r');
    expect(rowsOf(ui)[1]).not.toContain('NAMESPACE');
    ui.close();
  });

  it('have the share of CPU periods that a limit takes, where one is known', async () => {
    const summary = await clusterAt(AT);
    const pods = summary.pods.map((pod) => ({
      ...pod,
      containers: pod.containers.map((each) => ({
        ...each,
        runs: each.runs.map((run) => ({
          ...run,
          listening: { t: AT, started: true, sockets: [], processes: [], throttled: 0.804 },
        })),
      })),
    }));
    const size = { columns: 300, rows: 80 };
    const ui = await openUi({ summary: { ...summary, pods }, at: AT, size });
    expect(rowsOf(ui)[1]).toMatch(/LATENCY +THROTTLED/);
    expect(rowsOf(ui).find((each) => /^[* ] web /.test(each))).toMatch(/ 80 % /);
    ui.close();
  });

  it('have the next decision, the latencies of the slowest probe, and the node', async () => {
    const size = { columns: 300, rows: 80 };
    const ui = await openUi({ summary: await clusterAt(AT), at: AT, size });
    const row = rowsOf(ui).find((each) => /^[* ] web /.test(each));
    expect(row).toMatch(/app\/liveness: 1 more.* [▁▂▃▄▅▆▇█]+ *┤1 s +\d+(\.\d)? ms node-web +34s/);
    ui.close();
  });

  it.each([
    { key: 'N', by: 'pod', first: 'web' },
    { key: 'P', by: 'namespace', first: 'worker' },
    { key: 'R', by: 'ready', first: 'web' },
    { key: 'T', by: 'restarts', first: 'worker' },
    { key: 'L', by: 'latency', first: 'web' },
    { key: 'X', by: 'next', first: 'worker' },
    { key: 'O', by: 'node', first: 'web' },
  ])(
    'sort by Shift and a letter, and again the other way round: $by',
    async ({ key, by, first }) => {
      const ui = await openUi({ summary: await clusterAt(AT), at: AT });
      await ui.type(key);
      expect(rowsOf(ui)[0]).toContain(`2 pods by ${by}`);
      const [top, ...others] = podsOf(ui);
      expect(top).toBe(first);
      await ui.type(key);
      expect(podsOf(ui)).toEqual([...others.toReversed(), first]);
      ui.close();
    },
  );
});

it.each([
  { columns: 40, rows: 12, height: 2 },
  { columns: 80, rows: 24, height: 1 },
  { columns: 119, rows: 40, height: 1 },
])(
  'unfolds the chosen row to $height rows at most: $columns×$rows',
  async ({ height, ...size }) => {
    const summary = await summaryAt(AT, 'web', 'crash-loop');
    const ui = await openUi({ summary, at: AT, size });
    const rows = rowsOf(ui);
    const next = rows.findIndex((row) => /^[ *] web/.test(row));
    const chosen = rows.findIndex((row) => row.startsWith('  worker'));
    expect(next - chosen).toBeGreaterThan(0);
    expect(next - chosen).toBeLessThanOrEqual(height);
    ui.close();
  },
);

it('says in the help that N sorts, and that n goes to the next in trouble', async () => {
  const summary = await summaryAt(AT, 'web', 'crash-loop');
  const ui = await openUi({ summary, at: AT, size: { columns: 120, rows: 60 } });
  await ui.type('?');
  const help = rowsOf(ui).join('\n');
  expect(help).toMatch(/sort by a column.*N pod/);
  expect(help).toMatch(/^ {2}n +next in trouble$/m);
  expect(help).not.toContain('previous in trouble');
  await ui.type('q', '\r', '?');
  expect(rowsOf(ui).join('\n')).toMatch(/^ {2}n N +next in trouble, previous in trouble$/m);
  ui.close();
});

describe('the mark of a pod that has changed', () => {
  /** The names of the marked pods. */
  const marked = (ui: Ui): string[] =>
    rowsOf(ui).flatMap((row) => /^\* (\S+)/.exec(row)?.[1] ?? []);
  const open = async () => {
    const ui = await openUi({ summary: await summaryAt(8, 'web', 'crash-loop', 'flap'), at: AT });
    await ui.type('N', 'g');
    const before = marked(ui);
    ui.store.receive(await summaryAt(AT, 'web', 'crash-loop', 'flap'));
    await ui.pass(300);
    return { ui, before };
  };

  it('comes with a lost readiness or an end, but not for the pod that is chosen', async () => {
    const { ui, before } = await open();
    expect(marked(ui)).toContain('web');
    expect(before).not.toContain('web');
    ui.close();
  });

  it('goes once the pod was chosen', async () => {
    const { ui } = await open();
    await ui.type('G', 'k', 'k', 'k', 'j', 'j', 'j');
    expect(marked(ui)).toEqual([]);
    ui.close();
  });

  it('goes for all pods on Escape', async () => {
    const { ui } = await open();
    await ui.type('\x1b');
    await ui.pass(200);
    expect(marked(ui)).toEqual([]);
    ui.close();
  });
});

describe('a command for the list', () => {
  it.each([
    { command: 'ns shop', title: '1 pod in shop', pods: ['web'] },
    { command: 'namespace infra', title: '1 pod in infra', pods: ['worker'] },
    { command: 'deploy site', title: '1 pod of deployment/site', pods: ['web'] },
    { command: 'rs site-7d4', title: '1 pod of replicaset/site-7d4', pods: ['web'] },
    { command: 'sts db', title: '1 pod of statefulset/db', pods: ['worker'] },
    { command: 'ns all', title: '2 pods', pods: ['worker', 'web'] },
  ])('lists its pods until 0: $command', async ({ command, title, pods }) => {
    const ui = await openUi({ summary: await clusterAt(AT), at: AT });
    await ui.type(':', command, '\r');
    expect(rowsOf(ui)[0]).toContain(title);
    expect(podsOf(ui)).toEqual(pods);
    await ui.type('0');
    expect(podsOf(ui)).toEqual(['worker', 'web']);
    ui.close();
  });

  it.each([
    { command: 'ns', text: 'here: infra, shop' },
    { command: 'ns nowhere', text: 'no pod here is in the namespace nowhere; here: infra, shop' },
    {
      command: 'deploy db',
      text: 'no pod here belongs to deployment/db; here: deployment/site',
    },
    {
      command: 'ds db',
      text: 'no pod here belongs to daemonset/db; no pod here has a daemonset',
    },
    {
      command: 'ns nowhere',
      target: 'cluster',
      text: 'no pod here is in the namespace nowhere; here: infra, shop; kprobe watch -A watches all namespaces, -n NAME another one',
    },
  ])('says what there is: $command $target', async ({ command, text, target = 'process' }) => {
    const ui = await openUi({ summary: await clusterAt(AT), at: AT, context: { target } });
    await ui.type(':', command, '\r');
    expect(ui.effects).toEqual([{ kind: 'say', text }]);
    expect(podsOf(ui)).toEqual(['worker', 'web']);
    ui.close();
  });
});

it.each([
  ['DeadlineExceeded', 'Error +\\d +DeadlineExceeded'],
  ['', 'Error +\\d +crashed'],
])(
  'a pod that failed with the reason %j has it, or its cause, as its trouble',
  async (reason, row) => {
    const summary = await summaryAt(AT, 'crash-loop', 'many');
    const pods = summary.pods.map((pod) =>
      pod.object.metadata.name === 'worker' ? { ...pod, phase: 'Failed' as const, reason } : pod,
    );
    const ui = await openUi({
      summary: { ...summary, pods },
      at: AT,
      size: { columns: 119, rows: 40 },
    });
    expect(rowsOf(ui).join('\n')).toMatch(new RegExp(`^ +worker .*${row}`, 'm'));
    ui.close();
  },
);
