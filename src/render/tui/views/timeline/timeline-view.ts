import type { AttemptView } from '../../../../trace/summary/probe-view.js';
import type { PodSummary } from '../../../../trace/summary/summary.js';
import { hintFor } from '../../../hints/hint-for.js';
import { formatLatency } from '../../../text/duration.js';
import { EMPTY_LINE, fitLine, flowLines, type Line, line, span } from '../../../text/line.js';
import { resultLine } from '../../format/attempt-result.js';
import { effectWord } from '../../format/probe-run.js';
import { podInView } from '../../store/pod-in-view.js';
import type { Snapshot } from '../../store/snapshot.js';
import { chosenTarget, type RowTarget, rowTargets } from '../pod/row-target.js';
import { NO_BODY, type Row, type View, type ViewKind } from '../view.js';
import { containerLane } from './container-lane.js';
import { cursorAttempt } from './cursor.js';
import { momentsOf } from './moments.js';
import { probeLane } from './probe-lane.js';
import { timeAxis } from './time-axis.js';
import { pressTimeline } from './timeline-keys.js';
import { labelWidth, type TimeWindow, timeWindow, ZOOMS } from './window.js';

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
