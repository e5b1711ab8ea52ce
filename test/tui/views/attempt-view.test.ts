import { expect, it } from 'vitest';

import type { Summary } from '../../../src/trace/summary/summary.js';
import { openUi, summaryAt } from '../../helpers/ui.js';

const AT = 14;

/** The summary with shortened attempts. */
function shortened(summary: Summary): Summary {
  const text = JSON.stringify(summary, (key, value: unknown) =>
    key === 'attempts' ? (value as object[]).map((one) => ({ ...one, shortened: true })) : value,
  );
  return JSON.parse(text) as Summary;
}

it('reports that the trace has no details of a simulated attempt', async () => {
  const ui = await openUi({ summary: await summaryAt(AT, 'flap'), at: AT });
  await ui.type('\r');
  expect(ui.frame()).toContain('The trace has no details of this attempt.');
  ui.close();
});

it('reports that an older attempt was shortened', async () => {
  const ui = await openUi({ summary: shortened(await summaryAt(AT, 'flap')), at: AT });
  await ui.type('\r');
  expect(ui.frame()).toContain('kprobe keeps full details of the latest attempts only');
  ui.close();
});
