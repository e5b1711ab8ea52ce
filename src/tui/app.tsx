import { Box, type DOMElement, useInput } from 'ink';
import { type FC, type RefObject, useLayoutEffect, useMemo } from 'react';

import { verdictOf } from '../trace/summary/verdict.js';
import { Paragraph } from './components/text.js';
import { usePaintOnce } from './hooks/use-paint-once.js';
import { StoreProvider, useSnapshot, useStore } from './hooks/use-store.js';
import { createKeyReader } from './store/key-reader.js';
import { viewName } from './store/selection.js';
import type { Snapshot, ViewName } from './store/state.js';
import type { Store } from './store/store.js';
import { attemptTitle, AttemptView } from './views/attempt-view.js';
import { describeTitle, DescribeView } from './views/describe-view.js';
import { Footer } from './views/footer.js';
import { Cluster, Header } from './views/header.js';
import {
  ConfirmView,
  CopyView,
  explainTitle,
  ExplainView,
  HelpView,
} from './views/overlay-views.js';
import { PodView } from './views/pod-view.js';
import { podsTitle, PodsView } from './views/pods-view.js';
import { eventsTitle, EventsView, logsTitle, LogsView, StatusView } from './views/tab-views.js';
import { timelineTitle, TimelineView } from './views/timeline-view.js';

export const App: FC<{ readonly store: Store }> = ({ store }) => (
  <StoreProvider value={store}>
    <Screen />
  </StoreProvider>
);

const SMALLEST = { columns: 40, rows: 12 };

const Screen: FC = () => {
  const { press, noteDrawn } = useStore();
  useInput(useMemo(() => createKeyReader(press), [press]));
  const snapshot = useSnapshot();
  useLayoutEffect(() => noteDrawn(snapshot), [noteDrawn, snapshot]);
  const box = usePaintOnce();
  const { columns, rows } = snapshot.size;
  if (columns < SMALLEST.columns || rows < SMALLEST.rows) return <TooSmall box={box} />;
  const { title, View } = VIEWS[viewName(snapshot)];
  return (
    <Box ref={box} flexDirection="column" width={columns} height={rows}>
      <Header title={title(snapshot)} />
      <Cluster />
      <Box flexDirection="column" flexGrow={1} flexBasis={0} overflowY="hidden">
        <View />
      </Box>
      <Footer />
    </Box>
  );
};

const TooSmall: FC<{ readonly box: RefObject<DOMElement | null> }> = ({ box }) => {
  const { size, summary } = useSnapshot();
  const { columns, rows } = size;
  const needed = `${SMALLEST.columns}×${SMALLEST.rows}`;
  return (
    <Box ref={box} flexDirection="column">
      <Paragraph text={`kprobe needs ${needed}; this is ${columns}×${rows}.`} />
      <Paragraph text="Probing continues. q quits." />
      {summary.pods.length > 0 && (
        <Box marginTop={1}>
          <Paragraph text={verdictOf(summary).sentence} />
        </Box>
      )}
    </Box>
  );
};

/** Each view, with its title in the header. */
const VIEWS: Readonly<
  Record<ViewName, { readonly title: (snapshot: Snapshot) => string; readonly View: FC }>
> = {
  pods: { title: podsTitle, View: PodsView },
  pod: { title: () => '', View: PodView },
  timeline: { title: timelineTitle, View: TimelineView },
  events: { title: eventsTitle, View: EventsView },
  status: { title: () => 'status', View: StatusView },
  logs: { title: logsTitle, View: LogsView },
  help: { title: () => 'keys', View: HelpView },
  attempt: { title: attemptTitle, View: AttemptView },
  describe: { title: describeTitle, View: DescribeView },
  explain: { title: explainTitle, View: ExplainView },
  copy: { title: () => 'copy', View: CopyView },
  confirmRestart: { title: () => 'restart', View: ConfirmView },
};
