import { Box, Text, Transform, useInput } from 'ink';
import { type FC, memo, useMemo, useSyncExternalStore } from 'react';

import { clipLine } from '../text/line.js';
import { type Look, paintLine } from '../text/paint.js';
import { createKeyReader } from './keys.js';
import type { Snapshot } from './state.js';
import type { Store } from './store.js';
import { currentView } from './views/current-view.js';
import { footerLines, headerLine, isTooSmall, tooSmallRows } from './views/frame.js';
import { type Row, viewHeight, visibleRows } from './views/view.js';

interface AppProps {
  readonly store: Store;
}

/** The whole screen: header, the current view, footer. */
export const App: FC<AppProps> = ({ store }) => {
  useKeys(store);
  const snapshot = useSnapshot(store);
  const { size, about } = snapshot;
  const place = { width: size.columns, look: about.look };
  if (isTooSmall(snapshot)) return <Rows rows={tooSmallRows(snapshot)} {...place} />;
  const height = viewHeight(snapshot);
  return (
    <Box flexDirection="column" width={size.columns} height={size.rows}>
      <Rows rows={[{ line: headerLine(snapshot) }]} {...place} />
      <Rows
        rows={visibleRows(currentView(snapshot).show(snapshot, height), snapshot, height)}
        {...place}
      />
      <Rows rows={footerLines(snapshot).map((line) => ({ line }))} {...place} />
    </Box>
  );
};

interface RowsProps {
  readonly rows: readonly Row[];
  readonly width: number;
  readonly look: Look;
}

/** Rows, cut at the screen's margin. */
export const Rows: FC<RowsProps> = ({ rows, width, look }) => (
  <PaintedRows rows={rows.map(({ line }) => paintLine(clipLine(line, width), look))} />
);

/**
 * Rows as they are. They come in by a transform: Ink measures and remembers every text that it is given, and would
 * remember each second of each countdown.
 */
const PaintedRows: FC<{ readonly rows: readonly string[] }> = memo(
  function PaintedRows({ rows }: { readonly rows: readonly string[] }) {
    if (rows.length === 0) return null;
    return (
      <Transform transform={(_, index) => rows[index] ?? ''}>
        <Text>{rows.map(() => ' ').join('\n')}</Text>
      </Transform>
    );
  },
  (before, after) =>
    before.rows.length === after.rows.length &&
    before.rows.every((row, index) => row === after.rows[index]),
);

/** Hands key presses to the store. */
export function useKeys(store: Store): void {
  useInput(useMemo(() => createKeyReader((key) => store.press(key)), [store]));
}

/** What the current frame shows. */
export function useSnapshot(store: Store): Snapshot {
  return useSyncExternalStore(store.subscribe, store.getSnapshot);
}
