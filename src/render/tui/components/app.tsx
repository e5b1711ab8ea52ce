import { Box } from 'ink';
import type { FC } from 'react';

import { useKeys } from '../hooks/use-keys.js';
import { useSnapshot } from '../hooks/use-snapshot.js';
import { footerLine } from '../pod/footer.js';
import { podHeader } from '../pod/pod-header.js';
import { podView, type Row } from '../pod/pod-view.js';
import { podInView } from '../store/pod-in-view.js';
import type { Snapshot } from '../store/snapshot.js';
import type { Store } from '../store/store.js';
import { clipLine, line } from '../text/line.js';
import { paintLine } from '../text/paint.js';
import { Rows } from './rows.js';

interface AppProps {
  readonly store: Store;
}

/** The whole screen. */
export const App: FC<AppProps> = ({ store }) => {
  useKeys(store);
  const snapshot = useSnapshot(store);
  const { columns, rows } = snapshot.size;
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <PodScreen snapshot={snapshot} />
      <Box flexGrow={1} />
      <Rows rows={painted(snapshot, [{ line: footerLine(snapshot) }])} />
    </Box>
  );
};

const PodScreen: FC<{ readonly snapshot: Snapshot }> = ({ snapshot }) => {
  const pod = podInView(snapshot);
  if (pod === undefined) return <Rows rows={painted(snapshot, [{ line: line('starting …') }])} />;
  const { now, about, size } = snapshot;
  const { table, outlook, events } = podView(pod, snapshot, size.rows - 2);
  return (
    <>
      <Rows rows={painted(snapshot, [{ line: podHeader(pod, now, about, size.columns) }])} />
      <Rows rows={painted(snapshot, table)} />
      <Rows rows={painted(snapshot, outlook)} />
      <Rows rows={painted(snapshot, events)} />
    </>
  );
};

function painted({ size, about }: Snapshot, rows: readonly Row[]): string[] {
  return rows.map(({ line: own, selected = false }) =>
    paintLine(clipLine(own, size.columns), about.look, selected),
  );
}
