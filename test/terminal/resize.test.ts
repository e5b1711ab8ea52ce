import { describe, expect, it } from 'vitest';

import { openTerminal } from '../helpers/terminal.js';

describe('the terminal UI when the terminal is resized', () => {
  it('fits the new size, and leaves nothing of the old one', async () => {
    await using terminal = await openTerminal({ columns: 120, rows: 40 });
    const { tmux } = terminal;
    await terminal.runUi();
    for (const [columns, rows] of [
      [80, 24],
      [200, 60],
      [61, 16],
      [100, 30],
    ] as const) {
      tmux.resize(columns, rows);
      await tmux.until(
        () => tmux.screen().split('\n'),
        (lines) => isWhole(lines, rows),
        `a whole screen of ${columns}×${rows}`,
      );
    }
  });

  it('fits the new size after fg, when it was resized while stopped', async () => {
    await using terminal = await openTerminal({ columns: 120, rows: 40 });
    const { tmux } = terminal;
    await terminal.runUi();
    tmux.press('C-z');
    await tmux.shows(/Stopped/);
    tmux.resize(80, 24);
    tmux.enter('fg');
    await tmux.until(
      () => tmux.screen().split('\n'),
      (lines) => isWhole(lines, 24),
      'a whole screen of 80×24',
    );
  });

  it('says so where there is no room, and comes back when there is', async () => {
    await using terminal = await openTerminal();
    const { tmux } = terminal;
    await terminal.runUi();
    tmux.resize(39, 11);
    const screen = await tmux.shows(/kprobe needs 40×12; this is 39×11/);
    expect(screen).toContain('default/web ready');
    expect(screen).not.toContain('readiness');
    tmux.resize(60, 15);
    await tmux.shows(/readiness/, /1 pod/);
    tmux.resize(20, 3);
    await tmux.shows(/kprobe needs/);
    tmux.press('q');
    tmux.resize(100, 30);
    await tmux.shows(/^code=0$/m);
    await terminal.isAsBefore();
  });
});

/** The header on top, the tabs at the bottom, each of them once, and nothing that was wrapped by the terminal. */
function isWhole(lines: readonly string[], rows: number): boolean {
  const count = (pattern: RegExp): number => lines.filter((line) => pattern.test(line)).length;
  return (
    /^web +default +Running/.test(lines[0] ?? '') &&
    /1 pod/.test(lines[rows - 1] ?? '') &&
    count(/^web +default/) === 1 &&
    count(/1 pod/) === 1 &&
    count(rows < 40 ? /^[ ▸] +readiness/ : /^│[ ▸] readiness +http/) === 1
  );
}
