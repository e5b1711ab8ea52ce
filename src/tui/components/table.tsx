import { Box } from 'ink';
import type { FC, ReactNode } from 'react';

import { chosenLine, type Line, line } from '../../text/line.js';
import { type Column, columnWidths, tableRow, tableRows } from '../../text/table.js';
import { useRoom } from '../hooks/use-room.js';
import { useSnapshot } from '../hooks/use-store.js';
import { LOW_ROWS } from '../store/state.js';
import { useColumns } from './columns.js';
import { Painted } from './painted.js';
import { Scroll, type ScrollProps } from './scroll.js';

export interface TableColumn extends Column {
  readonly heading: string;
}

export interface TableRow {
  readonly id: string;
  /** The cells for the widths of the columns, or a row that is not made of cells. */
  readonly content: ((widths: readonly number[]) => readonly Line[]) | Line;
  /** Shown below the row. */
  readonly remarks?: ReactNode;
  readonly isFailing?: boolean;
}

interface TableProps extends Omit<ScrollProps, 'children' | 'failing'> {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  /** The chosen row is in full, and others only where the table wraps: always, or where all rows have room for it. */
  readonly wraps?: boolean | 'fitting';
  /** False where the chosen row is shown in full elsewhere. */
  readonly unfolds?: boolean;
  /** Has room for a sign before the chosen row. */
  readonly isMarked?: boolean;
}

const MARK = '▸ ';

/** Rows in columns below their headings, as many as there is room for. */
export const Table: FC<TableProps> = (props) => {
  const { columns, rows, unfolds = true, isMarked = false, ...scroll } = props;
  const { size } = useSnapshot();
  const [box, room] = useRoom();
  const indent = isMarked ? MARK.length : 0;
  const widths = columnWidths(columns, useColumns() - indent);
  const headings = columns.map(({ heading }) => line(heading, 'dim'));
  const plain = columns.map((column) => ({ ...column, cut: undefined }));
  const whole = { columns, widths, wraps: true, unfolds, indent, isChosen: false };
  const wraps =
    props.wraps === 'fitting'
      ? rows.flatMap((row) => rowLines({ ...row, ...whole }, size.rows)).length < room
      : (props.wraps ?? false);
  const failing = rows.filter(({ isFailing = false }) => isFailing).map(({ id }) => id);
  return (
    <Box ref={box} flexDirection="column" flexGrow={scroll.flexGrow ?? 1}>
      {rows.some(({ content }) => typeof content === 'function') && (
        <Box flexShrink={0} paddingLeft={indent}>
          <Painted line={tableRow(headings, plain, widths)} />
        </Box>
      )}
      <Scroll {...scroll} failing={scroll.id === undefined ? undefined : failing}>
        {rows.map((row) => (
          <Row
            key={row.id}
            {...row}
            columns={columns}
            widths={widths}
            wraps={wraps}
            unfolds={unfolds}
            indent={indent}
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
  const { size } = useSnapshot();
  return (
    <>
      {rowLines(props, size.rows).map((line, index) => (
        <Painted key={index} line={isChosen ? chosenLine(line, width) : line} />
      ))}
      {remarks}
    </>
  );
};

/** Rows that the chosen row has at most, unless the table wraps; on low screens others need the room. */
const MAX_ROWS = 4;
const MAX_LOW_ROWS = 2;

function rowLines(props: RowProps, screenRows: number): Line[] {
  const { content, columns, widths, wraps, unfolds, indent, isChosen } = props;
  if (typeof content !== 'function') return [content];
  const cells = content(widths);
  const maxRows = wraps ? Infinity : screenRows < LOW_ROWS ? MAX_LOW_ROWS : MAX_ROWS;
  const rows =
    (isChosen && unfolds) || wraps
      ? tableRows(cells, columns, widths, maxRows)
      : [tableRow(cells, columns, widths)];
  const mark = (index: number): string => (isChosen && index === 0 ? MARK : '').padEnd(indent);
  return indent === 0 ? rows : rows.map((row, index) => [...line(mark(index), 'info'), ...row]);
}
