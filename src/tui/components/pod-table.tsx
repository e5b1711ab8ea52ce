import type { FC, ReactNode } from 'react';

import { attemptFault } from '../../diagnosis/attempt-fault.js';
import { type Diagnosis, isFailing } from '../../diagnosis/fault.js';
import { killText } from '../../diagnosis/kubelet-message.js';
import { startSpan } from '../../diagnosis/outlook.js';
import { startFailure } from '../../diagnosis/start-fault.js';
import {
  causeText,
  findingText,
  runSentence,
  subjectText,
  whenText,
} from '../../diagnosis/words.js';
import { probeOf } from '../../kubelet/prober/probe-of.js';
import { handlerText } from '../../report/probe-text.js';
import { lossText, resultLine } from '../../report/view-text.js';
import { age, countdown, formatLatency, inSeconds } from '../../text/duration.js';
import {
  elideLine,
  joinLines,
  type Line,
  line,
  lineWidth,
  span,
  textWidth,
  type Tone,
} from '../../text/line.js';
import { forecastContainer, forecastProbe } from '../../trace/forecast.js';
import {
  type ContainerView,
  currentRun,
  hasDied,
  type RunView,
} from '../../trace/summary/container-view.js';
import {
  type AttemptView,
  percentile,
  type ProbeView,
  verdictOfAttempt,
} from '../../trace/summary/probe-view.js';
import type { PodSummary } from '../../trace/summary/summary.js';
import { useSnapshot } from '../hooks/use-store.js';
import { listInView } from '../store/lists.js';
import {
  chosenTarget,
  diagnosesOf,
  type RowTarget,
  rowTargets,
  wrapsIn,
} from '../store/selection.js';
import { LOW_ROWS, type Snapshot } from '../store/state.js';
import { useColumns } from './columns.js';
import { LEVELS, runLine } from './format.js';
import { Table, type TableColumn, type TableRow } from './table.js';
import { Beside } from './text.js';

const POD_COLUMNS: readonly TableColumn[] = [
  { heading: 'PROBE', min: 9, max: 9, priority: 10 },
  { heading: 'HANDLER', min: 17, max: 44, priority: 5, weight: 4, cut: 'middle' },
  { heading: 'LAST', min: 10, max: 11, priority: 9 },
  { heading: 'RUN', min: 17, max: 20, priority: 8, weight: 2 },
  { heading: 'NEXT', min: 6, max: 7, priority: 7, align: 'right' },
  { heading: '✓', min: 3, max: 6, priority: 3, align: 'right' },
  { heading: '✗', min: 3, max: 6, priority: 4, align: 'right' },
  { heading: 'TOOK', min: 6, max: 6, priority: 2, align: 'right' },
  { heading: 'RECENT', min: 10, max: 28, priority: 1 },
  { heading: 'P99', min: 6, max: 7, priority: 0, align: 'right' },
];
/** The columns of the progress and of the bars. */
const [RUN, BARS] = [3, 8];

const MAX_HINT_ROWS = 3;
/** Terminal rows of the chosen pod, on screens that are not low. */
const MAX_CHOSEN_ROWS = 4;

/** A text below a row, in at most `maxRows` rows where the row is not chosen. */
type Remark = (text: string, tone: Tone, maxRows: number) => ReactNode;

/** Targets whose init containers count as completed without being run. */
const PASSES_INITS = ['attached', 'process', 'containers'];

/** Containers, and below each its probes. */
export const PodTable: FC<{ readonly pod: PodSummary }> = ({ pod }) => {
  const snapshot = useSnapshot();
  const { chosen, total } = listInView(snapshot) ?? {};
  return (
    <Table
      id={`pod ${pod.key}`}
      columns={POD_COLUMNS}
      rows={podRows(pod, snapshot, useColumns())}
      chosen={chosen}
      total={total}
      flexGrow={0}
      isMarked
    />
  );
};

function podRows(pod: PodSummary, snapshot: Snapshot, columns: number): TableRow[] {
  const { now, context, size } = snapshot;
  const ofChosen = size.rows < LOW_ROWS ? 1 : MAX_CHOSEN_ROWS;
  const diagnoses = context.hints ? diagnosesOf(pod, snapshot) : [];
  const failing = new Set(diagnoses.filter(isFailing).map(({ subject }) => subjectText(subject)));
  const chosen = chosenTarget(pod, snapshot)?.id;
  return rowTargets(pod, snapshot).map((target): TableRow => {
    const { id, container, probe } = target;
    const minRows = wrapsIn(snapshot) ? Infinity : id === chosen ? ofChosen : 0;
    const isFailing = failing.has(id);
    const remark: Remark = (text, tone, maxRows) =>
      text !== '' && (
        <Beside
          key={text}
          sign="    ↳ "
          text={text}
          tone={tone}
          maxRows={Math.max(minRows, maxRows)}
        />
      );
    if (probe === undefined) {
      const simulated = context.isSimulated(pod.key, container.name);
      const isRun = !simulated || !PASSES_INITS.includes(context.target);
      const content = containerLine(pod, container, { now, simulated, isRun }, columns);
      return { id, content, remarks: containerRemark(target, diagnoses, remark), isFailing };
    }
    return {
      id,
      content: (widths) => probeCells(target, probe, widths, now),
      remarks: hasLapsed(pod, probe)
        ? remark(lapseText(container, probe, snapshot), 'dim', 1)
        : probeRemarks(container, probe, context.hints, diagnoses[0], remark),
      isFailing,
    };
  });
}

/** A diagnosis that is not the worst, or else why the latest run ended. */
function containerRemark(
  { container }: RowTarget,
  [worst, ...others]: readonly Diagnosis[],
  remark: Remark,
): ReactNode {
  const diagnosis = others.find(
    (other) => other.subject.container === container.name && other.subject.probe === undefined,
  );
  if (diagnosis !== undefined) {
    const tone = isFailing(diagnosis) ? 'bad' : 'warn';
    return remark(causeText(diagnosis), tone, tone === 'bad' ? MAX_HINT_ROWS : 1);
  }
  const run = container.runs.findLast(hasDied);
  if (run === undefined) return undefined;
  if (worst?.subject.container === container.name && run === container.runs.at(-1))
    return undefined;
  return remark(`run ${run.run}: ${runSentence(container, run)}`, 'dim', 1);
}

function probeCells(
  { container }: RowTarget,
  probe: ProbeView,
  widths: readonly number[],
  now: number,
): Line[] {
  const spec = probeOf(container.spec, probe.type);
  const last = probe.attempts.at(-1);
  const bad = probe.failures + probe.errors;
  const p99 = percentile(probe.latencies, 99);
  const none = line('–', 'dim');
  const forecast = forecastProbe(container, probe, now);
  const next =
    forecast.nextAttempt === undefined ? none : line(countdown(forecast.nextAttempt - now));
  const isInFlight = probe.inFlight !== undefined;
  return [
    line(probe.type),
    line(spec === undefined ? '' : handlerText(spec, container.spec)),
    isInFlight ? line('probing …', 'info') : last === undefined ? none : resultLine(last),
    runLine(probe, forecast, currentRun(container) !== undefined, widths[RUN]),
    isInFlight ? line('now', 'info') : next,
    line(`${probe.successes}`, probe.successes > 0 ? 'good' : 'dim'),
    line(`${bad}`, bad > 0 ? 'bad' : 'dim'),
    last === undefined || last.evidence !== undefined ? none : line(formatLatency(last.latency)),
    latencyBars(probe, spec?.timeoutSeconds ?? 1, widths[BARS] ?? 0),
    p99 === undefined ? [] : line(formatLatency(p99), 'dim'),
  ];
}

/** The latest latencies on the scale of the timeout, and a mark at it; those of failed attempts stand out. */
export function latencyBars({ attempts }: ProbeView, timeout: number, width: number): Line {
  const mark = `┤${timeout} s`;
  const room = width - textWidth(mark);
  const latest = room <= 0 ? [] : attempts.slice(-room);
  const scale = (LEVELS.length - 1) / (timeout * 1000);
  const spans = latest.map((attempt) =>
    span(
      LEVELS[Math.round(attempt.latency * scale)] ?? '█',
      verdictOfAttempt(attempt) === 'success' ? 'info' : 'bad',
    ),
  );
  return [...spans, span(mark.padStart(width - latest.length), 'dim')];
}

/** The output of the latest attempt where it failed, and its likely cause. */
function probeRemarks(
  container: ContainerView,
  probe: ProbeView,
  hints: boolean,
  worst: Diagnosis | undefined,
  remark: Remark,
): ReactNode {
  const last = probe.attempts.at(-1);
  if (last === undefined || verdictOfAttempt(last) === 'success') return undefined;
  const isOld = last.run !== (container.runs.at(-1)?.run ?? last.run);
  const output = firstLine(last);
  if (isOld) return remark(`in run ${last.run}: ${output}`, 'dim', 1);
  const finding =
    hints && currentRun(container) ? attemptFault({ container, probe }, last) : undefined;
  const isShown = JSON.stringify(worst?.fault) === JSON.stringify(finding?.fault);
  const text = isShown ? '' : (findingText(finding) ?? '');
  return [remark(output, 'bad', 1), remark(text, 'info', MAX_HINT_ROWS)];
}

/** Reports whether a readiness probe that succeeds again has made the pod lose its readiness. */
function hasLapsed(pod: PodSummary, { type, attempts }: ProbeView): boolean {
  const last = attempts.at(-1);
  const isBack = last !== undefined && verdictOfAttempt(last) === 'success';
  return isBack && type === 'readiness' && lossText(pod) !== '';
}

/** The last failure of this run that came after a success, with its likely cause. */
function lapseText(container: ContainerView, probe: ProbeView, { now, context }: Snapshot): string {
  const { attempts } = probe;
  const ofRun = attempts.filter(({ run }) => run === attempts.at(-1)?.run);
  const since = ofRun.findIndex((each) => verdictOfAttempt(each) === 'success');
  const lapse = ofRun.slice(since).findLast((each) => verdictOfAttempt(each) === 'failure');
  if (lapse === undefined) return '';
  const finding = context.hints ? attemptFault({ container, probe }, lapse) : undefined;
  const texts = [firstLine(lapse), findingText(finding)].filter(Boolean);
  return `${age(now - lapse.endedAt)} ago: ${texts.join('; ')}`;
}

function firstLine({ error, output }: AttemptView): string {
  return (error ?? output).trim().split('\n')[0] ?? '';
}

/** A container in one row: `app   running   started ✓   ready ✗   restarts 2 (liveness, exit 137, 14s ago)`. */
function containerLine(
  pod: PodSummary,
  container: ContainerView,
  { now, simulated, isRun }: { now: number; simulated: boolean; isRun: boolean },
  width: number,
): Line {
  const { name, role } = container;
  const state = [
    role === 'container' ? [] : line(role === 'init' ? 'init container' : 'sidecar', 'dim'),
    role === 'init' && !isRun ? line('skipped', 'dim') : stateLine(pod, container, now),
    ...flags(container),
  ];
  const nameWidth = Math.min(MIN_NAME, textWidth(name)) + GAP.length;
  const whole = restartsLines(container, now, simulated)
    .map((restarts) => joinLines([...state, restarts], GAP))
    .find((each) => lineWidth(each) + nameWidth <= width);
  const shown = whole ?? joinLines(state, GAP);
  const room = Math.max(MIN_NAME, width - lineWidth(shown) - GAP.length);
  return joinLines([elideLine(line(name, 'strong'), room), shown], GAP);
}

const GAP = '   ';
/** Columns that a long name keeps, however narrow the row is. */
const MIN_NAME = 12;

/** The state; where kprobe knows more than the status says, what kprobe knows. */
function stateLine(pod: PodSummary, container: ContainerView, now: number): Line {
  const forecast = forecastContainer(pod, container);
  switch (forecast.kind) {
    case 'waiting':
      if (isSkipped(pod, container)) return line('skipped', 'dim');
      return startFailure(pod, container) === undefined && !isBackingOff(container)
        ? line('waiting', 'warn')
        : line(container.state.text, 'bad');
    case 'running':
      return line(`running ${age(now - forecast.since)}`);
    case 'preStop':
      return line('stopping: preStop', 'warn');
    case 'stopping':
      return line(`stopping, KILL ${inSeconds(forecast.killAt - now)}`, 'warn');
    case 'ended':
      return line(`ended (${endText(container)})`, 'bad');
    case 'backOff':
      return line(`back-off, starts ${whenText(startSpan(pod, forecast, now))}`, 'bad');
    case 'done':
      return forecast.exitCode === 0
        ? line('completed', 'dim')
        : line(`ended (${endText(container)})`, 'bad');
  }
}

/** Reports whether a cluster's kubelet holds a container in back-off that kprobe has not seen run. */
function isBackingOff({ state }: ContainerView): boolean {
  return state.kind === 'waiting' && state.reason === 'CrashLoopBackOff';
}

/** Reports whether an init container never ran, and no longer has to: the pod's containers run. */
function isSkipped({ containers }: PodSummary, { role, runs }: ContainerView): boolean {
  const hasBegun = containers.some((each) => each.role === 'container' && each.runs.length > 0);
  return role === 'init' && runs.length === 0 && hasBegun;
}

function flags(container: ContainerView): Line[] {
  // A container that does not run is neither, and its state says enough.
  if (container.role === 'init' || currentRun(container) === undefined) return [];
  const { started, ready, spec } = container;
  const sign = (is: boolean): string => (is ? '✓' : '✗');
  const isProbed = spec.startupProbe !== undefined;
  return [
    line(`started ${isProbed || started ? sign(started) : '–'}`, started ? 'good' : 'warn'),
    line(`ready ${sign(ready)}`, ready ? 'good' : 'bad'),
  ];
}

/** The restarts with the reason of the last one, and without it, for rows that have no room for more. */
function restartsLines(
  { restartCount, runs }: ContainerView,
  now: number,
  simulated: boolean,
): Line[] {
  if (restartCount === 0) return [line('restarts 0', 'dim')];
  const ended = runs.findLast((run) => run.endedAt !== undefined);
  const reason = ended === undefined ? '' : ` (${reasonText(ended, now, simulated)})`;
  const count = `restarts ${restartCount}`;
  return [line(`${count}${reason}${simulated ? ' simulated' : ''}`, 'bad'), line(count, 'bad')];
}

function reasonText(run: RunView, now: number, simulated: boolean): string {
  const exit = simulated || run.exitCode === undefined ? '' : `, exit ${run.exitCode}`;
  return `${endWord(run)}${exit}, ${age(now - (run.endedAt ?? now))} ago`;
}

export function endWord(run: RunView): string {
  if (run.restartAskedAt !== undefined) return 'by you';
  if (run.startError !== undefined) return 'not started';
  switch (run.killReason) {
    case undefined:
      if (run.stop !== undefined) return 'stopped';
      return run.exitCode === 0 ? 'exited by itself' : 'crashed';
    case 'LivenessProbe':
      return 'liveness';
    case 'StartupProbe':
      return 'startup';
    default:
      return killText(run);
  }
}

function endText({ runs }: ContainerView): string {
  const run = runs.at(-1);
  if (run?.startError !== undefined) return run.startError;
  return run?.exitCode === undefined ? 'unknown' : `exit ${run.exitCode}`;
}
