import { Box } from 'ink';
import { type FC, useLayoutEffect } from 'react';

import { type Line, line } from '../../text/line.js';
import { useSnapshot, useStore } from '../hooks/use-store.js';
import type { BodyPlace, Ui } from '../store/state.js';
import { Rows } from './row.js';

interface ScrollBoxProps {
  /** The key under which its scroll position is kept. */
  readonly id: string;
  readonly lines: readonly Line[];
  readonly width: number;
  readonly height: number;
  /** The index of the row that has to be visible. */
  readonly chosen?: number;
  /** The indices of rows in trouble; a last row tells how many of them are out of sight. */
  readonly failing?: readonly number[];
  /** Shows its end until the user scrolls. */
  readonly follows?: boolean;
  /** Rows before the first one that are no longer kept. */
  readonly gone?: number;
}

/** Rows of which as many show as there is room for. */
export const ScrollBox: FC<ScrollBoxProps> = (props) => {
  const { ui } = useSnapshot();
  const { layOut } = useStore();
  const { lines, width, height } = props;
  const place = placeOf(props, ui);
  useLayoutEffect(() => layOut(place));
  const shown = lines.slice(place.start, place.start + place.height);
  const tells = place.height < height && shown.length < lines.length;
  return (
    <Box flexDirection="column" height={height} justifyContent="space-between" flexShrink={0}>
      <Rows lines={shown} width={width} />
      {tells && <Rows lines={[moreLine(props, place)]} width={width} />}
    </Box>
  );
};

/** Rows that a body needs to spare one for what is out of sight. */
const LEAST_ROOM = 3;

function placeOf(
  { id, lines, height: room, chosen = -1, failing, follows = false, gone = 0 }: ScrollBoxProps,
  { scroll }: Ui,
): BodyPlace {
  const tells = failing !== undefined && lines.length > room && room >= LEAST_ROOM;
  const height = Math.max(0, tells ? room - 1 : room);
  const last = Math.max(0, lines.length - height);
  const kept = scroll[id] ?? (follows ? 'end' : 0);
  const before = kept === 'end' ? last : Math.min(last, Math.max(0, kept - gone));
  return { id, start: startWith(chosen, before, height, last), height, last, follows, gone };
}

/** Moves as little as it can to show the chosen row. */
function startWith(chosen: number, before: number, height: number, last: number): number {
  if (chosen < 0) return before;
  if (chosen < before) return chosen;
  return chosen >= before + height ? Math.min(last, chosen - height + 1) : before;
}

/** `▼ 12 more, 1 failing`: what is out of sight below, and above where something fails there or nothing is below. */
function moreLine({ lines, failing = [] }: ScrollBoxProps, { start, height }: BodyPlace): Line {
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
