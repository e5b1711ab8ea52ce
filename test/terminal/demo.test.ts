import { join } from 'node:path';

import { expect, it } from 'vitest';

import { ROOT } from '../helpers/kprobe.js';
import { openTerminal } from '../helpers/terminal.js';

it('shows the demo in the UI, and after q its cause and its lesson', async () => {
  await using terminal = await openTerminal({ columns: 80, rows: 24 });
  const { tmux } = terminal;
  tmux.enter(`'${process.execPath}' '${join(ROOT, 'bin/kprobe.js')}' demo crash; echo "code=$?"`);
  await tmux.shows(/shop/, /DATABASE_URL is not set/, /q quit/);
  tmux.press('q');
  const screen = await tmux.shows(/^code=\d+$/m);
  expect(screen).toMatch(/^cause +shop crashed .*: Error: DATABASE_URL is not set/m);
  expect(screen).toMatch(/^Lesson: No probe is at fault/m);
  expect(screen).toMatch(/^exit code  1, quit/m);
  expect(screen).toMatch(/^code=1$/m);
  await terminal.isAsBefore();
});
