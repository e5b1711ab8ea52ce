import { type Line, lineText } from '../../text/line.js';
import { matches } from '../format/matches.js';
import type { KeyName } from '../keys/keys-of.js';
import type { Effect } from '../store/effect.js';
import type { Snapshot } from '../store/snapshot.js';
import type { Ui } from '../store/ui.js';

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
