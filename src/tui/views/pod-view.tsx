import { isDeepStrictEqual } from 'node:util';

import { Box, type BoxProps } from 'ink';
import type { FC } from 'react';

import { type Diagnosis, isFailing } from '../../diagnosis/fault.js';
import type { Outlook } from '../../diagnosis/next-step.js';
import { outlooks } from '../../diagnosis/outlook.js';
import { firstChange, headline, outlookText, subjectText } from '../../diagnosis/words.js';
import { divergenceText } from '../../report/view-text.js';
import { elideLine, line, lineText } from '../../text/line.js';
import { hasDied } from '../../trace/summary/container-view.js';
import type { PodSummary } from '../../trace/summary/summary.js';
import { useColumns } from '../components/columns.js';
import { Panel, type PanelProps, Rule } from '../components/panel.js';
import { PodTable } from '../components/pod-table.js';
import { Scroll } from '../components/scroll.js';
import { Table } from '../components/table.js';
import { Beside, Text } from '../components/text.js';
import { useRoom } from '../hooks/use-room.js';
import { useSnapshot } from '../hooks/use-store.js';
import { listedEvents } from '../store/lists.js';
import {
  chosenContainer,
  chosenTarget,
  diagnosesOf,
  filterOf,
  matches,
  podInView,
  rowTargets,
  wrapsIn,
} from '../store/selection.js';
import { readsOnly, type Snapshot } from '../store/state.js';
import { hasLanes, isLarge } from '../store/timeline.js';
import { eventColumns, eventRows, logRows } from './tab-views.js';
import { Cursor, Lanes, Moments, timelineTitle } from './timeline-view.js';

/** Columns from which on two panels are beside each other. */
const WIDE = 120;

interface ViewProps {
  /** False where events and output are elsewhere. */
  readonly isWhole?: boolean;
}

export const PodView: FC<ViewProps> = ({ isWhole = true }) => {
  const snapshot = useSnapshot();
  const pod = podInView(snapshot);
  if (pod === undefined) {
    return (
      <Text tone="dim">
        {readsOnly(snapshot.context) ? 'no pods: waiting for them' : 'starting …'}
      </Text>
    );
  }
  const Layout = isLarge(snapshot.size) ? PodPanels : PodRows;
  return <Layout pod={pod} isWhole={isWhole} />;
};

interface PodProps {
  readonly pod: PodSummary;
}

type LayoutProps = PodProps & Required<ViewProps>;

/** Terminals lower than this have events only where room is left, and no outlook. */
const LOW = 19;
/** Terminals lower than this have no events at all. */
const LOWEST = 13;
/** Rows that events keep, with their heading. */
const MIN_EVENTS = 4;

const PodRows: FC<LayoutProps> = ({ pod, isWhole }) => {
  const snapshot = useSnapshot();
  const { rows } = snapshot.size;
  const next = rows < LOW ? [] : otherOutlooks(pod, snapshot);
  const isCrowded =
    rows - rowTargets(pod, snapshot).length < LOW || diagnosesOf(pod, snapshot).some(isFailing);
  const maxRows = next.length > 1 && isCrowded ? 1 : 2;
  const maxEvents = rows >= LOW ? MIN_EVENTS : rows >= LOWEST ? 2 : 0;
  const events = Math.min(pod.events.length + 1, maxEvents);
  return (
    <>
      <WorstDiagnosis pod={pod} isRuled />
      {/* A box of their own: Yoga gives all rows away only where one part alone reaches its minimum at last. */}
      <Box flexDirection="column">
        <PodTable pod={pod} />
        {next.length > 0 && (
          <Box flexDirection="column" flexShrink={next.length > 1 ? 3 : 0} minHeight={3}>
            <Rule title="what the kubelet does next" />
            <Outlooks outlooks={next} maxRows={maxRows} />
            <Rule />
          </Box>
        )}
      </Box>
      {isWhole && (
        <>
          <LatestEvents pod={pod} flexGrow={1} flexShrink={0} flexBasis={events} />
          <LatestOutput />
        </>
      )}
    </>
  );
};

/** Lines of output that the first view shows at most. */
const MAX_OUTPUT = 12;

/** The latest output of the chosen container, where it has died or is not ready. */
const LatestOutput: FC = () => {
  const container = chosenContainer(useSnapshot())?.container;
  const [box, room] = useRoom();
  if (container === undefined || container.output.length === 0) return null;
  if (container.ready && !container.runs.some(hasDied)) return null;
  const output = container.output.slice(-MAX_OUTPUT);
  return (
    <Box ref={box} flexDirection="column" flexShrink={100}>
      {room > 1 && <Rule title={`logs of ${container.name}, l shows all`} tone="dim" />}
      <Scroll follows>{logRows({ container, output, wraps: true })}</Scroll>
      {/* The box wants the same rows with and without the title: else each would call for the other. */}
      {room <= 1 && <Box height={1} flexShrink={1000} />}
    </Box>
  );
};

/** Rows that events and logs keep beside each other, borders included. */
const MIN_BESIDE = 6;
/** Rows that each of them keeps where one is above the other. */
const MIN_ABOVE = 4;

/** The panels with borders, a live timeline, and the chosen container's output. */
const PodPanels: FC<LayoutProps> = ({ pod, isWhole }) => {
  const snapshot = useSnapshot();
  const target = chosenTarget(pod, snapshot);
  const isMany = rowTargets(pod, snapshot).length > MANY_ROWS;
  const next = otherOutlooks(pod, snapshot).slice(0, isMany ? MAX_OUTLOOKS_OF_MANY : MAX_OUTLOOKS);
  return (
    <>
      <WorstDiagnosis pod={pod} />
      <Panel title="containers and probes">
        <PodTable pod={pod} />
      </Panel>
      {next.length > 0 && (
        <Panel title="what the kubelet does next" flexShrink={0}>
          <Outlooks outlooks={next} maxRows={2} />
        </Panel>
      )}
      {hasLanes(pod, snapshot) && (
        <Panel title={timelineTitle(snapshot)}>
          <Lanes pod={pod} />
          {target?.probe !== undefined && <Cursor target={target} />}
        </Panel>
      )}
      {isWhole ? (
        <EventsAndLogs />
      ) : (
        <Panel title="decisions and their effects" flexGrow={1} flexBasis={0}>
          <Moments pod={pod} />
        </Panel>
      )}
    </>
  );
};

/** The latest events, and the output of the chosen container, beside each other where there is room. */
export const EventsAndLogs: FC = () => {
  const columns = useColumns();
  const pod = podInView(useSnapshot());
  const isWide = columns >= WIDE;
  const eventColumns = isWide ? Math.ceil(columns * 0.63) : columns;
  const share = isWide ? {} : { flexGrow: 1, flexBasis: 0 };
  if (pod === undefined) return null;
  return (
    <Box
      flexDirection={isWide ? 'row' : 'column'}
      flexGrow={1}
      flexShrink={0}
      flexBasis={isWide ? MIN_BESIDE : 2 * MIN_ABOVE}
    >
      <Panel title="events" columns={eventColumns} {...share}>
        <LatestEvents pod={pod} flexGrow={1} flexBasis={0} />
      </Panel>
      <LogsPanel columns={isWide ? columns - eventColumns : columns} {...share} />
    </Box>
  );
};

const MAX_OUTLOOKS = 6;
/** Outlooks that are shown where the pod has many rows, which need the room too. */
const MAX_OUTLOOKS_OF_MANY = 2;
const MANY_ROWS = 8;

const LogsPanel: FC<Omit<PanelProps, 'title'>> = (props) => {
  const snapshot = useSnapshot();
  const container = chosenContainer(snapshot)?.container;
  if (container === undefined) return null;
  const output = container.output.slice(-snapshot.size.rows);
  return (
    <Panel title={`logs of ${container.name}`} {...props}>
      <Scroll follows>{logRows({ container, output, wraps: true })}</Scroll>
    </Panel>
  );
};

type LatestProps = PodProps & Pick<BoxProps, 'flexGrow' | 'flexShrink' | 'flexBasis'>;

const LatestEvents: FC<LatestProps> = ({ pod, ...box }) => {
  const snapshot = useSnapshot();
  const latest = listedEvents(pod, snapshot, true).slice(-snapshot.size.rows);
  const rows = eventRows(latest, snapshot.now);
  return (
    <Box flexDirection="column" overflowY="hidden" {...box}>
      <Table columns={eventColumns(useColumns(), latest)} rows={rows} wraps="fitting" follows />
    </Box>
  );
};

/** Rows of each part of a diagnosis, at most: on low screens, on others, and where there is room for panels. */
const [MAX_LOW_ROWS, MAX_ROWS, MAX_LARGE_ROWS] = [2, 3, 4];

/** The worst diagnosis, and the first thing that a cluster's kubelet did otherwise. */
const WorstDiagnosis: FC<PodProps & { readonly isRuled?: boolean }> = ({
  pod,
  isRuled = false,
}) => {
  const snapshot = useSnapshot();
  const { divergence } = pod;
  const [worst] = snapshot.context.hints ? diagnosesOf(pod, snapshot) : [];
  const { size } = snapshot;
  const limit = isLarge(size) ? MAX_LARGE_ROWS : size.rows < LOW ? MAX_LOW_ROWS : MAX_ROWS;
  const maxRows = wrapsIn(snapshot) ? Infinity : limit;
  if (worst === undefined && divergence === undefined) return null;
  return (
    <Box flexDirection="column" flexShrink={0}>
      {divergence && (
        <Beside sign="≠ " text={divergenceText(divergence)} tone="warn" maxRows={maxRows} />
      )}
      {worst && <DiagnosisRows diagnosis={worst} maxRows={maxRows} />}
      {isRuled && <Rule />}
    </Box>
  );
};

/** Columns of a diagnosis that a container's name may take, however narrow the screen is. */
const MIN_NAME = 12;

interface DiagnosisRowsProps {
  readonly diagnosis: Diagnosis;
  readonly maxRows: number;
}

/** A diagnosis: its headline, the kubelet's next step, and the best change. */
const DiagnosisRows: FC<DiagnosisRowsProps> = ({ diagnosis, maxRows }) => {
  const { next, subject } = diagnosis;
  const change = firstChange(diagnosis);
  // A long name leaves room for the cause; the row of the container has all of it.
  const room = Math.max(MIN_NAME, useColumns() >> 1);
  const container = lineText(elideLine(line(subject.container), room));
  const named = { ...diagnosis, subject: { ...subject, container } };
  const [sign, tone] = isFailing(diagnosis) ? (['✗ ', 'bad'] as const) : (['! ', 'warn'] as const);
  return (
    <>
      <Beside sign={sign} text={headline(named)} tone={tone} maxRows={maxRows} />
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
  <Box flexDirection="column" overflowY="hidden">
    {outlooks.map((outlook, index) => (
      <Box key={index} flexShrink={0}>
        <Beside
          sign={` ${subjectText(outlook)}: `}
          signTone="strong"
          text={outlookText(outlook)}
          tone={outlook.tone}
          maxRows={maxRows}
          cut="word"
        />
      </Box>
    ))}
  </Box>
);

/** The outlooks except the next step of the worst diagnosis, which is shown with it. */
function otherOutlooks(pod: PodSummary, snapshot: Snapshot): Outlook[] {
  const { now, context } = snapshot;
  const [worst] = context.hints ? diagnosesOf(pod, snapshot) : [];
  const filter = filterOf(snapshot);
  return outlooks(pod, now, context.isSimulated).filter(
    (each) => matches(subjectText(each), filter) && !isDeepStrictEqual(each, worst?.next),
  );
}
