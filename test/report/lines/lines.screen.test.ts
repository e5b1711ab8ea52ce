import { expect, it } from 'vitest';

import { Lines } from '../../../src/report/lines/lines.js';
import { terminalStyle } from '../../../src/text/paint.js';
import { summaryAt } from '../../helpers/ui.js';

it('a line that is too long for the terminal goes on below its own text, within the width', async () => {
  const summary = await summaryAt(34.2, 'web');
  let text = '';
  const lines = new Lines((part) => (text += part), {
    verbose: false,
    output: false,
    style: terminalStyle({ color: false, unicode: true }, 90),
    isSimulated: () => false,
  });
  lines.line({ t: 34.2, kind: 'note', level: 'info', text: 'word '.repeat(40).trim() }, summary);
  const rows = text.trimEnd().split('\n');
  expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(90);
  expect(new Set(rows.map((row) => row.indexOf('word'))).size).toBe(1);
});
