import { expect, it } from 'vitest';

import { openUi, summaryAt } from '../helpers/ui.js';

it.each([
  ['a live run offers', undefined, true],
  ['a replay does not offer', 40, false],
])('%s the keys for probing and restarting', async (_, replayLength, has) => {
  const size = { columns: 120, rows: 40 };
  const context = { replayLength };
  const ui = await openUi({ summary: await summaryAt(30, 'web'), at: 30, size, context });
  await ui.type('j');
  expect(ui.frame().includes('probe now')).toBe(has);
  expect(ui.frame().includes('play/pause')).toBe(!has);
  await ui.type('?');
  expect(ui.frame().includes('run the chosen probe now')).toBe(has);
  ui.close();
});

it('paints one frame for a key, however often React renders', async () => {
  const ui = await openUi({ summary: await summaryAt(30, 'web'), at: 30 });
  const before = ui.frames.length;
  await ui.type('2');
  expect(ui.frames.slice(before)).toEqual([ui.frame()]);
  ui.close();
});
