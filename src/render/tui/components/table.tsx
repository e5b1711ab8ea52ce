import { Box } from 'ink';
import type { FC } from 'react';

import { chosenLine, type Line, line } from '../../text/line.js';
import { type Column, columnWidths, tableRow, tableRows } from '../../text/table.js';
import { Row } from './row.js';
import { ScrollBox } from './scroll-box.js';

export interface TableColumn extends Column {
  readonly heading: string;
}

export interface TableRow {
  readonly id: string;
  /** The cells by the widths of the columns, or a row of its own. */
  readonly content: ((widths: readonly number[]) => readonly Line[]) | Line;
  /** Rows below it that belong to it. */
  readonly remarks?: readonly Line[];
  readonly isFailing?: boolean;
}

interface TableContent {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  readonly width: number;
  /** The row that is chosen: it is in full, and others only where the table wraps. */
  readonly chosen?: string | undefined;
  readonly wraps?: boolean;
  /** Has room for a sign before the chosen row. */
  readonly isMarked?: boolean;
}

export interface LaidTable {
  readonly heading: Line;
  readonly lines: readonly Line[];
  /** The indices of the first and the last line of the chosen row. */
  readonly chosen: number;
  readonly chosenEnd: number;
  /** The indices of the rows in trouble. */
  readonly failing: readonly number[];
  /** The row that each line belongs to. */
  readonly ids: readonly string[];
}

const MARK = '▸ ';

export function layTable(content: TableContent): LaidTable {
  const { columns, rows, width, chosen, wraps = false, isMarked = false } = content;
  const indent = isMarked ? MARK.length : 0;
  const widths = columnWidths(columns, width - indent);
  const lines: Line[] = [];
  const ids: string[] = [];
  const failing: number[] = [];
  let [begin, end] = [-1, -1];
  for (const { id, content: own, remarks = [], isFailing = false } of rows) {
    const isChosen = id === chosen;
    if (isFailing) failing.push(lines.length);
    if (isChosen) begin = lines.length;
    if (typeof own === 'function') {
      const lay = isChosen || wraps ? tableRows : oneRow;
      const mark = (index: number): string => (isChosen && index === 0 ? MARK : '').padEnd(indent);
      const laid = lay(own(widths), columns, widths).map((row, index) =>
        indent === 0 ? row : [...line(mark(index), 'info'), ...row],
      );
      lines.push(...laid.map((row) => (isChosen ? chosenLine(row, width) : row)));
    } else {
      lines.push(isChosen ? chosenLine(own, width) : own);
    }
    lines.push(...remarks);
    ids.push(...lines.slice(ids.length).map(() => id));
    if (isChosen) end = lines.length - 1;
  }
  const headings = columns.map(({ heading }) => line(heading, 'dim'));
  const plain = columns.map((column) => ({ ...column, elides: false }));
  const heading = rows.some(({ content: own }) => typeof own === 'function')
    ? [...line(' '.repeat(indent)), ...tableRow(headings, plain, widths)]
    : [];
  return { heading, lines, chosen: begin, chosenEnd: end, failing, ids };
}

function oneRow(...[cells, columns, widths]: Parameters<typeof tableRow>): Line[] {
  return [tableRow(cells, columns, widths)];
}

interface TableProps extends TableContent {
  /** The key under which its scroll position is kept. */
  readonly id: string;
  readonly height: number;
  readonly follows?: boolean;
  /** Rows without the filter. */
  readonly total?: number | undefined;
}

/** Rows in columns below their headings, of which as many show as there is room for. */
export const Table: FC<TableProps> = ({ id, height, follows = false, total, ...content }) => {
  const { heading, ...laid } = layTable(content);
  return (
    <Box flexDirection="column">
      {heading.length > 0 && <Row line={heading} width={content.width} />}
      <ScrollBox
        {...laid}
        id={id}
        width={content.width}
        height={heading.length > 0 ? height - 1 : height}
        follows={follows}
        shown={content.rows.length}
        total={total ?? content.rows.length}
      />
    </Box>
  );
};
