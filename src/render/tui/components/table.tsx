import { Box } from 'ink';
import type { FC } from 'react';

import { chosenLine, type Line, line } from '../../text/line.js';
import { type Column, columnWidths, tableRow, tableRows } from '../../text/table.js';
import { Row } from './row.js';
import { ScrollBox, type ScrollBoxProps } from './scroll-box.js';

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

export interface LaidTable extends Required<
  Pick<ScrollBoxProps, 'lines' | 'chosen' | 'chosenEnd' | 'failing' | 'ids'>
> {
  readonly heading: Line;
  readonly shown: number;
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
      const rows =
        isChosen || wraps
          ? tableRows(own(widths), columns, widths)
          : [tableRow(own(widths), columns, widths)];
      const mark = (index: number): string => (isChosen && index === 0 ? MARK : '').padEnd(indent);
      const laid = rows.map((row, index) =>
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
  return { heading, lines, chosen: begin, chosenEnd: end, failing, ids, shown: rows.length };
}

type Place = Pick<ScrollBoxProps, 'id' | 'width' | 'height' | 'follows' | 'total'>;

/** Rows in columns below their headings, of which as many show as there is room for. */
export const Table: FC<TableContent & Place> = ({ id, height, follows, total, ...content }) => {
  const { width } = content;
  return <LaidRows laid={layTable(content)} {...{ id, width, height, follows, total }} />;
};

/** The same, of a table that has been laid to know its height. */
export const LaidRows: FC<Place & { readonly laid: LaidTable }> = ({ laid, height, ...place }) => {
  const { heading, shown, ...body } = laid;
  const headings = heading.length > 0 ? 1 : 0;
  return (
    <Box flexDirection="column">
      {headings > 0 && <Row line={heading} width={place.width} />}
      <ScrollBox {...body} {...place} height={height - headings} shown={shown} />
    </Box>
  );
};
