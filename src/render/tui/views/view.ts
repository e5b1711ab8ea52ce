import { type Line, line, lineText, type Tone, wrapText } from '../../text/line.js';
import { matches } from '../format.js';
import type { KeyName } from '../keys.js';
import type { Size } from '../screen.js';
import { type Effect, readsOnly, type Snapshot, type Ui } from '../state.js';

export interface ViewKind {
  /** In the header, after the pod. */
  readonly title: (snapshot: Snapshot) => string;
  /** `height` is what header and footer leave. */
  readonly show: (snapshot: Snapshot, height: number) => View;
  /** Undefined for keys that it does not know. */
  readonly press?: (snapshot: Snapshot, key: KeyName) => Pressed | undefined;
  readonly keys: readonly KeyHelp[];
}

/** The rows between header and footer: a body that scrolls, and rows that stay above and below it. */
export interface View {
  readonly head?: readonly Line[];
  readonly body?: Body;
  readonly tail?: readonly Line[];
}

export interface Body {
  /** The key under which its scroll position is kept. */
  readonly id: string;
  readonly rows: readonly Line[];
  /** The index of the row that has to be visible. */
  readonly chosen?: number;
  /** The indices of rows in trouble; a last row tells how many of them are out of sight. */
  readonly failing?: readonly number[];
  /** Shows its end until the user scrolls. */
  readonly follows?: boolean;
  /** Rows before the first one that are no longer kept. */
  readonly gone?: number;
}

export interface Pressed {
  readonly ui: Ui;
  readonly effect?: Effect;
}

/** A key and what it does: in a word for the footer, in a sentence for the help. */
export interface KeyHelp {
  readonly key: string;
  readonly word: string;
  readonly sentence: string;
  /** Does nothing in a replay. */
  readonly isLive?: boolean;
}

export function filteredBody(id: string, lines: readonly Line[], { filter }: Ui): Body {
  return { id, rows: lines.filter((line) => matches(lineText(line), filter)) };
}

const NO_BODY: Body = { id: '', rows: [] };

export interface Place {
  readonly start: number;
  readonly height: number;
  /** The greatest start. */
  readonly last: number;
}

export function placeOf(
  { head = [], body = NO_BODY, tail = [] }: View,
  { ui }: Snapshot,
  viewHeight: number,
): Place {
  const { rows, chosen = -1, follows = false, gone = 0, failing } = body;
  const room = Math.max(0, viewHeight - head.length - tail.length);
  const tells = failing !== undefined && rows.length > room && room >= LEAST_ROOM;
  const height = tells ? room - 1 : room;
  const last = Math.max(0, rows.length - height);
  const kept = ui.scroll[body.id] ?? (follows ? 'end' : 0);
  const before = kept === 'end' ? last : Math.min(last, Math.max(0, kept - gone));
  return { start: startWith(chosen, before, height, last), height, last };
}

/** Moves as little as it can to show the chosen row. */
function startWith(chosen: number, before: number, height: number, last: number): number {
  if (chosen < 0) return before;
  if (chosen < before) return chosen;
  return chosen >= before + height ? Math.min(last, chosen - height + 1) : before;
}

export function visibleRows(view: View, snapshot: Snapshot, viewHeight: number): Line[] {
  const { head = [], body = NO_BODY, tail = [] } = view;
  const place = placeOf(view, snapshot, viewHeight);
  const { start, height } = place;
  const rows = body.rows.slice(start, start + height);
  const blank = Array.from({ length: height - rows.length }, (): Line => []);
  const free = viewHeight - head.length - tail.length - height;
  const more = free > 0 && rows.length < body.rows.length ? [moreLine(body, place)] : [];
  return [...head, ...rows, ...blank, ...more, ...tail].slice(0, viewHeight);
}

/** Rows that a body needs to spare one for what is out of sight. */
const LEAST_ROOM = 3;

/** `▼ 12 more, 1 failing`: what is out of sight below, and above where something fails there or nothing is below. */
function moreLine({ rows, failing = [] }: Body, { start, height }: Place): Line {
  const end = start + height;
  const part = (sign: string, count: number, bad: number): string =>
    `${sign} ${count} more${bad === 0 ? '' : `, ${bad} failing`}`;
  const below = failing.filter((index) => index >= end).length;
  const above = failing.filter((index) => index < start).length;
  const parts = [
    ...(end < rows.length ? [part('▼', rows.length - end, below)] : []),
    ...(above > 0 || end >= rows.length ? [part('▲', start, above)] : []),
  ];
  return line(parts.join('   '), above + below === 0 ? 'dim' : 'bad');
}

/** Up to this width the tabs leave too little room for the keys beside them. */
const NARROW = 120;
/** Above this height there is a row to spare. */
const LOW = 20;

/** Keys and tabs get a row each where one is not enough for both. */
export function footerHeight({ columns, rows }: Size): number {
  return columns <= NARROW && rows >= LOW ? 2 : 1;
}

const HEADER_ROWS = 1;

export function viewHeight(snapshot: Snapshot): number {
  const { size } = snapshot;
  const others = HEADER_ROWS + clusterRows(snapshot).length + footerHeight(size);
  return Math.max(0, size.rows - others);
}

/** Rows of each sentence, and sentences, at most. */
const MAX_ROWS = 2;
const MAX_ROLLOUTS = 3;
/** Rows of a screen above which each sentence gets one more. */
const LOW_SCREEN = 30;

/** The rollouts of a watch, and a connection that is lost. */
export function clusterRows({ summary, about, size }: Snapshot): Line[] {
  const { workloads, runtimeError } = summary;
  const most = size.rows > LOW_SCREEN ? MAX_ROWS + 1 : MAX_ROWS;
  const rows = (text: string, tone: Tone): Line[] => {
    const all = wrapText(text, size.columns);
    return [...all.slice(0, most - 1), all.slice(most - 1).join(' ')]
      .filter((row) => row !== '')
      .map((row) => line(row, tone));
  };
  const isLost = runtimeError !== undefined && readsOnly(about);
  return [
    ...(isLost ? rows(`${runtimeError}; trying again`, 'warn') : []),
    ...workloads
      .slice(0, MAX_ROLLOUTS)
      .flatMap(({ sentence, done, failed }) =>
        rows(sentence, done ? 'good' : failed ? 'bad' : 'warn'),
      ),
  ];
}
