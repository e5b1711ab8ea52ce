import type { Snapshot } from '../store/snapshot.js';
import { windowStart } from '../text/window.js';
import { footerHeight } from './footer.js';
import type { Row, View } from './view.js';

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
