import { forecastContainer } from '../../../trace/forecast/container-forecast.js';
import {
  type ContainerView,
  currentRun,
  type RunView,
} from '../../../trace/summary/container-view.js';
import type { PodSummary } from '../../../trace/summary/summary.js';
import { age, countdown, inTime } from '../../text/duration.js';
import { joinLines, type Line, line, span, type Tone } from '../../text/line.js';

/** A container in one row: `app   running   started ✓   ready ✗   restarts 2 (liveness, exit 137, 14s ago)`. */
export function containerLine(
  pod: PodSummary,
  container: ContainerView,
  now: number,
  simulated: boolean,
  isChosen: boolean,
): Line {
  return joinLines(
    [
      [span(container.name, isChosen ? 'cursor' : 'strong')],
      ...roleLine(container),
      stateLine(pod, container, now),
      ...flags(container),
      restartsLine(container, now, simulated),
      crashLine(container),
    ],
    '   ',
  );
}

function roleLine({ role }: ContainerView): Line[] {
  return role === 'container' ? [] : [line(role === 'init' ? 'init container' : 'sidecar', 'dim')];
}

/** What it does now; where kprobe knows more than the status says, what kprobe knows. */
function stateLine(pod: PodSummary, container: ContainerView, now: number): Line {
  const forecast = forecastContainer(pod, container);
  switch (forecast.kind) {
    case 'waiting':
      return line('waiting', 'warn');
    case 'running':
      return line(`running ${age(now - forecast.since)}`);
    case 'preStop':
      return line('stopping: preStop', 'warn');
    case 'stopping':
      return line(`stopping, KILL ${inTime(forecast.killAt - now)}`, 'warn');
    case 'ended':
      return line(`ended (${endText(container)})`, 'bad');
    case 'backOff':
      return line(`back-off, starts ${inTime(forecast.until - now)}`, 'bad');
    case 'done':
      return line(
        forecast.exitCode === 0 ? 'completed' : `ended (${endText(container)})`,
        forecast.exitCode === 0 ? 'dim' : 'bad',
      );
  }
}

function flags(container: ContainerView): Line[] {
  // Of one that does not run, both are false, and its state says enough.
  if (container.role === 'init' || currentRun(container) === undefined) return [];
  const { started, ready } = container;
  const probed = container.spec.startupProbe !== undefined;
  return [
    line(`started ${probed || started ? sign(started) : '–'}`, started ? 'good' : 'warn'),
    line(`ready ${sign(ready)}`, tone(ready)),
  ];
}

/** How often, and why the last time. */
function restartsLine(
  { restartCount, runs }: ContainerView,
  now: number,
  simulated: boolean,
): Line {
  if (restartCount === 0) return line('restarts 0', 'dim');
  const ended = runs.findLast((run) => run.endedAt !== undefined);
  const why =
    ended === undefined
      ? []
      : [
          causeText(ended),
          ...(simulated || ended.exitCode === undefined ? [] : [`exit ${ended.exitCode}`]),
          ...(ended.endedAt === undefined ? [] : [`${age(now - ended.endedAt)} ago`]),
        ];
  const detail = why.length === 0 ? '' : ` (${why.join(', ')})`;
  return line(`restarts ${restartCount}${detail}${simulated ? ' simulated' : ''}`, 'bad');
}

/** What ended a run, in a word or two. */
export function causeText(run: RunView): string {
  if (run.restartAskedAt !== undefined) return 'by you';
  if (run.startError !== undefined) return 'not started';
  switch (run.killReason) {
    case undefined:
      return run.exitCode === 0 ? 'ended by itself' : 'crashed';
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

/** What it would wait for if it ended by itself now. */
function crashLine({ crashLoop, backOff }: ContainerView): Line {
  if (crashLoop === undefined || backOff !== undefined) return [];
  return line(`next back-off ${countdown(crashLoop.delay)}`, 'dim');
}

function sign(is: boolean): string {
  return is ? '✓' : '✗';
}

function tone(is: boolean): Tone {
  return is ? 'good' : 'bad';
}
