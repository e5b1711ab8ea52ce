import { backOffSpan } from '../schedule/restarts.js';
import { countdown, inRange, inTime } from '../text/duration.js';
import type { Tone } from '../text/line.js';
import type { ProbeType, Result } from '../trace/event.js';
import {
  type ContainerForecast,
  forecastContainer,
  forecastProbe,
  graceOfKill,
  type Restart,
  restartAfterKill,
  type Turn,
} from '../trace/forecast.js';
import { type ContainerView, crashDelay, currentRun } from '../trace/summary/container-view.js';
import type { ProbeView } from '../trace/summary/probe-view.js';
import type { PodSummary } from '../trace/summary/summary.js';
import { retrySentence, startFailure } from './start-failure.js';

export interface Outlook {
  /** The most urgent have the lowest. */
  readonly rank: number;
  readonly about: string;
  readonly text: string;
  readonly tone: Tone;
}

/** Tells whether a container's restarts are only simulated. */
export type IsSimulated = (pod: string, container: string) => boolean;

/** Returns the kubelet's next actions, the most urgent first. */
export function outlooks(pod: PodSummary, now: number, isSimulated: IsSimulated): Outlook[] {
  return pod.containers
    .flatMap((container) => {
      const simulated = isSimulated(pod.key, container.name);
      return [
        ...containerOutlook(pod, container, now),
        ...container.probes.flatMap((probe) => probeOutlook(pod, container, probe, now, simulated)),
      ];
    })
    .sort((a, b) => a.rank - b.rank);
}

function containerOutlook(pod: PodSummary, container: ContainerView, now: number): Outlook[] {
  const forecast = forecastContainer(pod, container);
  const text = retryText(pod, container) ?? containerSentence(container, forecast, now);
  if (text === undefined) return [];
  const isCalm = forecast.kind === 'waiting' || forecast.kind === 'running';
  return [{ rank: isCalm ? 40 : 0, about: container.name, text, tone: isCalm ? 'plain' : 'bad' }];
}

/** A container that could not be created has no back-off of its own. */
function retryText(pod: PodSummary, container: ContainerView): string | undefined {
  if (container.state.kind !== 'waiting' || container.backOff !== undefined) return undefined;
  if (startFailure(pod, container) === undefined) return undefined;
  return retrySentence(container.state.reason);
}

function containerSentence(
  container: ContainerView,
  forecast: ContainerForecast,
  now: number,
): string | undefined {
  switch (forecast.kind) {
    case 'waiting':
      return forecast.for === undefined ? undefined : `waits for ${forecast.for}`;
    case 'running':
      return forecast.hook === undefined
        ? nextBackOff(container, now)
        : `${forecast.hook} hook is running`;
    case 'preStop':
      return 'preStop hook is running, then TERM';
    case 'stopping':
      return `TERM sent; KILL ${inTime(forecast.killAt - now)} if it still runs, ${restartText(forecast.restart, now)}`;
    case 'ended':
      return `ended, ${restartText(forecast.restart, now)}`;
    case 'backOff':
      return `CrashLoopBackOff of ${countdown(forecast.delay)}; starts again ${startTime(forecast, now)}`;
    case 'done':
      return undefined;
  }
}

/** Restarted containers wait longer the next time. */
function nextBackOff({ crashLoop }: ContainerView, now: number): string | undefined {
  const delay = crashDelay(crashLoop, now);
  if (delay === 0) return undefined;
  const start = startTime({ until: now + delay, delay }, now);
  return `if it ends now, restarted after a back-off of ${countdown(delay)}, ${start}`;
}

function restartText(restart: Restart, now: number): string {
  switch (restart.kind) {
    case 'none':
      return 'then not restarted';
    case 'atOnce':
      return 'then restarted at once';
    case 'after':
      return `then restarted after a back-off of ${countdown(restart.delay)}, ${startTime({ ...restart, until: restart.at }, now)}`;
  }
}

/** Returns the earliest and latest start: the kubelet syncs some time after the end of a back-off. */
export function startTime(
  { until, delay }: { readonly until: number; readonly delay: number },
  now: number,
): string {
  return inRange(until - now, until - delay + backOffSpan(delay).to - now);
}

function probeOutlook(
  pod: PodSummary,
  container: ContainerView,
  probe: ProbeView,
  now: number,
  simulated: boolean,
): Outlook[] {
  const about = `${container.name}/${probe.type}`;
  const forecast = forecastProbe(container, probe, now);
  if (hasErrored(container, probe)) {
    // Errors meet no threshold, however many there are.
    const text = `errors don't count: ${unchangedText(probe.type, forecast.stands)} until an attempt gives a result`;
    return [{ rank: 25, about, text, tone: 'warn' }];
  }
  return forecast.turns.flatMap((turn) => {
    if (turn.earliest === undefined) return [];
    const begun = turn.needed < turn.threshold;
    const effect = turnEffect(pod, container, probe, turn, simulated);
    const when =
      turn.latest === undefined
        ? `earliest ${inTime(turn.earliest - now)}`
        : inRange(turn.earliest - now, turn.latest - now);
    const text = `${inRow(turn.to, turn.needed, begun)}, ${when} → ${effect}`;
    const tone = turn.to === 'failure' ? (begun ? 'bad' : 'dim') : 'plain';
    return [{ rank: turnRank(probe, turn, begun), about, text, tone }];
  });
}

function hasErrored(container: ContainerView, { attempts }: ProbeView): boolean {
  const last = attempts.at(-1);
  return last?.error !== undefined && last.run === currentRun(container)?.run;
}

function unchangedText(type: ProbeType, stands: Result): string {
  switch (type) {
    case 'startup':
      return stands === 'success' ? 'stays started' : 'neither started nor restarted';
    case 'readiness':
      return stands === 'success' ? 'stays ready' : 'stays unready';
    case 'liveness':
      return 'not restarted';
  }
}

function turnEffect(
  pod: PodSummary,
  container: ContainerView,
  { type }: ProbeView,
  { to, earliest = 0 }: Turn,
  simulated: boolean,
): string {
  if (type === 'readiness') {
    return to === 'success'
      ? 'ready, Services send traffic'
      : 'not ready, Services send no traffic';
  }
  if (to === 'success') return 'started, the other probes begin';
  const grace = graceOfKill(pod.object, container, type);
  const restart = restartAfterKill(pod.object, container, earliest);
  const killed = simulated ? 'killed (simulated)' : `killed with TERM, ${grace} s grace`;
  return `${killed}, ${restartText(restart, earliest)}`;
}

/** `1 success`, `3 failures in a row`; with `more`, `2 more failures`. */
export function inRow(result: 'success' | 'failure', count: number, more = false): string {
  const plural = result === 'success' ? 'successes' : 'failures';
  if (more) return `${count} more ${count === 1 ? result : plural}`;
  return count === 1 ? `1 ${result}` : `${count} ${plural} in a row`;
}

/** A restart that is near goes before readiness, and that before what would take several failures. */
function turnRank({ type }: ProbeView, { to, needed }: Turn, begun: boolean): number {
  if (to === 'success') return 30;
  return begun ? (type === 'readiness' ? 20 : 10) + Math.min(9, needed) : 50;
}
