import type { ContainerView, RunView } from '../../../trace/summary/container-view.js';
import type { ProbeView } from '../../../trace/summary/probe-view.js';
import type { PodSummary } from '../../../trace/summary/summary.js';
import { resultLine } from '../../attempt-result.js';
import { hintFor } from '../../hints.js';
import { countdown, formatLatency } from '../../text/duration.js';
import { fitLine, type Line, line, span, type Tone } from '../../text/line.js';
import {
  containerLane,
  legendLines,
  probeLane,
  timeAxis,
  type TimeWindow,
  turnsOf,
} from '../../timeline/lanes.js';
import { effectWord, inRow } from '../format.js';
import { chosenTarget, podInView, type RowTarget, rowTargets } from '../selection.js';
import type { Snapshot } from '../state.js';
import { causeText } from './container-line.js';
import { cursorAttempt, labelWidth, pressTimeline, timeWindow, ZOOMS } from './timeline-keys.js';
import type { View, ViewKind } from './view.js';

export const timelineView: ViewKind = {
  title: ({ ui }) => {
    const { zoom, end } = ui.timeline;
    return `timeline, ${ZOOMS[zoom] ?? 1} s per cell${end === 'now' ? ', follows' : ''}`;
  },
  show(snapshot, height) {
    const pod = podInView(snapshot);
    return pod === undefined ? {} : showPod(pod, snapshot, height);
  },
  press: pressTimeline,
  keys: [
    { key: '← →', word: 'attempt', sentence: 'previous or next attempt' },
    { key: 'enter', word: 'details', sentence: 'show the attempt under the cursor' },
    { key: '+ -', word: 'zoom', sentence: 'zoom in, zoom out' },
    { key: 'f', word: 'follow', sentence: 'follow the run; moving the cursor stops that' },
    { key: 'j k', word: 'lane', sentence: 'choose a lane' },
  ],
};

function showPod(pod: PodSummary, snapshot: Snapshot, height: number): View {
  const { ui, size } = snapshot;
  const window = timeWindow(snapshot);
  const targets = rowTargets(pod, ui.filter);
  const chosen = chosenTarget(pod, snapshot);
  const below = [...cursorRows(chosen, snapshot), ...legendLines(size.columns)];
  const room = height - 1 - targets.length - below.length;
  return {
    head: [[span(' '.repeat(labelWidth(size.columns) + 1), 'dim'), ...timeAxis(window)]],
    body: {
      id: `timeline ${pod.key}`,
      rows: targets.map((target) =>
        laneLine(pod, target, target.id === chosen?.id, snapshot, window),
      ),
      chosen: targets.findIndex(({ id }) => id === chosen?.id),
    },
    tail: [...momentRows(pod, targets, snapshot, room), ...below],
  };
}

function laneLine(
  pod: PodSummary,
  target: RowTarget,
  isChosen: boolean,
  snapshot: Snapshot,
  window: TimeWindow,
): Line {
  const { now, size } = snapshot;
  const { container, probe } = target;
  const name = probe === undefined ? container.name : `  ${probe.type}`;
  const tone = isChosen ? 'cursor' : probe === undefined ? 'strong' : 'plain';
  const cells =
    probe === undefined
      ? containerLane(container, pod.addedAt, now, window)
      : probeLane(probe, now, window, isChosen ? cursorAttempt(target, snapshot) : undefined);
  return [...fitLine(line(name, tone), labelWidth(size.columns)), span(' '), ...cells];
}

function cursorRows(target: RowTarget | undefined, snapshot: Snapshot): Line[] {
  if (target?.probe === undefined) {
    return [line('choose a probe (j, k) to see its attempts', 'dim'), []];
  }
  const attempt = cursorAttempt(target, snapshot);
  if (attempt === undefined) return [line('no attempt has ended yet', 'dim'), []];
  const { container, probe } = target;
  const { set, resultRun, threshold, startedAt, run, error, latency, output } = attempt;
  const effect = set === undefined || set === 'unknown' ? '' : ` → ${effectWord(probe.type, set)}`;
  const count =
    error === undefined ? `, ${Math.min(resultRun, threshold)}/${threshold}${effect}` : '';
  const hint = snapshot.about.hints ? hintFor({ container, probe }, attempt) : undefined;
  const title = `${container.name}/${probe.type} at ${startedAt.toFixed(1)} s, run ${run}: `;
  return [
    [span(title, 'strong'), ...resultLine(attempt), span(` in ${formatLatency(latency)}${count}`)],
    hint === undefined ? line((error ?? output).trim(), 'dim') : line(hint, 'info'),
  ];
}

/** The latest moments that the lanes show, as many as there is room for between blank rows. */
function momentRows(
  pod: PodSummary,
  targets: readonly RowTarget[],
  { ui, now }: Snapshot,
  room: number,
): Line[] {
  if (room < 3) return [];
  const { end } = ui.timeline;
  const rows = momentsOf(pod, targets)
    .filter(({ t }) => end === 'now' || t <= Math.min(end, now))
    .slice(2 - room)
    .map(({ t, about, text, tone }) => [
      span(`${t.toFixed(1).padStart(8)} s  `, 'dim'),
      span(`${about}: `),
      span(text, tone),
    ]);
  return [[], ...rows, ...Array.from({ length: room - rows.length - 1 }, (): Line => [])];
}

interface Moment {
  /** Seconds since the trace began. */
  readonly t: number;
  readonly about: string;
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
    about: object.metadata.name,
    text: ready ? 'Ready: Services send traffic' : 'not Ready: Services send no traffic',
    tone: ready ? 'good' : 'bad',
  }));
}

function turnMoments({ name }: ContainerView, { type, attempts }: ProbeView): Moment[] {
  return turnsOf(attempts).map(({ endedAt, set, resultRun }) => {
    const to = set === 'success' ? 'success' : 'failure';
    return {
      t: endedAt,
      about: `${name}/${type}`,
      text: `${inRow(to, resultRun)} → ${effectWord(type, to)}`,
      tone: to === 'success' ? 'good' : 'bad',
    };
  });
}

function runMoments({ name }: ContainerView, run: RunView): Moment[] {
  const moments: Moment[] = [];
  const add = (t: number | undefined, text: string, tone: Tone): void => {
    if (t !== undefined) moments.push({ t, about: name, text, tone });
  };
  const { stop, killed, backOff } = run;
  const why = killed === undefined ? '' : `: ${killed}`;
  add(run.startedAt, `run ${run.run} started`, 'plain');
  add(run.restartAskedAt, 'you asked for a restart', 'warn');
  add(stop?.at, `TERM, KILL after ${stop?.gracePeriod ?? 0} s${why}`, 'bad');
  add(run.endedAt, endText(run), run.exitCode === 0 ? 'plain' : 'bad');
  add(backOff?.since, `back-off of ${countdown(backOff?.delay ?? 0)} before the next run`, 'bad');
  return moments;
}

function endText(run: RunView): string {
  const { startError, exitCode, stop, endedAt = 0 } = run;
  if (startError !== undefined) return `not started: ${startError}`;
  const exit = exitCode === undefined ? '' : `, exit ${exitCode}`;
  const after =
    stop === undefined ? causeText(run) : `${(endedAt - stop.at).toFixed(1)} s after TERM`;
  return `run ${run.run} ended${exit}, ${after}`;
}
