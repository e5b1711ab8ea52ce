import { Box } from 'ink';
import type { FC } from 'react';

import { attemptFault } from '../../diagnosis/attempt-fault.js';
import { findingText, inRow, runSentence } from '../../diagnosis/words.js';
import { changesOf, containerLane, legendLines, probeLane, timeAxis } from '../../report/lanes.js';
import { resultLine, tookText } from '../../report/view-text.js';
import { countdown } from '../../text/duration.js';
import {
  elideLine,
  fitLine,
  type Line,
  line,
  span,
  type Tone,
  wrapBelow,
} from '../../text/line.js';
import type { ContainerView, RunView } from '../../trace/summary/container-view.js';
import type { ProbeView } from '../../trace/summary/probe-view.js';
import type { PodSummary } from '../../trace/summary/summary.js';
import { effectWord } from '../components/format.js';
import { Row, Rows, ScrollBox } from '../components/rows.js';
import { useSnapshot } from '../hooks/use-store.js';
import { listInView } from '../store/lists.js';
import {
  chosenTarget,
  podInView,
  type RowTarget,
  rowTargets,
  wrapsIn,
} from '../store/selection.js';
import type { Size, Snapshot } from '../store/state.js';
import { cursorAttempt, laneLabelWidth, timeWindow, ZOOMS } from '../store/timeline.js';

export function timelineTitle({ ui }: Snapshot): string {
  const { zoom, end } = ui.timeline;
  return `timeline, ${ZOOMS[zoom] ?? 1} s per cell${end === 'now' ? ', follows' : ''}`;
}

export const TimelineView: FC<Size> = ({ columns, rows }) => {
  const snapshot = useSnapshot();
  const pod = podInView(snapshot);
  if (pod === undefined) return null;
  const targets = rowTargets(pod, snapshot);
  const chosen = chosenTarget(pod, snapshot);
  const laid = wrapsIn(snapshot) ? columns : Infinity;
  const lines = cursorRows(chosen, snapshot).flatMap((row) => wrapBelow(row, laid));
  const below = [...lines, ...legendLines(columns)];
  const room = rows - 1 - targets.length - below.length;
  const moments = momentRows(pod, targets, snapshot, { width: laid, height: room });
  return (
    <Box flexDirection="column">
      <Lanes
        id={`timeline ${pod.key}`}
        pod={pod}
        width={columns}
        height={rows - moments.length - below.length}
      />
      <Rows lines={[...moments, ...below]} width={columns} />
    </Box>
  );
};

function cursorRows(target: RowTarget | undefined, snapshot: Snapshot): Line[] {
  if (target?.probe === undefined) {
    return [line('choose a probe (j, k) to see its attempts', 'dim'), []];
  }
  const attempt = cursorAttempt(target, snapshot);
  if (attempt === undefined) return [line('no attempt has ended yet', 'dim'), []];
  const { container, probe } = target;
  const { set, resultRun, threshold, startedAt, run, error, output } = attempt;
  const effect = set === undefined || set === 'unknown' ? '' : ` → ${effectWord(probe.type, set)}`;
  const count =
    error === undefined ? `, ${Math.min(resultRun, threshold)}/${threshold}${effect}` : '';
  const cause = snapshot.context.hints
    ? findingText(attemptFault({ container, probe }, attempt))
    : undefined;
  const title = `${container.name}/${probe.type} at ${startedAt.toFixed(1)} s, run ${run}: `;
  return [
    [span(title, 'strong'), ...resultLine(attempt), span(`${tookText(attempt)}${count}`)],
    cause === undefined ? line((error ?? output).trim(), 'dim') : line(cause, 'info'),
  ];
}

/** The latest moments that the lanes show, as many as there is room for between blank rows. */
function momentRows(
  pod: PodSummary,
  targets: readonly RowTarget[],
  { ui, now }: Snapshot,
  { width, height }: { readonly width: number; readonly height: number },
): Line[] {
  if (height < 3) return [];
  const { end } = ui.timeline;
  const rows = momentsOf(pod, targets)
    .filter(({ t }) => end === 'now' || t <= Math.min(end, now))
    .slice(2 - height)
    .flatMap(({ t, subject, text, tone }) => {
      const time = span(`${t.toFixed(1).padStart(8)} s  `, 'dim');
      return wrapBelow([time, span(`${subject}: `), span(text, tone)], width);
    })
    .slice(2 - height);
  return [[], ...rows, ...Array.from({ length: height - rows.length - 1 }, (): Line => [])];
}

interface Moment {
  /** Seconds since the trace began. */
  readonly t: number;
  readonly subject: string;
  readonly text: string;
  readonly tone: Tone;
}

/** Oldest first: results that were set, kills, ends, back-offs, starts, readiness. */
function momentsOf(pod: PodSummary, targets: readonly RowTarget[]): Moment[] {
  return [
    ...podMoments(pod),
    ...targets.flatMap(({ container, probe }) =>
      probe === undefined
        ? container.runs.flatMap((run) => runMoments(container, run))
        : turnMoments(container, probe),
    ),
  ].sort((a, b) => a.t - b.t);
}

function podMoments({ object, readiness }: PodSummary): Moment[] {
  return readiness.map(({ t, ready }) => ({
    t,
    subject: object.metadata.name,
    text: ready ? 'Ready: Services send traffic' : 'not Ready: Services send no traffic',
    tone: ready ? 'good' : 'bad',
  }));
}

function turnMoments({ name }: ContainerView, { type, attempts }: ProbeView): Moment[] {
  return changesOf(attempts).map(({ endedAt, set, resultRun }) => {
    const to = set === 'success' ? 'success' : 'failure';
    return {
      t: endedAt,
      subject: `${name}/${type}`,
      text: `${inRow(to, resultRun)} → ${effectWord(type, to)}`,
      tone: to === 'success' ? 'good' : 'bad',
    };
  });
}

function runMoments(container: ContainerView, run: RunView): Moment[] {
  const moments: Moment[] = [];
  const add = (t: number | undefined, text: string, tone: Tone): void => {
    if (t !== undefined) moments.push({ t, subject: container.name, text, tone });
  };
  const { stop, killed, backOff } = run;
  const reason = killed === undefined ? '' : `: ${killed}`;
  add(run.startedAt, `run ${run.run} started`, 'plain');
  add(run.restartAskedAt, 'you asked for a restart', 'warn');
  add(stop?.at, `TERM, KILL after ${stop?.gracePeriod ?? 0} s${reason}`, 'bad');
  add(run.endedAt, endText(container, run), run.exitCode === 0 ? 'plain' : 'bad');
  add(backOff?.since, `back-off of ${countdown(backOff?.delay ?? 0)} before the next run`, 'bad');
  return moments;
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
  readonly width: number;
  readonly height: number;
  /** The key under which the scroll position is kept, where the lanes are what scrolls. */
  readonly id?: string;
}

/** A lane for each container and each probe, below an axis. */
export const Lanes: FC<LanesProps> = ({ pod, width, height, id }) => {
  const snapshot = useSnapshot();
  const window = timeWindow(snapshot, width);
  const targets = rowTargets(pod, snapshot);
  const chosen = chosenTarget(pod, snapshot);
  const axis = [span(' '.repeat(laneLabelWidth(width) + 1), 'dim'), ...timeAxis(window)];
  const lane = (target: RowTarget): Line => {
    const { id, container, probe } = target;
    const cursor = id === chosen?.id ? cursorAttempt(target, snapshot) : undefined;
    const label = laneLabel(target, id === chosen?.id, laneLabelWidth(width));
    const cells =
      probe === undefined
        ? containerLane(container, pod.addedAt, snapshot.now, window)
        : probeLane(probe, snapshot.now, window, cursor);
    return [...label, span(' '), ...cells];
  };
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Row line={axis} width={width} />
      <ScrollBox
        id={id}
        lines={targets.map(lane)}
        shown={targets.length}
        total={id === undefined ? targets.length : listInView(snapshot)?.total}
        ids={targets.map((target) => target.id)}
        width={width}
        height={height - 1}
        chosen={targets.findIndex((target) => target.id === chosen?.id)}
      />
    </Box>
  );
};

function laneLabel({ container, probe }: RowTarget, isChosen: boolean, width: number): Line {
  const name = probe === undefined ? container.name : `  ${probe.type}`;
  const tone = isChosen ? 'cursor' : probe === undefined ? 'strong' : 'plain';
  return fitLine(elideLine(line(name, tone), width), width);
}
