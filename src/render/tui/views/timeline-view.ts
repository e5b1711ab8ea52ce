import type { ContainerView, RunView } from '../../../trace/summary/container-view.js';
import type { AttemptView, ProbeView } from '../../../trace/summary/probe-view.js';
import type { PodSummary } from '../../../trace/summary/summary.js';
import { resultLine } from '../../attempt-result.js';
import { hintFor } from '../../hints/hint-for.js';
import { countdown, formatLatency } from '../../text/duration.js';
import {
  EMPTY_LINE,
  fitLine,
  flowLines,
  type Line,
  line,
  span,
  type Tone,
} from '../../text/line.js';
import {
  containerLane,
  probeLane,
  timeAxis,
  type TimeWindow,
  turnsOf,
} from '../../timeline/lanes.js';
import { effectWord } from '../format.js';
import { chosenTarget, podInView, type RowTarget, rowTargets } from '../selection.js';
import type { Snapshot } from '../state.js';
import { causeText } from './container-line.js';
import { cursorAttempt, labelWidth, pressTimeline, timeWindow, ZOOMS } from './timeline-keys.js';
import { NO_BODY, type Row, type View, type ViewKind } from './view.js';

/** A lane for each container and each probe, with every attempt where it was. */
export const timelineView: ViewKind = {
  title: ({ ui }) => {
    const { zoom, end } = ui.timeline;
    return `timeline, ${ZOOMS[zoom] ?? 1} s a cell${end === 'now' ? ', follows' : ''}`;
  },
  show(snapshot, height) {
    const pod = podInView(snapshot);
    return pod === undefined ? { head: [], body: NO_BODY, tail: [] } : show(pod, snapshot, height);
  },
  press: pressTimeline,
  keys: [
    { key: '← →', word: 'attempt', sentence: 'the attempt before, the one after' },
    { key: 'enter', word: 'whole', sentence: 'the attempt under the cursor, whole' },
    { key: '+ -', word: 'zoom', sentence: 'closer, farther' },
    { key: 'f', word: 'follow', sentence: 'follow what happens; moving the cursor stops that' },
    { key: 'j k', word: 'lane', sentence: 'another lane' },
  ],
};

function show(pod: PodSummary, snapshot: Snapshot, height: number): View {
  const window = timeWindow(snapshot);
  const targets = rowTargets(pod, snapshot.ui.filter);
  const chosen = chosenTarget(pod, snapshot);
  const label = labelWidth(snapshot.size.columns);
  const about = chosen === undefined ? undefined : cursorAttempt(chosen, snapshot);
  const below = [...cursorRows(chosen, about, snapshot), ...legend(snapshot)];
  const room = height - 1 - targets.length - below.length;
  return {
    head: [{ line: timeAxis(window, ' '.repeat(label + 1)) }],
    body: {
      id: `timeline ${pod.key}`,
      count: targets.length,
      row: (index) => {
        const target = targets[index];
        return { line: target === undefined ? [] : laneLine(pod, target, snapshot, window) };
      },
      chosen: targets.findIndex(({ id }) => id === chosen?.id),
    },
    tail: [...momentRows(pod, targets, snapshot, room), ...below],
  };
}

function laneLine(
  pod: PodSummary,
  target: RowTarget,
  snapshot: Snapshot,
  window: TimeWindow,
): Line {
  const { now, size } = snapshot;
  const { container, probe, id } = target;
  const isChosen = id === chosenTarget(pod, snapshot)?.id;
  const name = probe === undefined ? container.name : `  ${probe.type}`;
  const tone = isChosen ? 'cursor' : probe === undefined ? 'strong' : 'plain';
  const label = fitLine([span(name, tone)], labelWidth(size.columns));
  const cells =
    probe === undefined
      ? containerLane(container, pod.addedAt, now, window)
      : probeLane(probe, now, window, isChosen ? cursorAttempt(target, snapshot) : undefined);
  return [...label, span(' '), ...cells];
}

/** The attempt under the cursor, in two rows. */
function cursorRows(
  target: RowTarget | undefined,
  attempt: AttemptView | undefined,
  { about }: Snapshot,
): Row[] {
  if (target?.probe === undefined) {
    return [{ line: line('choose a probe (j, k) to look at its attempts', 'dim') }, { line: [] }];
  }
  const { container, probe } = target;
  if (attempt === undefined)
    return [{ line: line('no attempt has ended yet', 'dim') }, { line: [] }];
  const { set, resultRun, threshold, startedAt, run } = attempt;
  const led = set === undefined || set === 'unknown' ? '' : ` → ${effectWord(probe.type, set)}`;
  const count =
    attempt.error === undefined ? `, ${Math.min(resultRun, threshold)}/${threshold}${led}` : '';
  const hint = about.hints ? hintFor({ container, probe }, attempt) : undefined;
  const said = (attempt.error ?? attempt.output).trim();
  return [
    {
      line: [
        span(
          `${container.name}/${probe.type} at ${startedAt.toFixed(1)} s, run ${run}: `,
          'strong',
        ),
        ...resultLine(attempt),
        span(` in ${formatLatency(attempt.latency)}${count}`),
      ],
    },
    { line: hint === undefined ? line(said, 'dim') : line(hint, 'info') },
  ];
}

/** The latest moments that the lanes show, as many as there is room for between blank rows. */
function momentRows(
  pod: PodSummary,
  targets: readonly RowTarget[],
  snapshot: Snapshot,
  room: number,
): Row[] {
  if (room < 3) return [];
  const { end, now } = { end: snapshot.ui.timeline.end, now: snapshot.now };
  const shown = momentsOf(pod, targets).filter(({ t }) => end === 'now' || t <= Math.min(end, now));
  const rows = shown.slice(2 - room).map(({ t, about, text, tone }) => ({
    line: [span(`${t.toFixed(1).padStart(8)} s  `, 'dim'), span(`${about}: `), span(text, tone)],
  }));
  const blanks = Array.from({ length: room - rows.length - 1 }, () => ({ line: EMPTY_LINE }));
  return [{ line: EMPTY_LINE }, ...rows, ...blanks];
}

const SIGNS: readonly string[] = [
  '✓ success',
  '✗ failure',
  '! error',
  '↑ ↓ result changed',
  '█ ready',
  '▄ not ready',
  '▂ not started',
  '▒ TERM to end',
  '░ back-off',
  'S start',
  'T TERM',
  'E end',
  'R restart',
];

function legend({ size }: Snapshot): Row[] {
  const signs = SIGNS.map((sign) => line(sign, 'dim'));
  return flowLines(signs, '  ', size.columns).map((own) => ({ line: own }));
}

/** Something that was decided, or came of it. */
export interface Moment {
  /** Seconds since the trace began. */
  readonly t: number;
  readonly about: string;
  readonly text: string;
  readonly tone: Tone;
}

/** What changed in a pod and why, oldest first: results that were set, kills, ends, back-offs, starts, readiness. */
export function momentsOf(pod: PodSummary, targets: readonly RowTarget[]): Moment[] {
  return [
    ...podMoments(pod),
    ...targets.flatMap(({ container, probe }) =>
      probe === undefined ? runMoments(container) : turnMoments(container, probe),
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

/** Only results that changed what stood before. */
function turnMoments({ name }: ContainerView, { type, attempts }: ProbeView): Moment[] {
  return turnsOf(attempts).map(({ endedAt, set, resultRun }) => {
    const to = set === 'success' ? 'success' : 'failure';
    const times = to === 'success' ? 'successes' : 'failures';
    const what = resultRun === 1 ? `1 ${to}` : `${resultRun} ${times} in a row`;
    return {
      t: endedAt,
      about: `${name}/${type}`,
      text: `${what} → ${effectWord(type, to)}`,
      tone: to === 'success' ? 'good' : 'bad',
    };
  });
}

function runMoments({ name, runs }: ContainerView): Moment[] {
  return runs.flatMap((run) => {
    const moments: Moment[] = [];
    const add = (t: number | undefined, text: string, tone: Tone): void => {
      if (t !== undefined) moments.push({ t, about: name, text, tone });
    };
    add(run.startedAt, `run ${run.run} started`, 'plain');
    add(run.restartAskedAt, 'you asked for a restart', 'warn');
    add(run.stop?.at, stopText(run), 'bad');
    add(run.endedAt, endText(run), run.exitCode === 0 ? 'plain' : 'bad');
    add(
      run.backOff?.since,
      `back-off of ${countdown(run.backOff?.delay ?? 0)} before the next run`,
      'bad',
    );
    return moments;
  });
}

function stopText({ stop, killed }: RunView): string {
  const why = killed === undefined ? '' : `: ${killed}`;
  return `TERM, KILL after ${stop?.gracePeriod ?? 0} s${why}`;
}

function endText(run: RunView): string {
  const { startError, exitCode, stop, endedAt = 0 } = run;
  if (startError !== undefined) return `not started: ${startError}`;
  const after =
    stop === undefined ? causeText(run) : `${(endedAt - stop.at).toFixed(1)} s after TERM`;
  return `run ${run.run} ended${exitCode === undefined ? '' : `, exit ${exitCode}`}, ${after}`;
}
