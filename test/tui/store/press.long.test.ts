import { stripVTControlCharacters } from 'node:util';

import { describe, expect, it } from 'vitest';

import { openUi, summaryAt } from '../../helpers/ui.js';

const AT = 34.2;

describe('an action key', () => {
  it.each([
    { name: 'q', keys: ['q'], effects: [{ kind: 'quit' }] },
    { name: 'Ctrl-C', keys: ['\x03'], effects: [{ kind: 'interrupt' }] },
    { name: 'Ctrl-Z', keys: ['\x1a'], effects: [{ kind: 'suspend' }] },
    { name: 'Ctrl-L', keys: ['\x0c'], effects: [{ kind: 'redraw' }] },
    { name: 'Ctrl-S', keys: ['\x13'], effects: [{ kind: 'save' }] },
    {
      name: 't on a probe',
      keys: ['k', 't'],
      effects: [{ kind: 'trigger', pod: 'default/web', container: 'app', probe: 'readiness' }],
    },
    {
      name: 't on a container with probes',
      keys: ['g', 't'],
      effects: [{ kind: 'say', text: 'choose a probe first (j, k)' }],
    },
    {
      name: 't on a container without probes',
      keys: ['j', 't'],
      effects: [{ kind: 'say', text: 'log has no probes' }],
    },
    { name: 'r and n', keys: ['r', 'n'], effects: [] },
    {
      name: 'r and y',
      keys: ['r', 'y'],
      effects: [{ kind: 'restart', pod: 'default/web', container: 'app' }],
    },
    { name: 'q in a filter', keys: ['/', 'q'], effects: [] },
    { name: 'a pasted q', keys: ['\x1b[200~', 'q', '\x1b[201~'], effects: [] },
    {
      name: 'q after a pasted text that ends with Escape',
      keys: ['\x1b[200~q\x1b\x1b[201~', 'q'],
      effects: [{ kind: 'quit' }],
    },
    { name: 'a pasted q after Escape', keys: ['\x1b\x1b[200~q\x1b[201~'], effects: [] },
  ])('has its effect: $name', async ({ keys, effects }) => {
    const ui = await openUi({ summary: await summaryAt(AT, 'web'), at: AT });
    await ui.type(...keys);
    expect(ui.effects).toEqual(effects);
    ui.close();
  });

  it.each([
    { name: 'is simulated', context: { isSimulated: () => true } },
    { name: 'is replayed', context: { replayLength: 40 } },
  ])('restarts without a question when the container $name', async ({ context }) => {
    const ui = await openUi({ summary: await summaryAt(AT, 'web'), at: AT, context });
    await ui.type('r');
    expect(ui.effects).toEqual([{ kind: 'restart', pod: 'default/web', container: 'app' }]);
    ui.close();
  });
});

it('keeps 10,000 characters of what is typed or pasted', async () => {
  const ui = await openUi({ summary: await summaryAt(AT, 'web'), at: AT });
  await ui.type('/', `\x1b[200~${'q'.repeat(10_000)}Z\x1b[201~`, 'Z');
  const [row] = ui.frame().split('\n');
  expect(row).toContain('qqq');
  expect(row).not.toContain('Z');
  ui.close();
});

describe('T on a probe that fails', () => {
  it.each([
    { name: 'tries what may help', triesOnKey: true, kinds: ['try'] },
    { name: 'has no effect where kprobe tries by itself', triesOnKey: false, kinds: [] },
  ])('$name', async ({ triesOnKey, kinds }) => {
    const size = { columns: 200, rows: 40 };
    const summary = await summaryAt(AT, 'web');
    const ui = await openUi({ summary, at: AT, size, context: { triesOnKey } });
    expect(ui.frame().includes('try changes')).toBe(triesOnKey);
    await ui.type('T');
    expect(ui.effects.map(({ kind }) => kind)).toEqual(kinds);
    ui.close();
  });
});

describe('an overlay', () => {
  const overlays = [
    { name: 'help', keys: ['?'], shows: 'Everywhere' },
    { name: 'attempt', keys: ['\r'], shows: 'app/liveness: attempt' },
    { name: 'describe', keys: ['d'], shows: 'Settings' },
    { name: 'explain', keys: ['x'], shows: 'app/liveness explained' },
    { name: 'copy', keys: ['c'], shows: 'A number copies the text' },
    { name: 'confirmRestart', keys: ['r'], shows: 'Restart app?' },
  ];
  const closing = [
    { key: 'Esc', input: '\x1b' },
    { key: 'q', input: 'q' },
  ];
  it.each(overlays.flatMap((overlay) => closing.map((by) => ({ ...overlay, ...by }))))(
    'closes by $key without an effect: $name',
    async ({ keys, shows, input }) => {
      const ui = await openUi({ summary: await summaryAt(AT, 'web'), at: AT });
      await ui.type(...keys);
      expect(ui.frame()).toContain(shows);
      await ui.type(input);
      await ui.pass(200);
      expect(ui.frame()).not.toContain(shows);
      expect(ui.frame()).toContain('what the kubelet does next');
      expect(ui.effects).toEqual([]);
      ui.close();
    },
  );

  it('of copies offers as many numbers as there are, and Enter copies the first', async () => {
    const ui = await openUi({ summary: await summaryAt(AT, 'web'), at: AT });
    await ui.type('c');
    expect(stripVTControlCharacters(ui.frame())).toMatch(
      /1 – 2 copy {2}j k scroll {2}esc close {2}\? keys/,
    );
    await ui.type('\r');
    expect(ui.effects).toEqual([{ kind: 'copy', name: 'the command', text: 'cat healthy' }]);
    ui.close();
  });

  it('of keys has those of what it lies over', async () => {
    const ui = await openUi({ summary: await summaryAt(AT, 'web'), at: AT });
    await ui.type('c', '?');
    expect(ui.frame()).toMatch(/In this view[^]*copy the text of that number[^]*Everywhere/);
    ui.close();
  });

  it('of copies scrolls on a low screen', async () => {
    const size = { columns: 40, rows: 12 };
    const ui = await openUi({ summary: await summaryAt(AT, 'web'), at: AT, size });
    await ui.type('k', 'c');
    expect(ui.frame()).toContain('1  curl');
    expect(ui.frame()).not.toContain('q closes this.');
    await ui.type('j', 'j', 'j');
    expect(ui.frame()).toContain('q closes this.');
    ui.close();
  });
});

describe('the footer', () => {
  it.each([
    { row: 'a probe', keys: [], has: /enter attempt {2}t probe now {2}d describe {2}x explain/ },
    {
      row: 'a container',
      keys: ['g'],
      has: /^d describe {2}r restart {2}l logs {2}p previous {2}j k/m,
    },
  ])('offers only the keys that work on $row', async ({ keys, has }) => {
    const ui = await openUi({ summary: await summaryAt(AT, 'web'), at: AT });
    await ui.type(...keys);
    expect(stripVTControlCharacters(ui.frame())).toMatch(has);
    ui.close();
  });
});

describe('keys that come within one frame', () => {
  const size = { columns: 80, rows: 24 };

  it('act on the view that the first of them has opened', async () => {
    const ui = await openUi({ summary: await summaryAt(AT, 'web'), at: AT, size });
    await ui.type('4G');
    await ui.pass(200);
    expect(stripVTControlCharacters(ui.frame())).toMatch(/–(\d+) of \1 ─$/);
    await ui.type('1G4');
    await ui.pass(200);
    await ui.type('1');
    expect(stripVTControlCharacters(ui.frame())).toMatch(/^log .* restarts 0 +$/m);
    ui.close();
  });
});

describe('the position in the footer', () => {
  it('is that of the frame with the new size', async () => {
    const ui = await openUi({ summary: await summaryAt(AT, 'web'), at: AT });
    await ui.type('4');
    ui.store.resize({ columns: 80, rows: 24 });
    await ui.pass(100);
    expect(stripVTControlCharacters(ui.frame())).toMatch(/ 1–21 of \d+ ─/);
    ui.close();
  });
});

describe('a paused view', () => {
  it('stands still, counts new lines, and shows them when resumed', async () => {
    const ui = await openUi({ summary: await summaryAt(5, 'web'), at: 5 });
    await ui.type(' ');
    const later = await summaryAt(12, 'web');
    ui.store.receive(later);
    ui.store.receive(later);
    await ui.pass(3000);
    expect(ui.frame()).toContain('PAUSED: 2 lines held back');
    expect(ui.frame()).toContain('up 5s');
    await ui.type(' ');
    expect(ui.frame()).not.toContain('PAUSED');
    expect(ui.frame()).toContain('up 8s');
    ui.close();
  });
});

describe('the keys of the player', () => {
  const keys = [' ', 'u', ',', '.', '<', '>'];
  const open = async (replayLength?: number) =>
    openUi({ summary: await summaryAt(AT, 'web'), at: AT, context: { replayLength } });

  it('play, seek and change the speed in a replay, and do not freeze the display', async () => {
    const ui = await open(40);
    await ui.type(...keys);
    expect(ui.effects).toEqual([
      { kind: 'play', do: 'togglePause' },
      { kind: 'play', do: 'togglePause' },
      { kind: 'seek', seconds: -10 },
      { kind: 'seek', seconds: 10 },
      { kind: 'play', do: 'slower' },
      { kind: 'play', do: 'faster' },
    ]);
    expect(ui.frame()).not.toContain('PAUSED');
    ui.close();
  });

  it('have no effect on a live run', async () => {
    const ui = await open();
    await ui.type(...keys);
    expect(ui.effects).toEqual([]);
    ui.close();
  });

  it.each([
    ['a replay shows', 40, true],
    ['a live run does not show', undefined, false],
  ])('are in the help that %s', async (_, replayLength, has) => {
    const ui = await open(replayLength);
    await ui.type('?', '\x06');
    expect(ui.frame().includes('go back 10 s, or forward')).toBe(has);
    expect(ui.frame().includes('pause the display')).toBe(!has);
    ui.close();
  });
});

describe('several pods', () => {
  it('are opened with Enter and left with Escape', async () => {
    const ui = await openUi({ summary: await summaryAt(AT, 'web', 'crash-loop'), at: AT });
    expect(ui.frame()).toContain('2 pods');
    await ui.type('j', '\r');
    expect(ui.frame()).toContain('exec cat healthy');
    await ui.type('\x1b');
    await ui.pass(200);
    expect(ui.frame()).toContain('2 pods');
    ui.close();
  });

  it('leave the pod chosen that was open', async () => {
    const ui = await openUi({ summary: await summaryAt(AT, 'web', 'crash-loop'), at: AT });
    await ui.type(':', 'pod web', '\r');
    await ui.type('\x1b');
    await ui.pass(200);
    await ui.type('\r');
    expect(stripVTControlCharacters(ui.frame())).toMatch(/^web /);
    await ui.type('N', '\x1b');
    await ui.pass(200);
    await ui.type('\r');
    expect(stripVTControlCharacters(ui.frame())).toMatch(/^worker /);
    ui.close();
  });
});

describe('the logs', () => {
  const open = async () => {
    const summary = await summaryAt(AT, 'web');
    const output = Array.from({ length: 90 }, (_, index) => ({
      t: index,
      run: 1,
      stream: 'stdout' as const,
      text: index % 30 === 10 ? `\x1b[31mboom\x1b[0m ${index}` : `line ${index}`,
    }));
    const pods = summary.pods.map((pod) => ({
      ...pod,
      containers: pod.containers.map((each) => ({ ...each, output, outputCount: 90 })),
    }));
    const ui = await openUi({ summary: { ...summary, pods }, at: AT });
    await ui.type('l');
    return { ui, text: () => stripVTControlCharacters(ui.frame()) };
  };

  it('show no escape sequence of the program, and since when they are kept', async () => {
    const { ui, text } = await open();
    await ui.type('g');
    expect(text()).toContain('boom 10');
    expect(text()).toContain('logs of app since 0.0 s');
    ui.close();
  });

  it('go with n and N from match to match', async () => {
    const { ui, text } = await open();
    await ui.type('g', '/', 'boom', '\r');
    expect(text()).toContain('/boom: 3 of 90, esc clears');
    await ui.type('n', 'n');
    expect(text().split('\n')[1]).toContain('boom 40');
    await ui.type('N');
    expect(text().split('\n')[1]).toContain('boom 10');
    await ui.type('N');
    expect(text()).toContain('line 89');
    await ui.type('n');
    expect(text().split('\n')[1]).toContain('boom 10');
    expect(text()).toContain('n N match');
    ui.close();
  });

  it.each([
    { name: 'web', has: true },
    { name: 'flap', has: false },
  ])('offer another container where there is one: $name', async ({ name, has }) => {
    const ui = await openUi({ summary: await summaryAt(AT, name), at: AT });
    await ui.type('l');
    expect(stripVTControlCharacters(ui.frame()).includes('← → container')).toBe(has);
    ui.close();
  });

  it('follow and stop following with f', async () => {
    const { ui, text } = await open();
    expect(text()).toContain(', follows');
    await ui.type('f');
    expect(text()).not.toContain(', follows');
    await ui.type('f');
    expect(text()).toContain(', follows');
    ui.close();
  });
});

describe('the list of pods', () => {
  it('shows the trouble at 40×12', async () => {
    const summary = await summaryAt(AT, 'web', 'crash-loop');
    const ui = await openUi({ summary, at: AT, size: { columns: 40, rows: 12 } });
    expect(ui.frame()).toMatch(/POD.*TROUBLE/);
    expect(ui.frame()).toContain(' crashed 3 ×');
    ui.close();
  });
});

describe('a filter', () => {
  it('tells how many rows it lets through', async () => {
    const ui = await openUi({ summary: await summaryAt(AT, 'web'), at: AT });
    await ui.type('3', '/', 'Killing', '\r');
    await ui.pass(200);
    expect(ui.frame()).toContain('/Killing: 1 of 14, esc clears');
    ui.close();
  });

  it.each(['1', '2', '3', '4', '?'])(
    'that lets nothing through in view %s says so',
    async (key) => {
      const ui = await openUi({ summary: await summaryAt(AT, 'web'), at: AT });
      await ui.type(key, '/', 'zzz', '\r');
      expect(ui.frame()).toMatch(/nothing here contains zzz: esc shows all \d+/);
      ui.close();
    },
  );
});

describe('a command', () => {
  it.each([
    { command: 'events', shows: /\[3 events\]/ },
    { command: 'ev', shows: /\[3 events\]/ },
    { command: 'pod worker', shows: /^worker +default/ },
    { command: 'logs web', shows: /^web .*logs of app/ },
    { command: 'logs app', shows: /^web .*logs of app/ },
    { command: 'pods', shows: /2 pods/ },
    { command: 'keys', shows: /Everywhere/ },
  ])('jumps: $command', async ({ command, shows }) => {
    const ui = await openUi({ summary: await summaryAt(AT, 'web', 'crash-loop'), at: AT });
    await ui.type(':', command, '\r');
    await ui.pass(200);
    expect(stripVTControlCharacters(ui.frame())).toMatch(shows);
    ui.close();
  });

  it.each([
    { command: 'q', effect: { kind: 'quit' } },
    { command: 'pods', effect: { kind: 'say', text: 'there is no other pod' } },
    {
      command: 'pod nobody',
      effect: { kind: 'say', text: 'no pod or container has the name nobody' },
    },
    {
      command: 'what',
      effect: {
        kind: 'say',
        text: 'no command what; there are ns, deploy, sts, ds, rs, job, pods, pod, timeline, events, status, logs, keys, quit',
      },
    },
  ])('has its effect: $command', async ({ command, effect }) => {
    const ui = await openUi({ summary: await summaryAt(AT, 'web'), at: AT });
    await ui.type(':', command, '\r');
    expect(ui.effects).toEqual([effect]);
    ui.close();
  });
});

describe('s', () => {
  it('sorts events by the next column', async () => {
    const ui = await openUi({ summary: await summaryAt(AT, 'web'), at: AT });
    await ui.type('3', 's');
    const rows = stripVTControlCharacters(ui.frame()).split('\n');
    expect(rows[0]).toContain('events by count');
    const counts = rows.slice(2, 16).map((row) => Number(/^\S+ +(\d+)/.exec(row)?.[1]));
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    ui.close();
  });
});

describe('c', () => {
  it('copies an attempt as curl and as kprobe once', async () => {
    const ui = await openUi({ summary: await summaryAt(AT, 'web'), at: AT });
    await ui.type('k', 'c', '1', 'c', '2');
    expect(ui.effects).toEqual([
      { kind: 'copy', name: 'curl', text: 'curl -ik --max-time 1 http://127.0.0.1:8080/ready' },
      {
        kind: 'copy',
        name: 'kprobe once',
        text: 'kprobe once -m 1s --http http://127.0.0.1:8080/ready',
      },
    ]);
    ui.close();
  });
});

describe('the mouse', () => {
  const click = (frame: string, text: string): string => {
    const row = frame.split('\n').findIndex((one) => one.includes(text));
    return `\x1b[<0;5;${row + 1}M`;
  };

  it('chooses a row with a click, opens it with another, and moves with the wheel', async () => {
    const ui = await openUi({ summary: await summaryAt(AT, 'web'), at: AT });
    await ui.pass(200);
    const frame = stripVTControlCharacters(ui.frame());
    await ui.type(click(frame, '  readiness '));
    expect(stripVTControlCharacters(ui.frame())).toContain('▸ readiness');
    await ui.type('\x1b[<65;5;5M');
    expect(stripVTControlCharacters(ui.frame())).toContain('▸ liveness');
    await ui.type(click(frame, '  liveness '), click(frame, '▸ liveness'));
    expect(ui.frame()).toContain('app/liveness: attempt');
    ui.close();
  });

  it('opens a row with two clicks at one place, although the first click moves the row', async () => {
    const size = { columns: 80, rows: 24 };
    const ui = await openUi({ summary: await summaryAt(AT, 'web'), at: AT, size });
    await ui.type('g', 'j');
    const place = click(stripVTControlCharacters(ui.frame()), '  readiness ');
    await ui.type(place);
    expect(click(stripVTControlCharacters(ui.frame()), '▸ readiness ')).not.toBe(place);
    await ui.type(place);
    expect(ui.frame()).toContain('app/readiness: attempt');
    ui.close();
  });

  it('goes to the tab that is clicked', async () => {
    const ui = await openUi({ summary: await summaryAt(AT, 'web'), at: AT });
    const rows = stripVTControlCharacters(ui.frame()).split('\n');
    const column = (rows.at(-1)?.indexOf('3 events') ?? 0) + 1;
    await ui.type(`\x1b[<0;${column};${rows.length}M`);
    expect(ui.frame()).toContain('[3 events]');
    ui.close();
  });

  it('goes to the tab that is clicked on a low screen, which names the current tab alone', async () => {
    const size = { columns: 40, rows: 12 };
    const ui = await openUi({ summary: await summaryAt(AT, 'web'), at: AT, size });
    const last = (): string => stripVTControlCharacters(ui.frame()).split('\n').at(-1) ?? '';
    for (const tab of ['5', '4', '3']) {
      await ui.type(`\x1b[<0;${last().indexOf(tab) + 1};12M`);
    }
    expect(last()).toContain(' 1  2 [3 events] 4  5 ');
    ui.close();
  });
});
