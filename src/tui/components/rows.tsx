import { Box, type DOMElement, Text } from 'ink';
import { type FC, memo, type RefObject, useLayoutEffect, useRef } from 'react';

import { chosenLine, clipLine, elideLine, type Line, line, type Span } from '../../text/line.js';
import { paintLine } from '../../text/paint.js';
import { type Column, columnWidths, tableRow, tableRows } from '../../text/table.js';
import { useSnapshot, useStore, useTheme } from '../hooks/use-store.js';
import { filterLines, filterOf } from '../store/selection.js';
import type { BodyPlace, Size, Ui } from '../store/state.js';

interface RowProps {
  readonly line: Line;
  readonly width: number;
}

/** One row of text, cut off at the width. */
export const Row: FC<RowProps> = memo(
  function Row({ line, width }) {
    const text = paintLine(clipLine(line, width), useTheme());
    // A text without characters would have no row.
    return <Text>{text || ' '}</Text>;
  },
  (before, after) => before.width === after.width && areEqual(before.line, after.line),
);

function areEqual(line: Line, other: Line): boolean {
  return (
    line === other ||
    (line.length === other.length && line.every((span, index) => isSame(span, other[index])))
  );
}

function isSame(span: Span, other: Span | undefined): boolean {
  return span.text === other?.text && span.tone === other.tone;
}

export const Rows: FC<{ readonly lines: readonly Line[]; readonly width: number }> = ({
  lines,
  width,
}) => (
  <Box flexDirection="column" flexShrink={0}>
    {lines.map((line, index) => (
      <Row key={index} line={line} width={width} />
    ))}
  </Box>
);

export interface ScrollBoxProps extends Partial<
  Pick<BodyPlace, 'gone' | 'shown' | 'ids' | 'matches'>
> {
  /** The key under which its scroll position is kept; without it, it is not what keys scroll. */
  readonly id?: string | undefined;
  readonly lines: readonly Line[];
  readonly width: number;
  readonly height: number;
  /** The index of the row that has to be visible, and of the last one that belongs to it. */
  readonly chosen?: number;
  readonly chosenEnd?: number;
  /** The indices of rows in trouble; a last row tells how many of them are out of sight. */
  readonly failing?: readonly number[];
  readonly follows?: boolean | undefined;
  readonly total?: number | undefined;
}

/** Lines of which the view's filter shows some, wrapped where the view wraps. */
export const TextBody: FC<
  Size & { readonly id: string; readonly lines: readonly Line[]; readonly wrapAt?: number }
> = ({ id, lines, columns, rows, wrapAt = columns }) => {
  const filtered = filterLines(lines, useSnapshot(), wrapAt);
  return <ScrollBox id={id} {...filtered} width={columns} height={rows} />;
};

/** Rows of which as many show as there is room for. */
export const ScrollBox: FC<ScrollBoxProps> = (props) => {
  const snapshot = useSnapshot();
  const { layOut } = useStore();
  const { lines, width, height } = props;
  const place = placeOf(props, snapshot.ui);
  const box = useRef<DOMElement>(null);
  useLayoutEffect(() => {
    if (props.id !== undefined) layOut({ ...place, ...positionOf(box) });
  });
  if (place.shown === 0 && place.total > 0) {
    const text = `nothing here contains ${filterOf(snapshot)}: esc shows all ${place.total}`;
    return <Row line={line(text, 'warn')} width={width} />;
  }
  const shown = lines.slice(place.start, place.start + place.height);
  const tells = place.height < height && shown.length < lines.length;
  return (
    <Box
      ref={box}
      flexDirection="column"
      height={height}
      justifyContent="space-between"
      flexShrink={0}
    >
      <Rows lines={shown} width={width} />
      {tells && <Rows lines={[moreLine(props, place)]} width={width} />}
    </Box>
  );
};

function positionOf({ current }: RefObject<DOMElement | null>): Pick<BodyPlace, 'top' | 'left'> {
  let [top, left] = [0, 0];
  for (let node = current ?? undefined; node !== undefined; node = node.parentNode) {
    top += node.yogaNode?.getComputedTop() ?? 0;
    left += node.yogaNode?.getComputedLeft() ?? 0;
  }
  return { top, left };
}

/** Rows that a body needs to spare one for what is out of sight. */
const LEAST_ROOM = 3;

function placeOf(props: ScrollBoxProps, { scroll }: Ui): Omit<BodyPlace, 'top' | 'left'> {
  const { id = '', lines, height: room, failing, follows = false, gone = 0 } = props;
  const { shown = lines.length, total = shown, ids = [], matches = [] } = props;
  const tells = failing !== undefined && lines.length > room && room >= LEAST_ROOM;
  const height = Math.max(0, tells ? room - 1 : room);
  const last = Math.max(0, lines.length - height);
  const kept = scroll[id] ?? (follows ? 'end' : 0);
  const before = kept === 'end' ? last : Math.min(last, Math.max(0, kept - gone));
  const start = startWith(props, before, height, last);
  return { id, start, height, last, follows, gone, rows: lines.length, shown, total, ids, matches };
}

/** Moves as little as it can to show the chosen row. */
function startWith(
  { chosen = -1, chosenEnd = chosen }: ScrollBoxProps,
  before: number,
  height: number,
  last: number,
): number {
  if (chosen < 0) return before;
  const least = Math.min(last, chosenEnd - height + 1);
  return Math.min(chosen, Math.max(before, least));
}

/** `▼ 12 more, 1 failing`: what is out of sight below, and above where something fails there or nothing is below. */
function moreLine(
  { lines, failing = [] }: ScrollBoxProps,
  { start, height }: Pick<BodyPlace, 'start' | 'height'>,
): Line {
  const end = start + height;
  const part = (sign: string, count: number, bad: number): string =>
    `${sign} ${count} more${bad === 0 ? '' : `, ${bad} failing`}`;
  const below = failing.filter((index) => index >= end).length;
  const above = failing.filter((index) => index < start).length;
  const parts = [
    ...(end < lines.length ? [part('▼', lines.length - end, below)] : []),
    ...(above > 0 || end >= lines.length ? [part('▲', start, above)] : []),
  ];
  return line(parts.join('   '), above + below === 0 ? 'dim' : 'bad');
}

export interface TableColumn extends Column {
  readonly heading: string;
}

export interface TableRow {
  readonly id: string;
  /** The cells by the widths of the columns, or a row of its own. */
  readonly content: ((widths: readonly number[]) => readonly Line[]) | Line;
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
/** Rows that a cell of the chosen row has at most, unless the table wraps. */
const MAX_CELL_ROWS = 4;

export function layTable(content: TableContent): LaidTable {
  const { columns, rows, width, chosen, wraps = false, isMarked = false } = content;
  const indent = isMarked ? MARK.length : 0;
  const widths = columnWidths(columns, width - indent);
  const lines: Line[] = [];
  const ids: string[] = [];
  const failing: number[] = [];
  let [begin, end] = [-1, -1];
  for (const { id, content, remarks = [], isFailing = false } of rows) {
    const isChosen = id === chosen;
    if (isFailing) failing.push(lines.length);
    if (isChosen) begin = lines.length;
    if (typeof content === 'function') {
      const rows =
        isChosen || wraps
          ? tableRows(wraps ? content(widths) : shortened(content(widths), widths), columns, widths)
          : [tableRow(content(widths), columns, widths)];
      const mark = (index: number): string => (isChosen && index === 0 ? MARK : '').padEnd(indent);
      const laid = rows.map((row, index) =>
        indent === 0 ? row : [...line(mark(index), 'info'), ...row],
      );
      lines.push(...laid.map((row) => (isChosen ? chosenLine(row, width) : row)));
    } else {
      lines.push(isChosen ? chosenLine(content, width) : content);
    }
    lines.push(...remarks);
    ids.push(...lines.slice(ids.length).map(() => id));
    if (isChosen) end = lines.length - 1;
  }
  const headings = columns.map(({ heading }) => line(heading, 'dim'));
  const plain = columns.map((column) => ({ ...column, elides: false }));
  const heading = rows.some(({ content }) => typeof content === 'function')
    ? [...line(' '.repeat(indent)), ...tableRow(headings, plain, widths)]
    : [];
  return { heading, lines, chosen: begin, chosenEnd: end, failing, ids, shown: rows.length };
}

function shortened(cells: readonly Line[], widths: readonly number[]): Line[] {
  return cells.map((cell, index) => elideLine(cell, (widths[index] ?? 0) * MAX_CELL_ROWS));
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
