import { startTime } from '../../../diagnosis/outlook.js';
import { startFailure } from '../../../diagnosis/start-failure.js';
import { forecastContainer } from '../../../trace/forecast.js';
import {
  type ContainerView,
  currentRun,
  type RunView,
} from '../../../trace/summary/container-view.js';
import type { PodSummary } from '../../../trace/summary/summary.js';
import { age, inTime } from '../../text/duration.js';
import { elideLine, joinLines, type Line, line, lineWidth } from '../../text/line.js';

/** A container in one row: `app   running   started ✓   ready ✗   restarts 2 (liveness, exit 137, 14s ago)`. */
export function containerLine(
  pod: PodSummary,
  container: ContainerView,
  now: number,
  simulated: boolean,
  width: number,
): Line {
  const { name, role } = container;
  const state = joinLines(
    [
      role === 'container' ? [] : line(role === 'init' ? 'init container' : 'sidecar', 'dim'),
      stateLine(pod, container, now),
      ...flags(container),
      restartsLine(container, now, simulated),
    ],
    GAP,
  );
  const room = Math.max(LEAST_NAME, width - lineWidth(state) - GAP.length);
  return joinLines([elideLine(line(name, 'strong'), room), state], GAP);
}

const GAP = '   ';
/** Columns that a long name gives up last. */
const LEAST_NAME = 12;

/** The state; where kprobe knows more than the status says, what kprobe knows. */
function stateLine(pod: PodSummary, container: ContainerView, now: number): Line {
  const forecast = forecastContainer(pod, container);
  switch (forecast.kind) {
    case 'waiting':
      return startFailure(pod, container) === undefined
        ? line('waiting', 'warn')
        : line(container.state.text, 'bad');
    case 'running':
      return line(`running ${age(now - forecast.since)}`);
    case 'preStop':
      return line('stopping: preStop', 'warn');
    case 'stopping':
      return line(`stopping, KILL ${inTime(forecast.killAt - now)}`, 'warn');
    case 'ended':
      return line(`ended (${endText(container)})`, 'bad');
    case 'backOff':
      return line(`back-off, starts ${startTime(forecast, now)}`, 'bad');
    case 'done':
      return forecast.exitCode === 0
        ? line('completed', 'dim')
        : line(`ended (${endText(container)})`, 'bad');
  }
}

function flags(container: ContainerView): Line[] {
  // Of one that does not run, both are false, and its state says enough.
  if (container.role === 'init' || currentRun(container) === undefined) return [];
  const { started, ready, spec } = container;
  const sign = (is: boolean): string => (is ? '✓' : '✗');
  const isProbed = spec.startupProbe !== undefined;
  return [
    line(`started ${isProbed || started ? sign(started) : '–'}`, started ? 'good' : 'warn'),
    line(`ready ${sign(ready)}`, ready ? 'good' : 'bad'),
  ];
}

function restartsLine(
  { restartCount, runs }: ContainerView,
  now: number,
  simulated: boolean,
): Line {
  if (restartCount === 0) return line('restarts 0', 'dim');
  const ended = runs.findLast((run) => run.endedAt !== undefined);
  const why = ended === undefined ? '' : ` (${reasonText(ended, now, simulated)})`;
  return line(`restarts ${restartCount}${why}${simulated ? ' simulated' : ''}`, 'bad');
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
      return run.exitCode === 0 ? 'exited by itself' : 'crashed';
    case 'LivenessProbe':
      return 'liveness';
    case 'StartupProbe':
      return 'startup';
    default:
      return run.killed?.replace(/^Container \S+ /, '') ?? 'killed';
  }
}

function endText({ runs }: ContainerView): string {
  const run = runs.at(-1);
  if (run?.startError !== undefined) return run.startError;
  return run?.exitCode === undefined ? 'unknown' : `exit ${run.exitCode}`;
}
