import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { ROOT } from '../helpers/kprobe.js';
import { openTerminal, type TestTerminal } from '../helpers/terminal.js';

const BIN = join(ROOT, 'bin/kprobe.js');
const POD = `apiVersion: v1
kind: Pod
metadata: { name: shop }
spec:
  containers:
    - { name: app, image: 'shop:1' }
`;

/** Writes 60 lines, some in color, and ends, or waits for the test's end. */
const program = (end: string): string => `
const run = require('fs').existsSync('ran') ? 'second' : 'first';
require('fs').writeFileSync('ran', '');
console.log('\\x1b[32mINFO\\x1b[0m ' + run + ' run \\x1b[2Jbegins');
for (let line = 1; line <= 60; line++) console.log('line ' + line + (line % 20 === 0 ? ' boom' : ''));
if (run === 'first') { console.error('Error: lost'); process.exitCode = 1; } else ${end};`;
const waits = "require('http').createServer().listen(0, '127.0.0.1')";

async function open(
  size: { readonly columns: number; readonly rows: number },
  end = waits,
): Promise<TestTerminal> {
  const terminal = await openTerminal(size);
  writeFileSync(join(terminal.folder, 'pod.yaml'), POD);
  writeFileSync(join(terminal.folder, 'app.cjs'), program(end));
  terminal.tmux.enter(
    `'${process.execPath}' '${BIN}' run pod.yaml -- '${process.execPath}' app.cjs`,
  );
  return terminal;
}

describe('the logs of a container that has crashed once', () => {
  let terminal: TestTerminal;

  beforeAll(async () => {
    terminal = await open({ columns: 80, rows: 24 });
    await terminal.tmux.shows(/running/, /restarts 1/);
  });

  afterAll(async () => {
    await terminal[Symbol.asyncDispose]();
  });

  // The end of the logs.
  beforeEach(async () => {
    terminal.tmux.press('Escape', 'l', 'G');
    await terminal.tmux.shows(/since \d+\.\d s, follows/, /line 60 boom/);
  });

  it("have the program's colors, and no other of its sequences", async () => {
    const { tmux } = terminal;
    tmux.press('g');
    await tmux.shows(/INFO first run \\x1b\[2Jbegins/);
    expect(tmux.screen({ colors: true })).toMatch(/\x1b\[32m(?:\x1b\[49m)?INFO/);
  });

  it('stop following on f, and follow again', async () => {
    const { tmux } = terminal;
    tmux.press('f');
    await tmux.shows(/logs of app since \d+\.\d s {2}/);
    tmux.press('f');
    await tmux.shows(/, follows/);
  });

  it('mark what / looks for, and go from match to match with n and N', async () => {
    const { tmux } = terminal;
    tmux.press('g', '/');
    tmux.type('boom');
    tmux.press('Enter');
    await tmux.shows(/\/boom: 6 of \d+, esc clears/);
    tmux.press('n');
    await tmux.shows(/▸line 20 boom/);
    expect(tmux.screen({ colors: true })).toMatch(/\x1b\[7mboom/);
    tmux.press('n');
    await tmux.shows(/▸line 40 boom/);
    tmux.press('N');
    await tmux.shows(/▸line 20 boom/);
  });

  it('show the run that has crashed on p', async () => {
    const { tmux } = terminal;
    tmux.press('p');
    await tmux.shows(/^▸─ run 0 from/m, /INFO first run/);
  });

  it.each(['1', '2', '3', '4'])(
    'show the run that has crashed on p in the view %s',
    async (tab) => {
      const { tmux } = terminal;
      tmux.press(tab);
      await tmux.until(
        () => tmux.screen(),
        (screen) => !screen.includes('[5 logs]'),
        `the view ${tab}`,
      );
      tmux.press('p');
      await tmux.shows(/\[5 logs\]/, /^▸─ run 0 from/m, /INFO first run/);
    },
  );
});

describe('the first view of a container in back-off', () => {
  it.each([
    { columns: 80, rows: 24 },
    { columns: 120, rows: 40 },
    { columns: 300, rows: 80 },
  ])('has the output of the crash, and the keys that work: $columns×$rows', async (size) => {
    await using terminal = await open(
      size,
      "{ console.error('Error: lost'); process.exitCode = 1 }",
    );
    const { tmux } = terminal;
    const screen = await tmux.shows(
      /app +back-off, starts in/,
      /Error: lost/,
      /run [1-9] ended, exit 1/,
    );
    const keys = screen.trimEnd().split('\n').at(-2);
    expect(keys).toMatch(/^d describe {2}l logs {2}p previous {2}j k choose/);
    expect(keys).not.toMatch(/probe now|attempt|explain|restart/);
    for (const { key, shows } of [
      { key: 'd', shows: /Runs\n +run 0/ },
      { key: 'l', shows: /\[5 logs\]/ },
      { key: 'p', shows: /^▸─ run \d/m },
    ]) {
      tmux.press(key);
      await tmux.shows(shows);
      tmux.press('Escape', '1');
      await tmux.shows(/\[1 pod\]/, /app +back-off/);
    }
    // Those that are not named say why.
    tmux.press('t');
    await tmux.shows(/app has no probes/);
  });

  it('has the last line at 40×12', async () => {
    await using terminal = await open({ columns: 40, rows: 12 }, 'process.exitCode = 1');
    await terminal.tmux.shows(/app +back-off, starts in/, /✗ app crashed [2-9] ×/);
  });
});
