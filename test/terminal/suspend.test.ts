import { describe, expect, it } from 'vitest';

import { openTerminal } from '../helpers/terminal.js';

describe('the terminal UI when it is suspended', () => {
  it.each([
    { name: 'Ctrl-Z', signal: undefined },
    { name: 'SIGTSTP', signal: 'SIGTSTP' },
  ] as const)(
    'gives the terminal to the shell on $name, and takes it back on fg',
    async ({ signal }) => {
      await using terminal = await openTerminal();
      const { tmux } = terminal;
      await terminal.runUi();
      if (signal === undefined) tmux.press('C-z');
      else process.kill(terminal.pid(), signal);
      await tmux.shows(/Stopped/);
      await terminal.isAsBefore();
      tmux.enter('fg');
      await tmux.shows(/Ready ✓/, /readiness/, /1 pod/);
      expect(tmux.ask('#{alternate_on} #{cursor_flag}')).toBe('1 0');
      tmux.press('?');
      await tmux.shows(/Everywhere/);
    },
  );

  it('repaints the screen on SIGCONT', async () => {
    await using terminal = await openTerminal();
    const { tmux } = terminal;
    await terminal.runUi();
    process.kill(terminal.pid(), 'SIGSTOP');
    await tmux.shows(/Stopped/);
    // Nothing can be done about a SIGSTOP before it: the terminal is still raw, and Enter no line feed.
    tmux.type('clear; fg');
    tmux.press('C-j');
    await tmux.until(
      () => tmux.screen(),
      (screen) => /Ready ✓[^]*readiness[^]*1 pod/.test(screen) && !screen.includes('Stopped'),
      'the screen, without what the shell has written',
    );
    tmux.press('q');
    await tmux.shows(/^again +kprobe run/m);
    await terminal.isAsBefore();
    await terminal.serverIsGone();
  });
});
