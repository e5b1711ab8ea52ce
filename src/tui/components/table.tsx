import { Box } from 'ink';
import type { FC, ReactNode } from 'react';

import { chosenLine, elideLine, type Line, line } from '../../text/line.js';
import { type Column, columnWidths, tableRow, tableRows } from '../../text/table.js';
import { useColumns } from './columns.js';
import { Painted } from './painted.js';
import { Scroll, type ScrollProps } from './scroll.js';

export interface TableColumn extends Column {
  readonly heading: string;
}

export interface TableRow {
  readonly id: string;
  /** The cells by the widths of the columns, or a row of its own. */
  readonly content: ((widths: readonly number[]) => readonly Line[]) | Line;
  /** Shown below the row. */
  readonly remarks?: ReactNode;
  readonly isFailing?: boolean;
}

interface TableProps extends Omit<ScrollProps, 'children' | 'failing'> {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  /** The chosen row is in full, and others only where the table wraps. */
  readonly wraps?: boolean;
  /** False where the chosen row is shown in full elsewhere. */
  readonly unfolds?: boolean;
  /** Has room for a sign before the chosen row. */
  readonly isMarked?: boolean;
}

const MARK = '▸ ';

/** Rows in columns below their headings, of which as many show as there is room for. */
export const Table: FC<TableProps> = (props) => {
  const { columns, rows, wraps = false, unfolds = true, isMarked = false, ...scroll } = props;
  const indent = isMarked ? MARK.length : 0;
  const widths = columnWidths(columns, useColumns() - indent);
  const headings = columns.map(({ heading }) => line(heading, 'dim'));
  const plain = columns.map((column) => ({ ...column, elides: false }));
  const failing = rows.filter(({ isFailing = false }) => isFailing).map(({ id }) => id);
  return (
    <Box flexDirection="column" flexGrow={scroll.flexGrow ?? 1}>
      {rows.some(({ content }) => typeof content === 'function') && (
        <Box flexShrink={0} paddingLeft={indent}>
          <Painted line={tableRow(headings, plain, widths)} />
        </Box>
      )}
      <Scroll {...scroll} failing={scroll.id === undefined ? undefined : failing}>
        {rows.map((row) => (
          <Row
            key={row.id}
            {...{ ...row, columns, widths, wraps, unfolds, indent }}
            isChosen={row.id === scroll.chosen}
          />
        ))}
      </Scroll>
    </Box>
  );
};

interface RowProps extends TableRow {
  readonly columns: readonly TableColumn[];
  readonly widths: readonly number[];
  readonly wraps: boolean;
  readonly unfolds: boolean;
  readonly indent: number;
  readonly isChosen: boolean;
}

const Row: FC<RowProps> = (props) => {
  const { isChosen, remarks } = props;
  const width = useColumns();
  return (
    <>
      {rowLines(props).map((line, index) => (
        <Painted key={index} line={isChosen ? chosenLine(line, width) : line} />
      ))}
      {remarks}
    </>
  );
};

/** Rows that a cell of the chosen row has at most, unless the table wraps. */
const MAX_CELL_ROWS = 4;

function rowLines({ content, columns, widths, indent, isChosen, ...props }: RowProps): Line[] {
  if (typeof content !== 'function') return [content];
  const { wraps, unfolds } = props;
  const cells = content(widths);
  const short = cells.map((cell, index) => elideLine(cell, (widths[index] ?? 0) * MAX_CELL_ROWS));
  const rows =
    (isChosen && unfolds) || wraps
      ? tableRows(wraps ? cells : short, columns, widths)
      : [tableRow(cells, columns, widths)];
  const mark = (index: number): string => (isChosen && index === 0 ? MARK : '').padEnd(indent);
  return indent === 0 ? rows : rows.map((row, index) => [...line(mark(index), 'info'), ...row]);
}
