import { Box } from 'ink';
import type { FC } from 'react';

import { behindText, lossText } from '../../report/view-text.js';
import { age } from '../../text/duration.js';
import { elideLine, line, lineText, lineWidth, span, textWidth } from '../../text/line.js';
import { isPodReady } from '../../trace/summary/condition-view.js';
import { currentRun } from '../../trace/summary/container-view.js';
import type { PodSummary } from '../../trace/summary/summary.js';
import { Fitting } from '../components/fitting.js';
import { statusLine } from '../components/format.js';
import { Paragraph, Spans, Text } from '../components/text.js';
import { useSnapshot } from '../hooks/use-store.js';
import { filterOf, podInView } from '../store/selection.js';
import { LOW_ROWS, type Snapshot } from '../store/state.js';

/** Columns that a long name keeps, however narrow the row is. */
const MIN_NAME = 12;
/** Those that it keeps beside the progress of a replay, on a narrow screen. */
const MIN_SHORT_NAME = 8;
/** Columns of `  Ready ✓  `, behind a name. */
const READINESS = 11;
/** Columns before each part on the right. */
const GAP = 3;
/** Columns of a screen below which the progress of a replay needs the room of the details. */
const NARROW = 60;

/** The pod and its state, or the view's title in place of the details. */
export const Header: FC<{ readonly title: string }> = ({ title }) => {
  const snapshot = useSnapshot();
  const pod = podInView(snapshot);
  const { name = '', namespace = '' } = pod?.object.metadata ?? {};
  const filter = filterText(snapshot);
  const { now, context, summary, size } = snapshot;
  const { behind } = summary;
  const isBehind = behind !== undefined && now - behind.t < RECENT;
  const isReplay = context.replayLength !== undefined;
  const isWide = !isReplay || size.columns >= NARROW;
  const isDetailed = isWide && pod !== undefined && title === '' && filter === '';
  const room = Math.max(MIN_NAME, Math.floor(size.columns / 5));
  const source = line(sourceText(snapshot), 'dim');
  const sourceWidth = isReplay ? lineWidth(source) + GAP : 0;
  const nameRoom = isWide
    ? Infinity
    : Math.max(MIN_SHORT_NAME, size.columns - sourceWidth - textWidth(title) - READINESS);
  const shownName = elideLine(line(name, 'strong'), nameRoom);
  return (
    <Box flexShrink={0}>
      {pod && (
        <Box minWidth={Math.min(MIN_NAME, lineWidth(shownName))} flexShrink={100} marginRight={2}>
          <Text wrap="truncate-middle">
            <Spans line={shownName} />
          </Text>
        </Box>
      )}
      <Text>
        {isDetailed && <Spans line={[...elideLine(line(namespace, 'dim'), room), span('  ')]} />}
        {isDetailed && <Spans line={statusLine(pod)} />}
        {pod && filter === '' && <Readiness pod={pod} isShort={!isDetailed} />}
        <Text tone="info">{title}</Text>
        {filter !== '' && <Text tone="warn">{`  ${filter}`}</Text>}
      </Text>
      <Fitting
        gap={{ marginLeft: GAP }}
        flexGrow={1}
        flexShrink={0}
        flexBasis={sourceWidth}
        justifyContent="flex-end"
        parts={[
          ...(isReplay ? [source] : []),
          ...(isDetailed ? [line(`up ${age(now - pod.addedAt)}`)] : []),
          ...(isBehind ? [line(`kprobe is ${behindText(behind, summary)}`, 'warn')] : []),
          ...(isReplay ? [] : [source]),
          line(`kubelet ${context.kubeletVersion}`, 'dim'),
        ]}
      />
    </Box>
  );
};

/** Columns of a filter beside its count. */
const MAX_FILTER = 20;

/** `/live: 3 of 12, esc clears`; empty without a filter. */
function filterText(snapshot: Snapshot): string {
  const filter = lineText(elideLine(line(filterOf(snapshot)), MAX_FILTER));
  const { shown = 0, total = 0 } = snapshot.body ?? {};
  return filter === '' ? '' : `/${filter}: ${shown} of ${total}, esc clears`;
}

/** Seconds that a late tick is shown. */
const RECENT = 5;

/** `process target`, `replay, 12s of 40s, 4 ×, paused`, `replay, over`; on a narrow screen `paused, 12s of 40s`. */
function sourceText({ context, now, player, size }: Snapshot): string {
  const { target, replayLength } = context;
  if (replayLength === undefined) return `${target} target`;
  if (now >= replayLength) return 'replay, over';
  const { speed = Infinity, isPaused = false } = player ?? {};
  const progress = `${age(now)} of ${age(replayLength)}`;
  if (size.columns < NARROW) return `${isPaused ? 'paused' : 'replay'}, ${progress}`;
  const factor = speed === Infinity ? '' : `, ${speed} ×`;
  return `replay, ${progress}${factor}${isPaused ? ', paused' : ''}`;
}

interface ReadinessProps {
  readonly pod: PodSummary;
  /** Leaves out the cause. */
  readonly isShort: boolean;
}

/** `Ready ✓`, or `Ready ✗ (ContainersNotReady: app)`. */
const Readiness: FC<ReadinessProps> = ({ pod, isShort }) => {
  if (pod.conditions['Ready'] === undefined) return null;
  const isReady = isPodReady(pod);
  if (isShort)
    return <Text tone={isReady ? 'good' : 'bad'}>{`Ready ${isReady ? '✓' : '✗'}  `}</Text>;
  if (pod.phase === 'Succeeded' && !isReady)
    return <Text tone="dim">{'  Ready – (completed)'}</Text>;
  const isBad = pod.containers.some(
    (container) => currentRun(container) === undefined || container.started,
  );
  const causes = [isReady ? '' : notReadyCause(pod), lossText(pod)].filter((text) => text !== '');
  return (
    <Text tone={isReady ? 'good' : isBad ? 'bad' : 'warn'}>
      {`  Ready ${isReady ? '✓' : '✗'}${causes.length === 0 ? '' : ` (${causes.join('; ')})`}`}
    </Text>
  );
};

/** The condition's reason, and the containers that it is about. */
function notReadyCause({ status, containers }: PodSummary): string {
  const { reason = '' } = status?.conditions?.find(({ type }) => type === 'Ready') ?? {};
  const notReady = containers.filter((container) => container.role !== 'init' && !container.ready);
  const names = reason === 'ContainersNotReady' ? notReady.map(({ name }) => name).join(', ') : '';
  return names === '' ? reason : `${reason}: ${names}`;
}

/** Sentences at most. */
const MAX_ROLLOUTS = 3;
/** Rows of a screen above which each sentence gets one more. */
const HIGH = 30;

/** Returns the rows of each sentence, at most; `parts` are the sentences, and an open pod. */
function maxSentenceRows(rows: number, parts: number): number {
  if (rows > HIGH) return 3;
  return rows < LOW_ROWS && parts > 1 ? 1 : 2;
}

/** The rollouts of a watch, and a connection that is lost. */
export const Cluster: FC = () => {
  const snapshot = useSnapshot();
  const { summary, size } = snapshot;
  const { workloads, runtimeError, pods } = summary;
  const isAlone = pods.length === 0;
  // The diagnosis of an open pod says why a rollout waits.
  const parts = workloads.length + (podInView(snapshot) === undefined ? 0 : 1);
  const maxRows = isAlone ? size.rows >> 1 : maxSentenceRows(size.rows, parts);
  return (
    <Box flexDirection="column" flexShrink={0}>
      {runtimeError !== undefined && (
        <Paragraph text={`${runtimeError}; trying again`} tone="warn" maxRows={maxRows} />
      )}
      {workloads.slice(0, MAX_ROLLOUTS).map(({ sentence, done, failed }, index) => (
        <Paragraph
          key={index}
          text={sentence}
          tone={done ? 'good' : failed ? 'bad' : 'warn'}
          maxRows={maxRows}
        />
      ))}
    </Box>
  );
};
