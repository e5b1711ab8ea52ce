import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { openTerminal, type TestTerminal } from '../helpers/terminal.js';

describe('the keys of the terminal UI', () => {
  let terminal: TestTerminal;

  beforeAll(async () => {
    terminal = await openTerminal({ columns: 130, rows: 36 });
    await terminal.runUi();
  });

  afterAll(async () => {
    await terminal[Symbol.asyncDispose]();
  });

  // Back to the pod's view, with its first probe chosen.
  beforeEach(async () => {
    terminal.tmux.press('Escape', '1', 'g', 'j');
    await terminal.tmux.shows(/\[1 pod\]/, /▸ readiness/);
  });

  it.each([
    { key: '2', shows: [/\[2 timeline\]/, /1 s per cell, follows/, /success/] },
    { key: '3', shows: [/\[3 events\]/, /Normal +Started +app +Container started/] },
    { key: 'e', shows: [/\[3 events\]/] },
    { key: '4', shows: [/\[4 status\]/, /apiVersion: v1/, /kind: Pod/] },
    { key: 'y', shows: [/\[4 status\]/] },
    { key: '5', shows: [/\[5 logs\]/, /run 0 from/, /listening on \d+/] },
    { key: 'l', shows: [/\[5 logs\]/] },
    { key: 'Tab', shows: [/\[2 timeline\]/] },
    { key: 'BTab', shows: [/\[5 logs\]/] },
    { key: ']', shows: [/\[2 timeline\]/] },
    { key: '[', shows: [/\[5 logs\]/] },
    { key: 'Enter', shows: [/app\/readiness: attempt \d+ of/, /GET \/ready HTTP\/1\.1/, /200 OK/] },
    { key: 'd', shows: [/Settings/, /periodSeconds/, /prober_probe_total/, /p50/] },
    { key: 'x', shows: [/app\/readiness explained/, /first attempt/] },
    { key: '?', shows: [/In this view/, /Everywhere/, /ctrl-s/] },
    { key: 'j', shows: [/▸ liveness/] },
    { key: 'Down', shows: [/▸ liveness/] },
    { key: 'G', shows: [/▸ liveness/] },
  ])('$key shows its view', async ({ key, shows }) => {
    terminal.tmux.press(key);
    await terminal.tmux.shows(...shows);
  });

  const overlays = [
    { opens: 'Enter', shows: /app\/readiness: attempt \d+ of/ },
    { opens: 'd', shows: /Settings/ },
    { opens: 'x', shows: /app\/readiness explained/ },
    { opens: 'c', shows: /A number copies the text/ },
    { opens: 'r', shows: /Restart app\?/ },
    { opens: '?', shows: /In this view/ },
  ];
  it.each(overlays.flatMap((overlay) => ['Escape', 'q'].map((closes) => ({ ...overlay, closes }))))(
    'closes on $closes what $opens has opened',
    async ({ opens, shows, closes }) => {
      const { tmux } = terminal;
      tmux.press(opens);
      await tmux.shows(shows);
      tmux.press(closes);
      await tmux.shows(/▸ readiness/);
    },
  );

  it('shows the keys over the texts to copy, and closes one after the other', async () => {
    const { tmux } = terminal;
    tmux.press('c');
    await tmux.shows(/A number copies the text/);
    tmux.press('?');
    await tmux.shows(/copy the text of that number/);
    tmux.press('q');
    await tmux.shows(/A number copies the text/);
    tmux.press('q');
    await tmux.shows(/▸ readiness/);
  });

  it('goes through the attempts with the arrows', async () => {
    const { tmux } = terminal;
    tmux.press('Enter');
    await tmux.shows(/attempt (\d+) of \1/);
    tmux.press('Left');
    await tmux.shows(/attempt (\d+) of (?!\1)/);
  });

  it('zooms the timeline and stops following when the cursor moves', async () => {
    const { tmux } = terminal;
    tmux.press('2', '+');
    await tmux.shows(/0\.5 s per cell, follows/);
    tmux.press('-', '-');
    await tmux.shows(/2 s per cell, follows/);
    tmux.press('+', 'Left');
    await tmux.shows(/1 s per cell {3}/);
    tmux.press('f');
    await tmux.shows(/follows/);
  });

  it('shows only what the filter lets through, until Escape', async () => {
    const { tmux } = terminal;
    tmux.press('/');
    tmux.type('live');
    await tmux.until(
      () => tmux.screen(),
      (screen) => /\/live/.test(screen) && !/readiness/.test(screen),
      'the filter',
    );
    tmux.press('Enter', 'Escape');
    await tmux.shows(/readiness/, /liveness/);
  });

  it('takes a pasted text for no keys', async () => {
    const { tmux } = terminal;
    tmux.paste('q2d\n');
    tmux.press('?');
    await tmux.shows(/In this view/, /\[1 pod\]/);
  });

  it('takes keys after a pasted text that ends with Escape', async () => {
    const { tmux } = terminal;
    tmux.paste('q2d\x1b');
    tmux.press('?');
    await tmux.shows(/In this view/, /\[1 pod\]/);
  });

  it.each([
    { key: '/', shows: /enter applies it/ },
    { key: ':', shows: /enter jumps/ },
  ])('closes what is open on Escape right before $key', async ({ key, shows }) => {
    const { tmux } = terminal;
    tmux.press('?');
    await tmux.shows(/In this view/);
    tmux.type(`\x1b${key}`);
    expect(await tmux.shows(shows)).not.toContain('In this view');
    tmux.press('Escape');
  });

  it('acts on the view that a key just before has opened', async () => {
    const { tmux } = terminal;
    tmux.type('4G');
    await tmux.shows(/\[4 status\]/, /–(\d+) of \1 ─/);
  });

  it('puts a pasted text into the filter', async () => {
    const { tmux } = terminal;
    tmux.press('/');
    await tmux.shows(/enter applies it/);
    tmux.paste('liveness');
    await tmux.shows(/\/liveness/);
    tmux.press('Escape');
    await tmux.shows(/▸ readiness/);
  });

  it.each(['Space', 'u'])('holds the display on %s while probing goes on', async (key) => {
    const { tmux } = terminal;
    tmux.press(key);
    const before = await tmux.shows(/PAUSED: [1-9]\d* lines held back/);
    const up = /up \d+s/.exec(before)?.[0] ?? '';
    expect(await tmux.shows(/PAUSED: \d{2,} lines held back/)).toContain(up);
    tmux.press(key);
    await tmux.until(
      () => tmux.screen(),
      (screen) => !screen.includes('PAUSED'),
      'the display to go on',
    );
  });

  it('takes the mouse, and leaves it to the terminal on m', async () => {
    const { tmux } = terminal;
    expect(tmux.ask('#{mouse_any_flag}')).toBe('1');
    tmux.press('m');
    await tmux.shows(/the terminal has the mouse/);
    expect(tmux.ask('#{mouse_any_flag}')).toBe('0');
    tmux.press('m');
    await tmux.shows(/kprobe has the mouse/);
    expect(tmux.ask('#{mouse_any_flag}')).toBe('1');
  });

  it('jumps on a command', async () => {
    const { tmux } = terminal;
    tmux.press(':');
    await tmux.shows(/enter jumps/);
    tmux.type('logs');
    tmux.press('Enter');
    await tmux.shows(/\[5 logs\]/);
  });

  it('shows the commands that c copies, and copies on a number', async () => {
    const { tmux } = terminal;
    tmux.press('c');
    await tmux.shows(/1 {2}curl +curl -ik --max-time 30 http:/, /2 {2}kprobe once/);
    expect(await tmux.shows(/esc close/)).toMatch(/^1 – 2 copy/m);
    tmux.press('1');
    await tmux.shows(/copied: curl -ik/);
  });

  it('probes at once on t, and marks the attempt', async () => {
    const { tmux } = terminal;
    tmux.press('t');
    await tmux.shows(/app\/readiness: probing now/);
    tmux.press('Enter');
    await tmux.shows(/attempt \d+ of/);
    // The attempt asked for may not be the latest any more.
    await tmux.until(
      () => {
        const screen = tmux.screen();
        if (!screen.includes('triggered by you')) tmux.press('Left');
        return screen;
      },
      (screen) => screen.includes('triggered by you'),
      'the triggered attempt',
    );
  });

  it('saves the trace on Ctrl-S', async () => {
    const { tmux, folder } = terminal;
    tmux.press('C-s');
    await tmux.shows(/saved kprobe-.*\.ndjson: \d+ lines/);
    const [name = ''] = readdirSync(folder).filter((one) => /^kprobe-.*\.ndjson$/.test(one));
    const lines = readFileSync(join(folder, name), 'utf8').trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { kind: string }).kind)).toContain(
      'attemptDone',
    );
  });

  it('saves two traces on two Ctrl-S within a second', async () => {
    const { tmux, folder } = terminal;
    const saved = (): readonly string[] =>
      readdirSync(folder).filter((one) => /^kprobe-.*\.ndjson$/.test(one));
    const before = saved().length;
    tmux.press('C-s');
    await tmux.until(saved, ({ length }) => length === before + 1, 'one more file');
    tmux.press('C-s');
    await tmux.until(saved, ({ length }) => length === before + 2, 'two more files');
  });
});

it('shows panels at 120×40, with borders, a timeline and logs', async () => {
  await using terminal = await openTerminal({ columns: 120, rows: 40 });
  await terminal.runUi();
  const screen = await terminal.tmux.shows(/┌─ logs of app ─+┐/, /listening on \d+/);
  for (const title of ['containers and probes', 'timeline, 1 s per cell, follows', 'events']) {
    expect(screen).toContain(`┌─ ${title} ─`);
  }
});

describe('the acts of the terminal UI', () => {
  it('asks before it restarts a real process, and restarts it on y', async () => {
    await using terminal = await openTerminal();
    const { tmux } = terminal;
    await terminal.runUi();
    tmux.press('r');
    await tmux.shows(/Restart app\?/);
    tmux.press('n');
    await tmux.until(
      () => tmux.screen(),
      (screen) => !screen.includes('Restart app?'),
      'the question to go',
    );
    tmux.press('r');
    await tmux.shows(/Restart app\?/);
    tmux.press('y');
    // On a busy machine, the probe may have asked for one before.
    await tmux.shows(/restarts \d+ \(by you/);
  });

  it('shows why a probe fails, what may be behind it, and what comes next', async () => {
    await using terminal = await openTerminal();
    const { tmux } = terminal;
    await terminal.runUi();
    terminal.breakServer();
    await tmux.shows(
      /✗ 503/,
      /the answer says: out of order/,
      /[12]\/3 → restart/,
      /what the kubelet does next/,
      /killed with TERM, 2 s grace/,
    );
    terminal.breakServer(false);
    await tmux.shows(/Ready ✓/);
  });

  it('keeps its hints to itself with --no-hints', async () => {
    await using terminal = await openTerminal();
    const { tmux } = terminal;
    await terminal.runUi('--no-hints');
    terminal.breakServer();
    const screen = await tmux.shows(/✗ 503/);
    expect(screen).not.toContain('the answer says');
  });
});
