import type { MeasuredRollout, OutageResult } from '../../rollout/measure.js';
import type { DrainOutcome, RolloutOutcome } from '../../rollout/rollout.js';
import type { LossCause, LossRemedy } from '../../rollout/traffic/losses.js';
import type { TrafficResult } from '../../rollout/traffic/traffic.js';
import { blockersOf } from '../../rollout/workload.js';
import { counted, thousands } from '../../text/count.js';
import { formatSeconds } from '../../text/duration.js';
import { type Line, line, span } from '../../text/line.js';

const MAX_BLOCKERS = 3;

/** Returns the first lines of the answer: rolled out or not, the time, the least ready replicas, blockers. */
export function answerLines(outcome: RolloutOutcome): readonly Line[] {
  return [
    headline(outcome),
    ...(outcome.wasAvailable ? [] : [labeled('before', 'not all old replicas were available')]),
    labeled('ready', readyText(outcome)),
    ...deadlineLines(outcome),
    ...outcome.drains.map(drainLine),
    ...blockerLines(outcome),
  ];
}

function headline({ kind, name, rollout, counts, length, leastReady }: RolloutOutcome): Line {
  const subject = `${kind} ${name}: `;
  const { wanted, updated, available } = counts;
  if (rollout === undefined) {
    const isUp = available >= wanted && leastReady.count > 0;
    const verdict = `${available} of ${counted(wanted, 'replica is', 'replicas are')} available after ${formatSeconds(length)}`;
    return [span(subject, 'strong'), span(verdict, isUp ? 'good' : 'bad')];
  }
  if (rollout.doneAt !== undefined) {
    const verdict = `rolled out in ${formatSeconds(rollout.doneAt)}`;
    return [span(subject, 'strong'), span(verdict, 'good')];
  }
  const verdict = `not rolled out after ${formatSeconds(length)}: `;
  const state = `${updated} of ${counted(wanted, 'replica is', 'replicas are')} new, ${counted(available, 'is', 'are')} available`;
  return [span(subject, 'strong'), span(verdict, 'bad'), span(state)];
}

function readyText({ counts, leastReady }: RolloutOutcome): string {
  const { count, t } = leastReady;
  const replicas = `of ${counted(counts.wanted, 'replica')}`;
  if (count >= counts.wanted) return `never fewer than ${counts.wanted} ${replicas}`;
  return `at least ${count} ${replicas}, ${t === 0 ? 'from the start' : `first at ${formatSeconds(t)}`}`;
}

function deadlineLines({ rollout, length }: RolloutOutcome): readonly Line[] {
  const { doneAt, deadlineAt, progressDeadlineSeconds, progressCount = 0 } = rollout ?? {};
  if (deadlineAt !== undefined) {
    return [labeled('deadline', `ProgressDeadlineExceeded at ${formatSeconds(deadlineAt)}`)];
  }
  if (doneAt !== undefined || progressDeadlineSeconds === undefined) return [];
  const name = `progressDeadlineSeconds (${progressDeadlineSeconds})`;
  const text =
    length <= progressDeadlineSeconds + 1
      ? `${name} ends after this simulation: simulate longer with --for`
      : `${name} has not run out: ${counted(progressCount, 'sign')} of progress started it again; a rise of ready replicas counts, also when readiness flaps`;
  return [labeled('deadline', text)];
}

function blockerLines(outcome: RolloutOutcome): readonly Line[] {
  return blockersOf(outcome)
    .slice(0, MAX_BLOCKERS)
    .map(({ reason, pods }) =>
      labeled('blocked', pods === undefined ? reason : `${counted(pods, 'pod')}: ${reason}`),
    );
}

function drainLine({ node, t, emptyAt, refused, error = '' }: DrainOutcome): Line {
  const begin = `${node} at ${formatSeconds(t)}: `;
  const retries = refused === 0 ? '' : `; ${counted(refused, 'eviction')} refused: ${error}`;
  const end =
    emptyAt === undefined ? 'not empty at the end' : `empty after ${formatSeconds(emptyAt - t)}`;
  return labeled('drain', `${begin}${end}${retries}`);
}

const LABEL_WIDTH = 10;

function labeled(label: string, text: string): Line {
  return [span(`  ${label.padEnd(LABEL_WIDTH)}`, 'dim'), span(text)];
}

const CAUSES: Readonly<Record<LossCause, string>> = {
  noEndpoint: 'refused: no ready endpoint',
  refusedAfterTerm: 'refused between TERM and endpoint removal',
  refusedBeforeListening: 'refused before the container listens',
  refusedDuringRestart: 'refused while the container restarts',
  cutAtExit: 'cut when the app exits after TERM',
  cutAtKill: 'cut at KILL',
  cutAtRestart: 'cut when the kubelet restarts the container',
  cutAtCrash: 'cut when the container exits by itself',
  timedOut: 'timed out',
  dependencyDown: 'failed while a dependency is down',
  errorAnswer: 'answered with an error',
};

export function trafficLines(result: TrafficResult): Line[] {
  const { requests, failed, losses, waited, longestWait, afterRemoval } = result;
  const none = `none of ${thousands(requests)} requests fails`;
  const width = Math.max(0, ...losses.map(({ count }) => thousands(count).length));
  const late = `${thousands(waited)} answered late, the slowest after ${formatSeconds(longestWait / 1000)}`;
  const kept = `${thousands(afterRemoval)} sent over kept connections to pods that were no longer endpoints`;
  const more = [...(waited === 0 ? [] : [late]), ...(afterRemoval === 0 ? [] : [kept])];
  return [
    failed > 0 ? line(failedText(result), 'bad') : line(none, 'good'),
    ...losses.map(({ cause, count, remedy }) => {
      const saves = remedy === undefined ? '' : ` (${remedyText(remedy)} would save them)`;
      return line(`  ${thousands(count).padStart(width)} ${CAUSES[cause]}${saves}`);
    }),
    ...more.map((text) => line(`  ${text}`)),
  ];
}

/** `3 of 12,000 requests fail` */
export function failedText({ failed, requests }: TrafficResult): string {
  return `${thousands(failed)} of ${thousands(requests)} requests ${failed === 1 ? 'fails' : 'fail'}`;
}

function remedyText(remedy: LossRemedy): string {
  switch (remedy.kind) {
    case 'preStopSleep': {
      const { seconds, gracePeriodSeconds } = remedy;
      const sleep = `preStop sleep of ${seconds} s`;
      return gracePeriodSeconds === undefined
        ? sleep
        : `${sleep} with a terminationGracePeriodSeconds of ${gracePeriodSeconds}`;
    }
    case 'gracePeriod':
      return `a terminationGracePeriodSeconds of ${remedy.seconds}`;
    case 'finishRequests':
      return `an app that takes ${formatSeconds(remedy.seconds)} after TERM to finish its requests`;
    case 'stopServingAtTerm':
      return 'an app that closes its connections at TERM and finishes its requests';
    case 'readinessProbe':
      return 'a readiness probe of what serves the requests';
  }
}

export function outageLines(result: OutageResult): Line[] {
  const { name, from, to, readyBefore, leastReady, hit, restarts, restartedPods } = result;
  const { backOffs, longestBackOff, herd } = result;
  const [begin, end] = [formatSeconds(from / 1000), formatSeconds(to / 1000)];
  const until = to === Infinity ? `from ${begin} on` : `from ${begin} to ${end}`;
  const head = line(`${name} is down ${until}`, 'strong');
  if (hit === 0) return [head, line('  no replica loses its readiness', 'good')];
  const restarted = `${counted(restarts, 'restart')} of ${counted(restartedPods, 'replica')}`;
  const longest = formatSeconds(longestBackOff / 1000);
  const rows = [
    `${hit} of ${counted(readyBefore, 'ready replica')} ${hit === 1 ? 'loses its' : 'lose their'} readiness; at least ${leastReady} ready`,
    backText(result),
    restarts > 0 && restarted,
    backOffs > 0 && `${counted(backOffs, 'back-off')}, the longest ${longest}`,
    herd > 1 && `${herd} replicas come back within one second`,
  ];
  return [head, ...rows.flatMap((row) => (row === false ? [] : [line(`  ${row}`)]))];
}

function backText({ to, firstBack, lastBack, stillOut, hit }: OutageResult): string {
  if (lastBack === to && stillOut === 0) return 'all are ready when the outage ends';
  const after = (at: number): string => formatSeconds((at - to) / 1000);
  if (firstBack === undefined || lastBack === undefined) return 'none is back at the end';
  const first = `the first is back ${after(firstBack)} after the outage`;
  if (stillOut > 0) return `${first}; ${stillOut} of ${hit} are not back at the end`;
  return hit === 1
    ? `it is back ${after(firstBack)} after the outage`
    : `${first}, the last after ${after(lastBack)}`;
}

interface ComparedRollout {
  readonly name: string;
  readonly measured: MeasuredRollout;
}

interface Row {
  readonly label: string;
  readonly of: (measured: MeasuredRollout) => number;
  readonly text: (value: number) => string;
  readonly moreIsBetter?: true;
}

const ROWS: readonly Row[] = [
  {
    label: 'rolled out in',
    of: ({ outcome }) => outcome.rollout?.doneAt ?? Infinity,
    text: (value) => (value === Infinity ? 'not' : formatSeconds(value)),
  },
  {
    label: 'least ready replicas',
    of: ({ outcome }) => outcome.leastReady.count,
    text: String,
    moreIsBetter: true,
  },
  { label: 'failed requests', of: ({ traffic }) => traffic?.failed ?? 0, text: String },
  {
    label: 'all back after outages at',
    of: ({ outages }) =>
      Math.max(
        0,
        ...outages.map(({ lastBack = 0, stillOut }) => (stillOut > 0 ? Infinity : lastBack / 1000)),
      ),
    text: (value) => (value === Infinity ? 'not' : formatSeconds(value)),
  },
  {
    label: 'restarts in outages',
    of: ({ outages }) => outages.reduce((sum, { restarts }) => sum + restarts, 0),
    text: String,
  },
  { label: 'most pods at once', of: ({ outcome }) => maxPods(outcome.points), text: String },
];

function maxPods(points: MeasuredRollout['outcome']['points']): number {
  return points.reduce((max, point) => {
    const counts = [...Object.values(point.old), ...Object.values(point.new)];
    const sum = counts.reduce((all, count) => all + count, 0);
    return Math.max(max, sum);
  }, 0);
}

const LABEL = 28;

/** Compares two rollouts, with what is better in the second one and what is worse. */
export function compareLines(first: ComparedRollout, second: ComparedRollout): Line[] {
  const width = Math.max(10, first.name.length, second.name.length) + 2;
  const [a, b] = [first.measured, second.measured];
  const rows = ROWS.map((row) => ({ ...row, a: row.of(a), b: row.of(b) }));
  const shown = rows.filter(({ a, b }) => a > 0 || b > 0);
  const differing = shown.filter(({ a, b }) => a !== b);
  const isBetter = ({ a, b, moreIsBetter }: (typeof rows)[number]): boolean =>
    moreIsBetter === true ? b > a : b < a;
  const names = (found: typeof rows): string => found.map(({ label }) => label).join(', ');
  const [better, worse] = [differing.filter(isBetter), differing.filter((row) => !isBetter(row))];
  return [
    line(' '.repeat(LABEL) + first.name.padEnd(width) + second.name, 'strong'),
    ...shown.map((row): Line => {
      const tone = row.a === row.b ? 'plain' : isBetter(row) ? 'good' : 'bad';
      return [
        span(row.label.padEnd(LABEL) + row.text(row.a).padEnd(width)),
        span(row.text(row.b), tone),
      ];
    }),
    line(`better in ${second.name}: ${better.length === 0 ? 'nothing' : names(better)}`),
    line(`it costs: ${worse.length === 0 ? 'nothing' : names(worse)}`),
  ];
}
