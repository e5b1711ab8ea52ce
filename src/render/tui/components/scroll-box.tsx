import { Box, type DOMElement } from 'ink';
import { type FC, type RefObject, useLayoutEffect, useRef } from 'react';

import { type Line, line } from '../../text/line.js';
import { useSnapshot, useStore } from '../hooks/use-store.js';
import { filterOf } from '../store/selection.js';
import type { BodyPlace, Ui } from '../store/state.js';
import { Row, Rows } from './row.js';

export interface ScrollBoxProps {
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
  /** Shows its end until the user scrolls. */
  readonly follows?: boolean | undefined;
  /** Rows before the first one that are no longer kept. */
  readonly gone?: number;
  /** The items that the filter lets through, and all. */
  readonly shown?: number;
  readonly total?: number | undefined;
  /** The row of a list that each line belongs to. */
  readonly ids?: readonly (string | undefined)[];
}

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

/** Column and row on the screen. */
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
  const { shown = lines.length, total = shown, ids = [] } = props;
  const tells = failing !== undefined && lines.length > room && room >= LEAST_ROOM;
  const height = Math.max(0, tells ? room - 1 : room);
  const last = Math.max(0, lines.length - height);
  const kept = scroll[id] ?? (follows ? 'end' : 0);
  const before = kept === 'end' ? last : Math.min(last, Math.max(0, kept - gone));
  const start = startWith(props, before, height, last);
  return { id, start, height, last, follows, gone, rows: lines.length, shown, total, ids };
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
