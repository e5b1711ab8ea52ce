import { type Line, lineText } from '../../text/line.js';
import { matches } from '../format.js';
import type { KeyName } from '../keys.js';
import type { Size } from '../screen.js';
import type { Effect, Snapshot, Ui } from '../state.js';

/** A row as it is shown. */
export interface Row {
  readonly line: Line;
}

/** What stands between header and footer: rows that stay around a body that scrolls. */
export interface View {
  readonly head: readonly Row[];
  readonly body: Body;
  readonly tail: readonly Row[];
}

export interface Body {
  /** Under which its place is remembered. */
  readonly id: string;
  readonly count: number;
  readonly row: (index: number) => Row;
  /** The row that is to be in sight. */
  readonly chosen?: number;
  /** It shows its end until the user scrolls. */
  readonly follows?: boolean;
  /** Rows that were there before the first one and are gone. */
  readonly gone?: number;
}

/** What a key changes, and what it asks for. */
export interface Pressed {
  readonly ui: Ui;
  readonly effect?: Effect;
}

/** A key and what it does: in a word for the footer, in a sentence for the help. */
export interface KeyHelp {
  readonly key: string;
  readonly word: string;
  readonly sentence: string;
  /** What it does cannot be done to a run that is over. */
  readonly isLive?: boolean;
}

/** A view and its keys. */
export interface ViewKind {
  /** In the header, after the pod. */
  readonly title: (snapshot: Snapshot) => string;
  /** `height` is what header and footer leave. */
  readonly show: (snapshot: Snapshot, height: number) => View;
  /** Undefined for keys that it does not know. */
  readonly press?: (snapshot: Snapshot, key: KeyName) => Pressed | undefined;
  readonly keys: readonly KeyHelp[];
}

export const NO_BODY: Body = { id: '', count: 0, row: () => ({ line: [] }) };

/** A body of lines, as many as the filter lets through. */
export function filteredBody(id: string, lines: readonly Line[], { filter }: Ui): Body {
  const shown = lines.filter((line) => matches(lineText(line), filter));
  return bodyOf(
    id,
    shown.map((line) => ({ line })),
  );
}

/** A body of rows that are there already. */
export function bodyOf(id: string, rows: readonly Row[]): Body {
  return { id, count: rows.length, row: (index) => rows[index] ?? { line: [] } };
}

const HEADER_ROWS = 1;

/** Where a body stands. */
export interface Place {
  readonly start: number;
  readonly height: number;
  /** The greatest start. */
  readonly last: number;
}

export function placeOf({ head, body, tail }: View, { ui }: Snapshot, height: number): Place {
  const own = Math.max(0, height - head.length - tail.length);
  const last = Math.max(0, body.count - own);
  const kept = ui.scroll[body.id] ?? (body.follows === true ? 'end' : 0);
  const before = kept === 'end' ? kept : Math.max(0, kept - (body.gone ?? 0));
  return { start: windowStart(body.count, own, body.chosen ?? -1, before), height: own, last };
}

/** The rows of a view, as many as there is room for. */
export function visibleRows(view: View, snapshot: Snapshot, height: number): Row[] {
  const { head, body, tail } = view;
  const place = placeOf(view, snapshot, height);
  const shown = Math.min(place.height, body.count - place.start);
  const rows = Array.from({ length: Math.max(0, shown) }, (_, at) => body.row(place.start + at));
  while (rows.length < place.height) rows.push({ line: [] });
  return [...head, ...rows, ...tail].slice(0, height);
}

export function viewHeight({ size }: Snapshot): number {
  return Math.max(0, size.rows - HEADER_ROWS - footerHeight(size));
}

/** The first of `height` rows to show, so that the chosen one is among them and the view moves as little as it can. */
export function windowStart(
  count: number,
  height: number,
  chosen: number,
  before: number | 'end',
): number {
  const last = Math.max(0, count - height);
  const start = before === 'end' ? last : Math.min(before, last);
  if (chosen < 0) return start;
  if (chosen < start) return Math.max(0, chosen);
  return chosen >= start + height ? Math.min(last, chosen - height + 1) : start;
}

/** Up to this width the tabs leave too little room for the keys beside them. */
const NARROW = 120;
/** Above this height there is a row to spare. */
const LOW = 20;

/** Rows of the footer: keys and tabs get one each where one is not enough for both. */
export function footerHeight({ columns, rows }: Size): number {
  return columns <= NARROW && rows >= LOW ? 2 : 1;
}
