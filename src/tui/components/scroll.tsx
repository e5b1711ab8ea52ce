import { isDeepStrictEqual } from 'node:util';

import { Box, type DOMElement } from 'ink';
import {
  type FC,
  isValidElement,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

import { useSnapshot, useStore } from '../hooks/use-store.js';
import { filterOf } from '../store/selection.js';
import type { BodyPlace, Ui } from '../store/state.js';
import { useColumns } from './columns.js';
import { ItemCount } from './item.js';
import { Text } from './text.js';

export interface ScrollProps {
  /** The key under which its scroll position is kept; without it, it is not what keys scroll. */
  readonly id?: string | undefined;
  /** Rows, or parts of several rows. Only those on the screen are rendered. */
  readonly children: ReactNode;
  /** The key of the part that has to be visible. */
  readonly chosen?: string | undefined;
  /** The keys of parts with a diagnosis; a last row says how many of them are out of sight. */
  readonly failing?: readonly string[] | undefined;
  /** The keys of parts that contain what the user looks for. */
  readonly matching?: readonly string[];
  readonly follows?: boolean;
  /** Rows before the first one that are no longer kept. */
  readonly gone?: number;
  /** The number of parts without the filter; undefined where they are items, which count themselves. */
  readonly total?: number | undefined;
  /** The number of parts that the filter lets through; all by default. */
  readonly shown?: number;
  readonly flexGrow?: number;
}

interface Part {
  readonly key: string;
  /** False where the key is only its place among the others. */
  readonly isKeyed: boolean;
  readonly element: ReactElement;
  readonly top: number;
  readonly height: number;
}

interface Measured {
  /** Rows that there are for the body. */
  readonly room: number;
  /** Numbers of rows of the parts that do not have exactly one, by their keys. */
  readonly heights: ReadonlyMap<string, number>;
  readonly shown: number;
  readonly total: number;
}

/** Parts above each other, as many as there is room for. */
export const Scroll: FC<ScrollProps> = (props) => {
  const { id, children, failing, total, flexGrow = 1 } = props;
  const snapshot = useSnapshot();
  const { layOut } = useStore();
  const columns = useColumns();
  const box = useRef<DOMElement>(null);
  const view = useRef<DOMElement>(null);
  const content = useRef<DOMElement>(null);
  const [items, countItem] = useItemCount();
  const [measured, setMeasured] = useState<Measured>({
    room: snapshot.size.rows,
    heights: new Map(),
    shown: 0,
    total: 0,
  });
  const parts = partsOf(children, measured.heights);
  const counts = total === undefined ? measured : { shown: props.shown ?? parts.length, total };
  const place = placeOf(props, parts, measured.room, snapshot.ui);
  const visible = parts.filter(
    ({ top, height }) => top < place.start + place.height && top + height >= place.start,
  );
  useLayoutEffect(() => {
    const room = box.current?.yogaNode?.getComputedHeight() ?? 0;
    // In a box without rows, Yoga gives every part a height of 0: the heights measured before are kept.
    const heights = room === 0 ? measured.heights : heightsOf(content, visible, measured.heights);
    const now = { room, heights, ...items.current };
    if (!isDeepStrictEqual(now, measured)) return setMeasured(now);
    const { shown, total } = counts;
    if (id !== undefined) layOut({ id, ...place, shown, total, columns, ...positionOf(view) });
  });
  const isEmpty = counts.shown === 0 && counts.total > 0;
  const hasMoreRow = failing !== undefined && place.height < Math.min(place.rows, measured.room);
  const above = visible[0]?.top ?? 0;
  return (
    <Box ref={box} flexDirection="column" flexGrow={flexGrow} overflowY="hidden">
      {isEmpty && (
        <Text tone="warn">
          {`nothing here contains ${filterOf(snapshot)}: esc shows all ${counts.total}`}
        </Text>
      )}
      {/* The box wants the same rows with and without the last one: else each would call for the other. */}
      <Box
        ref={view}
        flexDirection="column"
        flexGrow={1}
        height={hasMoreRow ? place.rows - 1 : place.rows}
        overflowY="hidden"
      >
        <Box ref={content} flexDirection="column" flexShrink={0} marginTop={above - place.start}>
          <ItemCount value={countItem}>{visible.map(partElement)}</ItemCount>
        </Box>
      </Box>
      {hasMoreRow && (
        <Box flexShrink={0}>
          <MoreRow parts={parts} failing={failing} {...place} />
        </Box>
      )}
    </Box>
  );
};

function partElement({ key, element }: Part): ReactElement {
  return (
    <Box key={key} flexDirection="column" flexShrink={0}>
      {element}
    </Box>
  );
}

function useItemCount() {
  const items = useRef({ shown: 0, total: 0 });
  const countItem = useCallback((isShown: boolean) => {
    const add = (by: number): void => {
      const { shown, total } = items.current;
      items.current = { shown: shown + (isShown ? by : 0), total: total + by };
    };
    add(1);
    return () => add(-1);
  }, []);
  return [items, countItem] as const;
}

function partsOf(children: ReactNode, heights: Measured['heights']): Part[] {
  let top = 0;
  return [children]
    .flat(Infinity)
    .filter((child) => isValidElement(child))
    .map((element, index) => {
      const key = element.key ?? `${index}`;
      const height = heights.get(key) ?? 1;
      top += height;
      return { key, isKeyed: element.key !== null, element, top: top - height, height };
    });
}

/** The rows of the visible parts as they have been laid out, and those of others as they were. */
function heightsOf(
  { current }: RefObject<DOMElement | null>,
  visible: readonly Part[],
  before: Measured['heights'],
): Measured['heights'] {
  const heights = new Map(before);
  visible.forEach(({ key }, index) => {
    const node = current?.childNodes[index];
    const height = node?.yogaNode?.getComputedHeight() ?? 1;
    if (height === 1) heights.delete(key);
    else heights.set(key, height);
  });
  return heights;
}

function positionOf({ current }: RefObject<DOMElement | null>): Pick<BodyPlace, 'top' | 'left'> {
  let [top, left] = [0, 0];
  for (let node = current ?? undefined; node !== undefined; node = node.parentNode) {
    top += node.yogaNode?.getComputedTop() ?? 0;
    left += node.yogaNode?.getComputedLeft() ?? 0;
  }
  return { top, left };
}

/** Rows that a body needs to spare one for what is out of sight. */
const MIN_ROOM = 2;

type Place = Omit<BodyPlace, 'id' | 'top' | 'left' | 'columns' | 'shown' | 'total'>;

function placeOf(props: ScrollProps, parts: readonly Part[], room: number, { scroll }: Ui): Place {
  const { id = '', chosen, failing, matching = [], follows = false, gone = 0 } = props;
  const rows = parts.reduce((sum, { height }) => sum + height, 0);
  const hasMoreRow = failing !== undefined && rows > room && room >= MIN_ROOM;
  const height = hasMoreRow ? room - 1 : room;
  const last = Math.max(0, rows - height);
  const kept = scroll[id] ?? (follows ? 'end' : 0);
  const before = kept === 'end' ? last : Math.min(last, Math.max(0, kept - gone));
  const wanted = parts.find(({ key }) => key === chosen);
  const least = startWith(wanted, before, height, last);
  const whole = parts.find(({ top }) => least > before && top >= least);
  const start = Math.min(last, whole?.top ?? least);
  const ids = parts.flatMap(({ key, isKeyed, height }) =>
    isKeyed ? Array.from({ length: height }, () => key) : [],
  );
  const matches = parts
    .filter(({ key }) => matching.includes(key))
    .map(({ key, top }) => ({ key, top }));
  return { start, height, last, follows, gone, rows, ids, matches };
}

/** Moves as little as it can to show the chosen part. */
function startWith(chosen: Part | undefined, before: number, height: number, last: number): number {
  if (chosen === undefined) return before;
  const min = Math.min(last, chosen.top + chosen.height - height);
  return Math.min(chosen.top, Math.max(before, min));
}

type MoreProps = Pick<Place, 'start' | 'height' | 'rows'> & {
  readonly parts: readonly Part[];
  readonly failing: readonly string[];
};

/** `▼ 12 more, 1 failing`: what is out of sight below, and above where something fails there or nothing is below. */
const MoreRow: FC<MoreProps> = ({ parts, failing, start, height, rows }) => {
  const end = start + height;
  const bad = parts.filter(({ key }) => failing.includes(key));
  const below = bad.filter(({ top }) => top >= end).length;
  const above = bad.filter(({ top }) => top < start).length;
  const texts = [
    ...(end < rows ? [moreText('▼', rows - end, below)] : []),
    ...(above > 0 || end >= rows ? [moreText('▲', start, above)] : []),
  ];
  return <Text tone={above + below === 0 ? 'dim' : 'bad'}>{texts.join('   ')}</Text>;
};

function moreText(sign: string, count: number, failing: number): string {
  return `${sign} ${count} more${failing === 0 ? '' : `, ${failing} failing`}`;
}
