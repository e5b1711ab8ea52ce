import { isDeepStrictEqual } from 'node:util';

import { Box, type BoxProps } from 'ink';
import type { FC } from 'react';

import { type Diagnosis, isFailing } from '../../diagnosis/fault.js';
import type { Outlook } from '../../diagnosis/next-step.js';
import { outlooks } from '../../diagnosis/outlook.js';
import { firstChange, headline, outlookSubject, outlookText } from '../../diagnosis/words.js';
import { divergenceText } from '../../report/view-text.js';
import { hasDied } from '../../trace/summary/container-view.js';
import type { PodSummary } from '../../trace/summary/summary.js';
import { useColumns } from '../components/columns.js';
import { Panel, Rule } from '../components/panel.js';
import { PodTable } from '../components/pod-table.js';
import { Scroll } from '../components/scroll.js';
import { Table } from '../components/table.js';
import { Beside, Text } from '../components/text.js';
import { useSnapshot } from '../hooks/use-store.js';
import { listedEvents } from '../store/lists.js';
import {
  chosenContainer,
  filterOf,
  matches,
  podInView,
  rowTargets,
  troublesOf,
  wrapsIn,
} from '../store/selection.js';
import { readsOnly, type Size, type Snapshot } from '../store/state.js';
import { EVENT_COLUMNS, eventRows, logRows } from './tab-views.js';
import { Lanes } from './timeline-view.js';

/** Terminals from this size on have panels. */
const LARGE: Size = { columns: 120, rows: 39 };

export const PodView: FC = () => {
  const snapshot = useSnapshot();
  const { size } = snapshot;
  const pod = podInView(snapshot);
  if (pod === undefined) {
    return (
      <Text tone="dim">
        {readsOnly(snapshot.context) ? 'no pods: waiting for them' : 'starting …'}
      </Text>
    );
  }
  const isLarge = size.columns >= LARGE.columns && size.rows >= LARGE.rows;
  const Layout = isLarge ? PodPanels : PodRows;
  return <Layout pod={pod} />;
};

interface PodProps {
  readonly pod: PodSummary;
}

/** Terminals lower than this have events only where room is left, and no outlook. */
const LOW = 19;
/** Rows that events keep, with their heading. */
const MIN_EVENTS = 4;
/** Sentences that may take two rows each. */
const FEW = 2;

const PodRows: FC<PodProps> = ({ pod }) => {
  const snapshot = useSnapshot();
  const { rows } = snapshot.size;
  const next = rows < LOW ? [] : otherOutlooks(pod, snapshot);
  const events = rows < LOW ? 0 : Math.min(pod.events.length + 1, MIN_EVENTS);
  return (
    <>
      <Trouble pod={pod} isRuled />
      <PodTable pod={pod} />
      {next.length > 0 && (
        <Box flexDirection="column" flexShrink={3} minHeight={3}>
          <Rule title="what the kubelet does next" />
          <Outlooks outlooks={next} maxRows={next.length > FEW ? 1 : 2} />
          <Rule />
        </Box>
      )}
      <LatestEvents pod={pod} flexGrow={1} flexShrink={0} flexBasis={events} />
      <CrashOutput />
    </>
  );
};

/** Lines of output that the first view shows at most. */
const MAX_OUTPUT = 12;

/** The latest output of the chosen container, once it has died. */
const CrashOutput: FC = () => {
  const container = chosenContainer(useSnapshot())?.container;
  if (container?.runs.some(hasDied) !== true || container.output.length === 0) return null;
  const output = container.output.slice(-MAX_OUTPUT);
  return (
    <Box flexDirection="column" flexShrink={100}>
      <Rule title={`logs of ${container.name}, l shows all`} tone="dim" />
      <Scroll follows>{logRows({ container, output, wraps: true })}</Scroll>
    </Box>
  );
};

/** Rows of events and logs at least, their borders included. */
const MIN_BELOW = 6;

/** The same with borders, a live timeline, and the chosen container's output. */
const PodPanels: FC<PodProps> = ({ pod }) => {
  const snapshot = useSnapshot();
  const columns = useColumns();
  const next = otherOutlooks(pod, snapshot);
  const hasLanes = rowTargets(pod, snapshot).length <= snapshot.size.rows / 3;
  const eventColumns = Math.ceil(columns * 0.63);
  return (
    <>
      <Trouble pod={pod} />
      <Panel title="containers and probes">
        <PodTable pod={pod} />
      </Panel>
      {next.length > 0 && (
        <Panel title="what the kubelet does next" flexShrink={0}>
          <Outlooks outlooks={next.slice(0, MAX_OUTLOOKS)} maxRows={2} />
        </Panel>
      )}
      {hasLanes && (
        <Panel title="timeline" flexShrink={0}>
          <Lanes pod={pod} />
        </Panel>
      )}
      <Box flexGrow={1} flexShrink={0} flexBasis={MIN_BELOW}>
        <Panel title="events" columns={eventColumns}>
          <LatestEvents pod={pod} flexGrow={1} flexBasis={0} />
        </Panel>
        <LogsPanel columns={columns - eventColumns} />
      </Box>
    </>
  );
};

const MAX_OUTLOOKS = 6;

const LogsPanel: FC<{ readonly columns: number }> = ({ columns }) => {
  const snapshot = useSnapshot();
  const container = chosenContainer(snapshot)?.container;
  if (container === undefined) return null;
  const output = container.output.slice(-snapshot.size.rows);
  return (
    <Panel title={`logs of ${container.name}`} columns={columns}>
      <Scroll follows>{logRows({ container, output, wraps: true })}</Scroll>
    </Panel>
  );
};

type LatestProps = PodProps & Pick<BoxProps, 'flexGrow' | 'flexShrink' | 'flexBasis'>;

const LatestEvents: FC<LatestProps> = ({ pod, ...box }) => {
  const snapshot = useSnapshot();
  const latest = listedEvents(pod, snapshot, true).slice(-snapshot.size.rows);
  return (
    <Box flexDirection="column" overflow="hidden" {...box}>
      <Table columns={EVENT_COLUMNS} rows={eventRows(latest, snapshot.now)} follows />
    </Box>
  );
};

/** Rows of each part of a diagnosis, at most. */
const MAX_TROUBLE_ROWS = 2;

/** The worst trouble, and the first thing that a cluster's kubelet did otherwise. */
const Trouble: FC<PodProps & { readonly isRuled?: boolean }> = ({ pod, isRuled = false }) => {
  const snapshot = useSnapshot();
  const { divergence } = pod;
  const [worst] = snapshot.context.hints ? troublesOf(pod, snapshot) : [];
  const maxRows = wrapsIn(snapshot) ? Infinity : MAX_TROUBLE_ROWS;
  if (worst === undefined && divergence === undefined) return null;
  return (
    <Box flexDirection="column" flexShrink={0}>
      {divergence && (
        <Beside sign="≠ " text={divergenceText(divergence)} tone="warn" maxRows={maxRows} />
      )}
      {worst && <WorstTrouble diagnosis={worst} maxRows={maxRows} />}
      {isRuled && <Rule />}
    </Box>
  );
};

interface WorstTroubleProps {
  readonly diagnosis: Diagnosis;
  readonly maxRows: number;
}

/** A diagnosis: its headline, the kubelet's next step, and the best change. */
const WorstTrouble: FC<WorstTroubleProps> = ({ diagnosis, maxRows }) => {
  const { next } = diagnosis;
  const change = firstChange(diagnosis);
  const tone = isFailing(diagnosis) ? 'bad' : 'warn';
  return (
    <>
      <Beside sign="✗ " text={headline(diagnosis)} tone={tone} maxRows={maxRows} />
      {next && <Beside sign="  → " text={outlookText(next)} maxRows={maxRows} />}
      {change !== undefined && <Beside sign="  = " text={change} tone="info" maxRows={maxRows} />}
    </>
  );
};

interface OutlooksProps {
  readonly outlooks: readonly Outlook[];
  readonly maxRows: number;
}

const Outlooks: FC<OutlooksProps> = ({ outlooks, maxRows }) => (
  <Box flexDirection="column" overflow="hidden">
    {outlooks.map((outlook, index) => (
      <Box key={index} flexShrink={0}>
        <Beside
          sign={` ${outlookSubject(outlook)}: `}
          signTone="strong"
          text={outlookText(outlook)}
          tone={outlook.tone}
          maxRows={maxRows}
        />
      </Box>
    ))}
  </Box>
);

/** The outlooks but that of the worst trouble, whose next step is in its diagnosis. */
function otherOutlooks(pod: PodSummary, snapshot: Snapshot): Outlook[] {
  const { now, context } = snapshot;
  const [worst] = context.hints ? troublesOf(pod, snapshot) : [];
  const filter = filterOf(snapshot);
  return outlooks(pod, now, context.isSimulated).filter(
    (each) => matches(outlookSubject(each), filter) && !isDeepStrictEqual(each, worst?.next),
  );
}
