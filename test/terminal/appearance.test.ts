import { describe, expect, it } from 'vitest';

import { openTerminal } from '../helpers/terminal.js';

/** A foreground color. */
const COLOR = /\x1b\[(?:[\d;]*;)?3[0-7]m/;

describe('the terminal UI, as the environment wants it', () => {
  it('shows colors', async () => {
    await using terminal = await openTerminal();
    await terminal.runUi();
    expect(terminal.tmux.screen({ colors: true })).toMatch(COLOR);
  });

  it.each([
    { name: 'NO_COLOR', env: { NO_COLOR: '1' }, flags: '' },
    { name: '--color never', env: {}, flags: '--color never' },
  ])('shows no colors with $name', async ({ env, flags }) => {
    await using terminal = await openTerminal(undefined, env);
    await terminal.runUi(flags);
    expect(terminal.tmux.screen({ colors: true })).not.toMatch(COLOR);
  });

  it.each([
    { name: 'TERM=dumb', env: { TERM: 'dumb' }, flags: '' },
    { name: '--plain', env: {}, flags: '--plain' },
  ])('gives way to lines with $name', async ({ env, flags }) => {
    await using terminal = await openTerminal({ columns: 160, rows: 40 }, env);
    const { tmux } = terminal;
    tmux.enter(`${terminal.command(flags)}; echo "code=$?"`);
    await tmux.shows(/Status +Ready +True/, /^code=0$/m);
    expect(tmux.ask('#{alternate_on}')).toBe('0');
  });

  it('gives the final causes once as lines, in the order of time, and says nothing of itself', async () => {
    await using terminal = await openTerminal({ columns: 250, rows: 60 });
    const { tmux } = terminal;
    await tmux.until(
      () => tmux.screen(),
      (screen) => screen.includes('$'),
      'the prompt',
    );
    terminal.breakServer();
    tmux.enter(`${terminal.command('--plain --for 4s')}; echo "code=$?"`);
    const screen = await tmux.shows(/^code=\d+$/m);
    const lines = screen.split('\n').filter((row) => /^ +[\d.]+s /.test(row));
    const times = lines.map((row) => Number.parseFloat(row));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    const causes = lines.filter((row) => / Cause /.test(row)).map((row) => row.slice(12));
    expect(causes.length).toBeGreaterThan(0);
    expect(new Set(causes).size).toBe(causes.length);
    expect(screen).not.toMatch(/runtime|closing/);
  });

  it('shows ASCII where the locale has nothing else', async () => {
    await using terminal = await openTerminal(undefined, { LC_ALL: 'C' });
    const { tmux } = terminal;
    tmux.enter(terminal.command());
    const screen = await tmux.shows(/Ready \+/, /readiness/);
    expect(screen).toMatch(/^[\x20-\x7e\n]*$/);
    // The chosen row's sign is no arrow.
    tmux.press('g', 'j');
    await tmux.shows(/^\* readiness +http/m, / > (?:not ready|killed)/);
  });
});
