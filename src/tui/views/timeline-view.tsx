import { Box } from 'ink';
import type { FC } from 'react';

import { attemptFault } from '../../diagnosis/attempt-fault.js';
import { findingText, inRow, runSentence } from '../../diagnosis/words.js';
import {
  changesOf,
  containerLane,
  legendLines,
  probeLane,
  readinessLane,
  timeAxis,
} from '../../report/lanes.js';
import { podCells } from '../../report/pod-cells.js';
import { effectText, resultLine, tookText } from '../../report/view-text.js';
import { countdown } from '../../text/duration.js';
import { elideLine, fitLine, type Line, line, span, type Tone } from '../../text/line.js';
import {
  type ContainerView,
  type RunView,
  stopSignal,
} from '../../trace/summary/container-view.js';
import type { ProbeView } from '../../trace/summary/probe-view.js';
import type { PodSummary } from '../../trace/summary/summary.js';
import { useColumns } from '../components/columns.js';
import { Painted } from '../components/painted.js';
import { Scroll } from '../components/scroll.js';
import { Paragraph, Spans, Text } from '../components/text.js';
import { useSnapshot } from '../hooks/use-store.js';
import { listInView } from '../store/lists.js';
import {
  chosenTarget,
  podInView,
  type RowTarget,
  rowTargets,
  wrapsIn,
} from '../store/selection.js';
import { LOW_ROWS, type Snapshot } from '../store/state.js';
import { cursorAttempt, laneLabelWidth, timeWindow, ZOOMS } from '../store/timeline.js';

export function timelineTitle({ ui }: Snapshot): string {
  const { zoom, end } = ui.timeline;
  return `timeline, ${ZOOMS[zoom] ?? 1} s per cell${end === 'now' ? ', follows' : ''}`;
}

export const TimelineView: FC = () => {
  const snapshot = useSnapshot();
  const columns = useColumns();
  const pod = podInView(snapshot);
  if (pod === undefined) return null;
  return (
    <>
      <Lanes id={`timeline ${pod.key}`} pod={pod} />
      <Box height={1} flexShrink={0} />
      <Moments pod={pod} />
      <Box height={1} flexShrink={0} />
      <Cursor target={chosenTarget(pod, snapshot)} />
      {snapshot.size.rows >= LOW_ROWS && (
        <Box flexDirection="column" flexShrink={0}>
          {legendLines(columns).map((line, index) => (
            <Painted key={index} line={line} />
          ))}
        </Box>
      )}
    </>
  );
};

export const Cursor: FC<{ readonly target: RowTarget | undefined }> = ({ target }) => {
  const snapshot = useSnapshot();
  const wraps = wrapsIn(snapshot);
  const attempt = target && cursorAttempt(target, snapshot);
  if (target?.probe === undefined || attempt === undefined) {
    return (
      <Box height={2} flexShrink={0}>
        <Text tone="dim">
          {target?.probe === undefined
            ? 'choose a probe (j, k) to see its attempts'
            : 'no attempt has ended yet'}
        </Text>
      </Box>
    );
  }
  const { container, probe } = target;
  const { set, resultRun, threshold, startedAt, run, error, output } = attempt;
  const count =
    error === undefined
      ? `, ${Math.min(resultRun, threshold)}/${threshold}${effectText(probe.type, set)}`
      : '';
  const cause = snapshot.context.hints
    ? findingText(attemptFault({ container, probe }, attempt))
    : undefined;
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Text wrap={wraps ? 'wrap' : 'truncate'}>
        <Text tone="strong">
          {`${container.name}/${probe.type} at ${startedAt.toFixed(1)} s, run ${run}: `}
        </Text>
        <Spans line={resultLine(attempt)} />
        {`${tookText(attempt)}${count}`}
      </Text>
      <Paragraph
        text={cause ?? ((error ?? output).trim() || ' ')}
        tone={cause === undefined ? 'dim' : 'info'}
        maxRows={wraps ? Infinity : 2}
      />
    </Box>
  );
};

/** The latest entries that the lanes show, as many as there is room for. */
export const Moments: FC<{ readonly pod: PodSummary }> = ({ pod }) => {
  const snapshot = useSnapshot();
  const { end } = snapshot.ui.timeline;
  const entries = entriesOf(pod, rowTargets(pod, snapshot)).filter(
    ({ t }) => end === 'now' || t <= Math.min(end, snapshot.now),
  );
  return (
    <Box flexDirection="column" flexGrow={1} flexBasis={0} overflowY="hidden">
      <Scroll follows>
        {entries.map(({ t, subject, text, tone }, index) => (
          <Text key={index} wrap={wrapsIn(snapshot) ? 'wrap' : 'truncate'}>
            <Text tone="dim">{`${t.toFixed(1).padStart(8)} s  `}</Text>
            {`${subject}: `}
            <Text tone={tone}>{text}</Text>
          </Text>
        ))}
      </Scroll>
    </Box>
  );
};

interface TimelineEntry {
  /** Seconds since the trace began. */
  readonly t: number;
  readonly subject: string;
  readonly text: string;
  readonly tone: Tone;
}

/** Oldest first: results that were set, kills, ends, back-offs, starts, readiness. */
function entriesOf(pod: PodSummary, targets: readonly RowTarget[]): TimelineEntry[] {
  return [
    ...podEntries(pod),
    ...targets.flatMap(({ container, probe }) =>
      probe === undefined
        ? container.runs.flatMap((run) => runEntries(container, run))
        : resultEntries(container, probe),
    ),
  ].sort((a, b) => a.t - b.t);
}

function podEntries({ object, readiness }: PodSummary): TimelineEntry[] {
  return readiness.map(({ t, ready }) => ({
    t,
    subject: object.metadata.name,
    text: ready ? 'Ready: Services send traffic' : 'not Ready: Services send no traffic',
    tone: ready ? 'good' : 'bad',
  }));
}

function resultEntries({ name }: ContainerView, { type, attempts }: ProbeView): TimelineEntry[] {
  return changesOf(attempts).map(({ endedAt, set, resultRun }) => {
    const to = set === 'success' ? 'success' : 'failure';
    return {
      t: endedAt,
      subject: `${name}/${type}`,
      text: `${inRow(to, resultRun)}${effectText(type, to)}`,
      tone: to === 'success' ? 'good' : 'bad',
    };
  });
}

function runEntries(container: ContainerView, run: RunView): TimelineEntry[] {
  const entries: TimelineEntry[] = [];
  const add = (t: number | undefined, text: string, tone: Tone): void => {
    if (t !== undefined) entries.push({ t, subject: container.name, text, tone });
  };
  const { stop, killed, backOff } = run;
  const reason = killed === undefined ? '' : `: ${killed}`;
  add(run.startedAt, `run ${run.run} started`, 'plain');
  add(run.restartAskedAt, 'you asked for a restart', 'warn');
  add(stop?.at, `${stopSignal(container)}, KILL after ${stop?.gracePeriod ?? 0} s${reason}`, 'bad');
  add(run.endedAt, endText(container, run), run.exitCode === 0 ? 'plain' : 'bad');
  add(backOff?.since, `back-off of ${countdown(backOff?.delay ?? 0)} before the next run`, 'bad');
  return entries;
}

function endText(container: ContainerView, run: RunView): string {
  const { startError, exitCode, stop, endedAt = 0 } = run;
  if (startError !== undefined) return `not started: ${startError}`;
  const exit = exitCode === undefined ? '' : `, exit ${exitCode}`;
  const after =
    stop === undefined
      ? runSentence(container, run)
      : `${(endedAt - stop.at).toFixed(1)} s after TERM`;
  return `run ${run.run} ended${exit}, ${after}`;
}

interface LanesProps {
  readonly pod: PodSummary;
  /** The key under which the scroll position is kept, where the lanes are what scrolls. */
  readonly id?: string;
}

/** A lane for each container and each probe, below an axis. */
export const Lanes: FC<LanesProps> = ({ pod, id }) => {
  const snapshot = useSnapshot();
  const columns = useColumns();
  const window = timeWindow(snapshot, columns);
  const targets = rowTargets(pod, snapshot);
  const chosen = chosenTarget(pod, snapshot)?.id;
  const labelWidth = laneLabelWidth(columns);
  const lane = (target: RowTarget): Line => {
    const { container, probe } = target;
    const isChosen = target.id === chosen;
    const cells =
      probe === undefined
        ? containerLane(container, pod.addedAt, snapshot.now, window)
        : probeLane(
            probe,
            snapshot.now,
            window,
            isChosen ? cursorAttempt(target, snapshot) : undefined,
          );
    return [...laneLabel(target, isChosen, labelWidth), span(' '), ...cells];
  };
  return (
    <Box flexDirection="column">
      <Box flexDirection="column" flexShrink={0}>
        <Painted line={[span(' '.repeat(labelWidth + 1)), ...timeAxis(window)]} />
        {podCells(pod).containers > 1 && (
          <Painted
            line={[
              ...fitLine(line('Ready', 'strong'), labelWidth + 1),
              ...readinessLane(pod, snapshot.now, window),
            ]}
          />
        )}
      </Box>
      <Scroll id={id} total={listInView(snapshot)?.total} chosen={chosen} flexGrow={0}>
        {targets.map((target) => (
          <Painted key={target.id} line={lane(target)} />
        ))}
      </Scroll>
    </Box>
  );
};

function laneLabel({ container, probe }: RowTarget, isChosen: boolean, width: number): Line {
  const name = probe === undefined ? container.name : `  ${probe.type}`;
  const tone = isChosen ? 'cursor' : probe === undefined ? 'strong' : 'plain';
  return fitLine(elideLine(line(name, tone), width), width);
}
