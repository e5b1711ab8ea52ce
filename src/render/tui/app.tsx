import { Box, useInput } from 'ink';
import { type FC, useMemo } from 'react';

import { verdictOf } from '../../trace/summary/verdict.js';
import { line, wrapText } from '../text/line.js';
import { Footer, footerHeight } from './components/footer.js';
import { Header } from './components/header.js';
import { Rows } from './components/row.js';
import { clusterRows } from './components/sentence-rows.js';
import { StoreProvider, useSnapshot, useStore } from './hooks/use-store.js';
import { createKeyReader } from './store/key-reader.js';
import type { Store } from './store/store.js';
import { currentView } from './views/current-view.js';

export const App: FC<{ readonly store: Store }> = ({ store }) => (
  <StoreProvider value={store}>
    <Screen />
  </StoreProvider>
);

const SMALLEST = { columns: 40, rows: 12 };
const HEADER_ROWS = 1;

const Screen: FC = () => {
  useKeys();
  const snapshot = useSnapshot();
  const { columns, rows } = snapshot.size;
  if (columns < SMALLEST.columns || rows < SMALLEST.rows) return <TooSmall />;
  const { title, View } = currentView(snapshot);
  const cluster = clusterRows(snapshot);
  const others = HEADER_ROWS + cluster.length + footerHeight(snapshot.size);
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Header title={title(snapshot)} />
      <Rows lines={cluster} width={columns} />
      <Box flexGrow={1} flexDirection="column">
        <View columns={columns} rows={Math.max(0, rows - others)} />
      </Box>
      <Footer />
    </Box>
  );
};

const TooSmall: FC = () => {
  const { size, summary } = useSnapshot();
  const { columns, rows } = size;
  const texts = [
    `kprobe needs ${SMALLEST.columns}×${SMALLEST.rows}; this is ${columns}×${rows}.`,
    'Probing continues. q quits.',
    '',
    ...(summary.pods.length === 0 ? [] : [verdictOf(summary).sentence]),
  ];
  const lines = texts.flatMap((text) => wrapText(text, columns)).map((text) => line(text));
  return <Rows lines={lines.slice(0, rows)} width={columns} />;
};

function useKeys(): void {
  const { press } = useStore();
  useInput(useMemo(() => createKeyReader(press), [press]));
}
