import { attemptCause } from '../../../diagnosis/attempt-cause.js';
import { causeText } from '../../../diagnosis/cause.js';
import { inRow } from '../../../diagnosis/outlook.js';
import { runSentence } from '../../../diagnosis/past-run.js';
import type { ContainerView, RunView } from '../../../trace/summary/container-view.js';
import type { AttemptView, ProbeView } from '../../../trace/summary/probe-view.js';
import type { PodSummary } from '../../../trace/summary/summary.js';
import { resultLine, tookText } from '../../attempt-result.js';
import { countdown } from '../../text/duration.js';
import { fitLine, type Line, line, span, type Tone } from '../../text/line.js';
import {
  cellOf,
  containerLane,
  legendLines,
  probeLane,
  timeAxis,
  type TimeWindow,
  turnsOf,
} from '../../timeline/lanes.js';
import { effectWord } from '../format.js';
import { choose, type KeyName } from '../keys.js';
import { chosenTarget, podInView, type RowTarget, rowTargets } from '../selection.js';
import { type Snapshot, type TimelineUi, withChosen, withOverlay } from '../state.js';
import type { Pressed, View, ViewKind } from './view.js';

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
  const { size } = snapshot;
  const window = timeWindow(snapshot);
  const targets = rowTargets(pod, snapshot);
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
  const { set, resultRun, threshold, startedAt, run, error, output } = attempt;
  const effect = set === undefined || set === 'unknown' ? '' : ` → ${effectWord(probe.type, set)}`;
  const count =
    error === undefined ? `, ${Math.min(resultRun, threshold)}/${threshold}${effect}` : '';
  const cause = snapshot.about.hints ? attemptCause({ container, probe }, attempt) : undefined;
  const title = `${container.name}/${probe.type} at ${startedAt.toFixed(1)} s, run ${run}: `;
  return [
    [span(title, 'strong'), ...resultLine(attempt), span(`${tookText(attempt)}${count}`)],
    cause === undefined ? line((error ?? output).trim(), 'dim') : line(causeText(cause), 'info'),
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

function runMoments(container: ContainerView, run: RunView): Moment[] {
  const moments: Moment[] = [];
  const add = (t: number | undefined, text: string, tone: Tone): void => {
    if (t !== undefined) moments.push({ t, about: container.name, text, tone });
  };
  const { stop, killed, backOff } = run;
  const why = killed === undefined ? '' : `: ${killed}`;
  add(run.startedAt, `run ${run.run} started`, 'plain');
  add(run.restartAskedAt, 'you asked for a restart', 'warn');
  add(stop?.at, `TERM, KILL after ${stop?.gracePeriod ?? 0} s${why}`, 'bad');
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

/** Seconds in a cell, from close to far. */
const ZOOMS: readonly number[] = [0.25, 0.5, 1, 2, 5, 10, 30, 60, 300];

function labelWidth(columns: number): number {
  return Math.min(24, Math.max(12, Math.floor(columns / 5)));
}

function timeWindow({ ui, now, size }: Snapshot): TimeWindow {
  const { zoom, end } = ui.timeline;
  const cell = ZOOMS[zoom] ?? 1;
  const width = Math.max(1, size.columns - labelWidth(size.columns) - 1);
  // Cells keep to a grid, so that what they show does not flicker as time goes on.
  const last = Math.floor((end === 'now' ? now : end) / cell);
  return { cell, first: Math.max(0, last - width + 1), width };
}

/** The attempt under the cursor; in another lane, the one nearest to it in time. */
function cursorAttempt({ probe }: RowTarget, { ui }: Snapshot): AttemptView | undefined {
  const { cursor } = ui.timeline;
  const attempts = probe?.attempts ?? [];
  if (cursor === undefined) return attempts.at(-1);
  return attempts.findLast(({ startedAt }) => startedAt <= cursor) ?? attempts[0];
}

function pressTimeline(snapshot: Snapshot, key: KeyName): Pressed | undefined {
  const { ui, size } = snapshot;
  const pod = podInView(snapshot);
  const target = pod && chosenTarget(pod, snapshot);
  if (pod === undefined || target === undefined) return undefined;
  const moved = moveInTime(snapshot, target, key);
  if (moved !== undefined) return { ui: { ...ui, timeline: { ...ui.timeline, ...moved } } };
  const { container, probe } = target;
  if (key === 'enter' && probe !== undefined) {
    const { startedAt } = cursorAttempt(target, snapshot) ?? {};
    const which = startedAt === undefined ? {} : { startedAt };
    const ref = { pod: pod.key, container: container.name, probe: probe.type };
    return { ui: withOverlay(ui, { kind: 'attempt', ...ref, ...which }) };
  }
  const ids = rowTargets(pod, snapshot).map(({ id }) => id);
  const id = choose(ids, target.id, key, size.rows / 2);
  return id === undefined ? undefined : { ui: withChosen(ui, pod.key, id) };
}

function moveInTime(
  snapshot: Snapshot,
  target: RowTarget,
  key: KeyName,
): Partial<TimelineUi> | undefined {
  const { zoom } = snapshot.ui.timeline;
  switch (key) {
    case '+':
    case '=':
      return { zoom: Math.max(0, zoom - 1) };
    case '-':
    case '_':
      return { zoom: Math.min(ZOOMS.length - 1, zoom + 1) };
    case 'f':
    case 'G':
    case 'end':
      return { end: 'now', cursor: undefined };
    case 'g':
    case 'home':
      return step(snapshot, target, -Infinity);
    case 'left':
    case 'h':
      return step(snapshot, target, -1);
    case 'right':
      return step(snapshot, target, 1);
    default:
      return undefined;
  }
}

/** Moves the cursor by so many attempts, and the window with it; a container's lane moves by cells. */
function step(snapshot: Snapshot, target: RowTarget, by: number): Partial<TimelineUi> {
  const { ui, now } = snapshot;
  const window = timeWindow(snapshot);
  const end = ui.timeline.end === 'now' ? now : ui.timeline.end;
  const room = window.cell * window.width;
  if (target.probe === undefined) {
    const far = (by * room) / 4;
    return { end: Math.max(room, Math.min(now, by === -Infinity ? 0 : end + far)) };
  }
  const { attempts } = target.probe;
  const current = cursorAttempt(target, snapshot);
  const at = current === undefined ? -1 : attempts.indexOf(current);
  const next = attempts[Math.max(0, Math.min(attempts.length - 1, at + by))];
  if (next === undefined) return {};
  const cell = cellOf(next.endedAt, window);
  const margin = Math.floor(window.width / 4) * window.cell;
  if (cell < 0) return { cursor: next.startedAt, end: next.endedAt + room - margin };
  const isInside = cell < window.width;
  return { cursor: next.startedAt, end: isInside ? end : next.endedAt + margin };
}
