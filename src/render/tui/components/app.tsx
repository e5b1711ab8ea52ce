import { Box } from 'ink';
import type { FC } from 'react';

import { useKeys } from '../hooks/use-keys.js';
import { useSnapshot } from '../hooks/use-snapshot.js';
import type { Store } from '../store/store.js';
import { currentView } from '../views/current-view.js';
import { footerLines } from '../views/footer.js';
import { headerLine } from '../views/header.js';
import { viewHeight, visibleRows } from '../views/layout.js';
import { isTooSmall, tooSmallRows } from '../views/too-small.js';
import { Rows } from './rows.js';

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
