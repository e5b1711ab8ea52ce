import { join } from 'node:path';

import { expect, it } from 'vitest';

import { ROOT } from '../helpers/kprobe.js';
import { openTerminal } from '../helpers/terminal.js';

it.each([
  { fault: 'hang', shows: /✗ .*liveness \d+ × timeout/ },
  { fault: 'slow-start', shows: /✗ .*startup \d+/ },
  { fault: 'crash', shows: /DATABASE_URL is not set/ },
  { fault: 'not-ready', shows: /✗ .*readiness \d+ × HTTP 503/ },
  { fault: 'wrong-port', shows: /✗ .*nothing listens on port/ },
])('shows the demo of $fault, and after q its cause and its lesson', async ({ fault, shows }) => {
  await using terminal = await openTerminal({ columns: 80, rows: 24 });
  const { tmux } = terminal;
  tmux.enter(
    `'${process.execPath}' '${join(ROOT, 'bin/kprobe.js')}' demo ${fault}; echo "code=$?"`,
  );
  await tmux.shows(/^shop/m, shows, /q quit/);
  tmux.press('q');
  const screen = await tmux.shows(/^code=\d+$/m);
  expect(screen).toMatch(/^cause +shop/m);
  expect(screen).toMatch(/^Lesson: /m);
  expect(screen).toMatch(/^exit code +1, quit/m);
  expect(screen).toMatch(/^code=1$/m);
  await terminal.isAsBefore();
});
