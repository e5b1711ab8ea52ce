import { stripVTControlCharacters } from 'node:util';

import { expect, it } from 'vitest';

import { openUi, summaryAt } from '../../helpers/ui.js';

it.each([
  { columns: 40, rows: 12 },
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
])(
  'says below an event that it was held back, not in place of its text: $columns×$rows',
  async (size) => {
    const ui = await openUi({ summary: await summaryAt(34.2, 'many'), at: 34.2, size });
    await ui.type('3', 'G', 'k');
    const rows = stripVTControlCharacters(ui.frame()).split('\n');
    const at = rows.findIndex((row) => row.includes('held back: kubectl'));
    expect(rows[at]).toMatch(/^ {4}held back: kubectl (shows x\d+|does not show it)$/);
    const text = rows.slice(Math.max(0, at - 4), at).join(' ');
    expect(text).toMatch(/iveness probe failed|adiness probe failed/);
    ui.close();
  },
);
