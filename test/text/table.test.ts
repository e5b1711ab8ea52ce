import { describe, expect, it } from 'vitest';

import { line, lineText, lineWidth } from '../../src/text/line.js';
import { columnWidths, tableRow } from '../../src/text/table.js';

const COLUMNS = [
  { min: 4, max: 8, priority: 3 },
  { min: 5, max: 5, priority: 1 },
  { min: 6, max: 40, priority: 2, weight: 3 },
];

describe('columnWidths', () => {
  it.each([
    { width: 17, widths: [4, 5, 6], why: 'each gets its minimum' },
    { width: 16, widths: [6, 0, 9], why: 'the column with the lowest priority is dropped first' },
    { width: 10, widths: [8, 0, 0], why: 'then the next lowest' },
    { width: 3, widths: [3, 0, 0], why: 'the last one is cut' },
    { width: 25, widths: [6, 5, 12], why: 'remaining width is shared by weight' },
    { width: 99, widths: [8, 5, 40], why: 'no column exceeds its maximum' },
  ])('fits $width columns: $why', ({ width, widths }) => {
    expect(columnWidths(COLUMNS, width)).toEqual(widths);
  });
});

describe('tableRow', () => {
  const text = 'app: readiness 3 × timeout at 1 s; the server hangs';
  it.each([
    { cut: undefined, width: 30, cell: 'app: readiness 3 × timeout at…' },
    { cut: 'middle', width: 30, cell: 'app: readiness 3 ×…erver hangs' },
    { cut: 'word', width: 29, cell: 'app: readiness 3 × timeout…' },
    { cut: 'word', width: 30, cell: 'app: readiness 3 × timeout at…' },
    { cut: 'word', width: 60, cell: text },
    { cut: 'word', width: 4, cell: 'app…' },
  ] as const)('cuts a cell by $cut at $width columns', ({ cut, width, cell }) => {
    const column = { min: 1, max: 60, priority: 1, cut };
    expect(lineText(tableRow([line(text)], [column], [width])).trimEnd()).toBe(cell);
  });

  it('keeps column widths whatever the cells contain', () => {
    const row = (name: string): string =>
      lineText(tableRow([line(name), line('ok'), line('rest')], COLUMNS, [8, 5, 6]));
    for (const name of ['app', '漢字', '🚀', 'e\u0301']) {
      expect(lineWidth(tableRow([line(name)], COLUMNS, [8, 0, 0]))).toBe(8);
      expect(row(name)).toMatch(/ok {4}rest {2}$/);
    }
  });
});
