import { expect, it } from 'vitest';

import { fold } from '../../src/trace/summary/fold.js';
import { EMPTY_SUMMARY } from '../../src/trace/summary/summary.js';
import type { TraceLine } from '../../src/trace/trace-line.js';
import { expectClean, type Tree, variants } from '../helpers/hostile-text.js';
import { openUi, traceOf } from '../helpers/ui.js';

const KEYS = ['1', '2', '3', '4', '5', 'd', '\x1b', 'x', '\x1b', 'k', '\r'];

/** Codes for bold, faint, inverse and their ends. */
const WEIGHTS = /\x1b\[(?:1|2|7|22|27)m/g;

it('shows no raw byte of any line of a trace in any view', async () => {
  const lines = (await traceOf('web')).filter(({ t }) => t <= 34);
  const kinds = new Set(lines.map(({ kind }) => kind));
  expect(kinds.size).toBeGreaterThan(8);
  for (const kind of kinds) {
    const index = lines.findIndex((line) => line.kind === kind);
    for (const [place, line] of variants(lines[index] as unknown as Tree)) {
      if (place.endsWith('(key)')) continue;
      const changed = lines.with(index, { ...line, kind } as unknown as TraceLine);
      const ui = await openUi({ summary: changed.reduce(fold, EMPTY_SUMMARY), at: 34 });
      for (const key of place === 'all' ? KEYS : ['']) {
        await ui.type(key);
        expectClean(
          `${kind} ${place} after ${JSON.stringify(key)}`,
          ui.frame().replaceAll(WEIGHTS, ''),
        );
      }
      ui.close();
    }
  }
});
