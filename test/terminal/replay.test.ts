import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ROOT } from '../helpers/kprobe.js';
import { openTerminal, type TestTerminal } from '../helpers/terminal.js';

const TRACE = join(ROOT, 'examples/record-replay/run.ndjson');

describe('the terminal UI over a replay', () => {
  let terminal: TestTerminal;

  beforeAll(async () => {
    terminal = await openTerminal({ columns: 130, rows: 36 });
    const command = `'${process.execPath}' '${join(ROOT, 'bin/kprobe.js')}' replay --speed 40`;
    terminal.tmux.enter(`${command} '${TRACE}'; echo "code=$?"`);
    await terminal.tmux.shows(/replay, over/, /readiness/);
  });

  afterAll(async () => {
    await terminal[Symbol.asyncDispose]();
  });

  it.each([
    { key: '1', shows: [/shop +default +Running +Ready ✓/, /restarts 2 \(liveness, exit 0/] },
    { key: '2', shows: [/\[2 timeline\]/, /run 1 ended, exit 0/] },
    { key: '3', shows: [/\[3 events\]/, /Killing +app +Container app failed liveness probe/] },
    { key: '4', shows: [/\[4 status\]/, /name: shop/] },
    { key: '5', shows: [/\[5 logs\]/, /run 0 ended, exit 0, after 17s: liveness 2 × timeout/] },
    { key: 'Enter', shows: [/attempt \d+ of/, /GET \/ready HTTP\/1\.1/] },
    { key: 'd', shows: [/Settings/, /p50/] },
    { key: 'x', shows: [/app\/readiness explained/] },
    { key: 't', shows: [/this is a replay: nothing to probe/] },
    { key: 'r', shows: [/this is a replay: nothing to restart/] },
  ])('$key shows its view, or why there is nothing to do', async ({ key, shows }) => {
    const { tmux } = terminal;
    tmux.press('Escape', '1', 'g', 'j');
    await tmux.shows(/\[1 pod\]/, /▸ readiness/);
    tmux.press(key);
    await tmux.shows(...shows);
  });

  it("ends with the run's own summary and exit code", async () => {
    terminal.tmux.press('Escape', '1', 'q');
    const screen = await terminal.tmux.shows(/^code=1$/m);
    expect(screen).toMatch(/restarts +2 of app/);
    await terminal.isAsBefore();
  });
});
