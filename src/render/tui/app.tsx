import { Box, Text, Transform, useInput } from 'ink';
import { type FC, memo, useMemo, useSyncExternalStore } from 'react';

import { clipLine, type Line } from '../text/line.js';
import { type Look, paintLine } from '../text/paint.js';
import { createKeyReader } from './keys.js';
import type { Store } from './store.js';
import { currentView } from './views/current-view.js';
import { footerLines, headerLine, isTooSmall, tooSmallRows } from './views/frame.js';
import { clusterRows, viewHeight, visibleRows } from './views/view.js';

export const App: FC<{ readonly store: Store }> = ({ store }) => {
  useInput(useMemo(() => createKeyReader((key) => store.press(key)), [store]));
  const snapshot = useSyncExternalStore(store.subscribe, store.getSnapshot);
  const { size, about } = snapshot;
  const place = { width: size.columns, look: about.look };
  if (isTooSmall(snapshot)) return <Rows rows={tooSmallRows(snapshot)} {...place} />;
  const height = viewHeight(snapshot);
  const view = currentView(snapshot).show(snapshot, height);
  return (
    <Box flexDirection="column" width={size.columns} height={size.rows}>
      <Rows rows={[headerLine(snapshot), ...clusterRows(snapshot)]} {...place} />
      <Rows rows={visibleRows(view, snapshot, height)} {...place} />
      <Rows rows={footerLines(snapshot)} {...place} />
    </Box>
  );
};

interface RowsProps {
  readonly rows: readonly Line[];
  readonly width: number;
  readonly look: Look;
}

const Rows: FC<RowsProps> = ({ rows, width, look }) => (
  <PaintedRows rows={rows.map((row) => paintLine(clipLine(row, width), look))} />
);

/**
 * Painted rows come in by a transform: Ink measures and remembers every text that it is given, and would remember each
 * second of each countdown.
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
