import type { Pod, Probe } from '../api/index.js';
import { setTerminationGracePeriod } from '../kubelet/containers/termination-grace-period.js';
import { probeOf } from '../kubelet/prober/probe-of.js';
import { INITIAL_VALUE, nextResultRun, thresholdOf } from '../kubelet/prober/result-run.js';
import {
  containerShouldRestart,
  findMatchingContainerRestartRule,
} from '../kubelet/restart-policy.js';
import type { RestartedBy, Result } from './event.js';
import {
  type ContainerView,
  crashDelay,
  currentRun,
  hasCompleted,
  lastEnd,
  type RunView,
} from './summary/container-view.js';
import type { ProbeView } from './summary/probe-view.js';
import type { PodSummary } from './summary/summary.js';

/** A container's phase of life and the kubelet's next action. Times are seconds since the trace began. */
export type ContainerForecast =
  /** The container has not started yet; `for` is the init container or sidecar that it waits for. */
  | { readonly kind: 'waiting'; readonly for: string | undefined }
  | { readonly kind: 'running'; readonly since: number; readonly hook: string | undefined }
  /** KILL comes at `killAt` if the container has not ended by then. */
  | { readonly kind: 'stopping'; readonly killAt: number; readonly restart: Restart }
  /** TERM follows preStop. */
  | { readonly kind: 'preStop'; readonly since: number }
  /** The kubelet acts on the end at its next relist. */
  | { readonly kind: 'ended'; readonly restart: Restart }
  | { readonly kind: 'backOff'; readonly until: number; readonly delay: number }
  /** The container is not restarted. */
  | { readonly kind: 'done'; readonly exitCode: number | undefined };

export function forecastContainer(pod: PodSummary, container: ContainerView): ContainerForecast {
  const { stopping, backOff, hook } = container;
  if (stopping !== undefined) {
    const killAt = stopping.since + stopping.gracePeriod;
    return { kind: 'stopping', killAt, restart: restartAfterStop(pod, container) };
  }
  if (hook?.name === 'preStop') return { kind: 'preStop', since: hook.since };
  const running = currentRun(container);
  if (running !== undefined) return { kind: 'running', since: running.startedAt, hook: hook?.name };
  if (backOff !== undefined) return { kind: 'backOff', ...backOff };
  const last = container.runs.at(-1);
  return last
    ? forecastEnded(pod, container, last)
    : { kind: 'waiting', for: awaitedContainer(pod, container) };
}

/** A restart that the user asked for looks to the kubelet like an exit. */
function restartAfterStop(pod: PodSummary, container: ContainerView): Restart {
  const since = container.stopping?.since ?? 0;
  const run = container.runs.at(-1);
  return run?.restartAskedAt === undefined
    ? restartAfterKill(pod.object, container, since)
    : restartAfterExit(pod.object, container, 143, since);
}

function forecastEnded(
  pod: PodSummary,
  container: ContainerView,
  { startError, exitCode: code, killed, endedAt = 0, restartedBy: by }: RunView,
): ContainerForecast {
  const exitCode = startError === undefined ? code : 128;
  const isOver = pod.phase === 'Failed' || pod.phase === 'Succeeded';
  // An init container that has completed is not restarted.
  const isDone = container.role === 'init' && exitCode === 0;
  if (isOver || isDone) return { kind: 'done', exitCode };
  const restart =
    killed === undefined
      ? restartAfterExit(pod.object, container, exitCode ?? 0, endedAt)
      : restartAfterKill(pod.object, container, endedAt);
  if (restart.kind === 'none') return { kind: 'done', exitCode };
  return { kind: 'ended', restart: by === undefined ? restart : { kind: 'byOther', by } };
}

/** Returns the init container or sidecar that has to come first. */
function awaitedContainer(
  { containers }: PodSummary,
  container: ContainerView,
): string | undefined {
  const before = containers.slice(0, containers.indexOf(container));
  return before.find(
    ({ role, state, started }) =>
      (role === 'init' && !hasCompleted(state)) || (role === 'sidecar' && !started),
  )?.name;
}

export type Restart =
  | { readonly kind: 'none' }
  | { readonly kind: 'atOnce' }
  | { readonly kind: 'byOther'; readonly by: RestartedBy }
  /** `delay` is the whole back-off in seconds. */
  | { readonly kind: 'after'; readonly at: number; readonly delay: number };

/**
 * Returns the restart after a kill at `t`. The same sync starts the container again, unless the previous run ended less
 * than the back-off ago; then the back-off counts from the end of the killed run.
 */
export function restartAfterKill(pod: Pod, container: ContainerView, t: number): Restart {
  const policy = container.spec.restartPolicy ?? pod.spec.restartPolicy;
  if (policy === 'Never' || isDeleted(pod)) return { kind: 'none' };
  const { planned = { lastEndedAt: lastEnd(container) }, crashLoop } = container;
  const before = planned.lastEndedAt;
  const isAtOnce = before === undefined || before + crashDelay(crashLoop, before) <= t;
  return isAtOnce ? { kind: 'atOnce' } : backedOff(container, t);
}

function restartAfterExit(
  pod: Pod,
  container: ContainerView,
  exitCode: number,
  t: number,
): Restart {
  const restarts = !isDeleted(pod) && containerShouldRestart(container.spec, pod.spec, exitCode);
  if (!restarts) return { kind: 'none' };
  // The kubelet removes all containers of the pod, and starts them without a back-off.
  const rule = findMatchingContainerRestartRule(container.spec, exitCode);
  return rule?.action === 'RestartAllContainers' ? { kind: 'atOnce' } : backedOff(container, t);
}

/** Returns the seconds from TERM to KILL after a failure of that probe. */
export function graceOfKill(
  pod: Pod,
  container: ContainerView,
  by: 'startup' | 'liveness',
): number {
  const reason = by === 'startup' ? 'StartupProbe' : 'LivenessProbe';
  return Math.max(2, setTerminationGracePeriod(pod, container.spec, reason));
}

function backedOff(container: ContainerView, ended: number): Restart {
  const delay = crashDelay(container.crashLoop, ended);
  return delay === 0 ? { kind: 'atOnce' } : { kind: 'after', at: ended + delay, delay };
}

function isDeleted({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** The next steps of a probe. Times are seconds since the trace began. */
export interface ProbeForecast {
  /** Undefined while something else must happen first. */
  readonly nextAttempt: number | undefined;
  /** The current result: failure for a readiness probe without one. */
  readonly current: Result;
  /** Empty where no attempt can change the result. */
  readonly pending: readonly PendingResult[];
}

/** A change of the result, which takes `needed` more equal results in a row. */
export interface PendingResult {
  readonly to: 'success' | 'failure';
  readonly needed: number;
  readonly threshold: number;
  /** The earliest time of the change; undefined while no attempt is due. */
  readonly earliest: number | undefined;
  /** The latest time, where a cluster's ticks are only known within a span: attempts may take their whole timeout. */
  readonly latest?: number;
}

export function forecastProbe(
  container: ContainerView,
  probe: ProbeView,
  now: number,
): ProbeForecast {
  const spec = probeOf(container.spec, probe.type);
  if (spec === undefined) return { nextAttempt: undefined, current: 'unknown', pending: [] };
  const ticks = ticksOf(probe, spec, now);
  const nextAttempt = nextAttemptOf(container, { ...probe, ...ticks }, spec);
  const current = currentResult(container, probe);
  const pending = possibleResults(probe, current).map((to): PendingResult => {
    const threshold = thresholdOf(spec, to);
    const needed = Math.max(1, threshold - nextResultRun(probe, to) + 1);
    const earliest = nthResult(probe, spec, nextAttempt, needed, now);
    if (earliest === undefined || ticks === undefined) return { to, needed, threshold, earliest };
    const slow = Math.max(spec.periodSeconds, to === 'failure' ? spec.timeoutSeconds : 0);
    const late = ticks.latestTick - ticks.nextTick + spec.timeoutSeconds;
    const latest = (nextAttempt ?? now) + late + (needed - 1) * slow;
    return { to, needed, threshold, earliest, latest };
  });
  return { nextAttempt, current, pending };
}

/** Returns the earliest and latest next tick of a cluster's worker, which reports no successes. */
function ticksOf(
  { nextTick, latestTick }: ProbeView,
  { periodSeconds, timeoutSeconds }: Probe,
  now: number,
): { readonly nextTick: number; readonly latestTick: number } | undefined {
  if (nextTick === undefined || latestTick === undefined) return undefined;
  if (latestTick - nextTick > periodSeconds - 0.01) {
    // The phase of the ticks is unknown.
    const latest = Math.max(latestTick, now + periodSeconds);
    return { nextTick: Math.max(now, nextTick), latestTick: latest };
  }
  // An attempt may still be in flight.
  const silent = Math.ceil((now - latestTick - timeoutSeconds) / periodSeconds);
  const passed = Math.max(0, silent) * periodSeconds;
  return { nextTick: Math.max(now, nextTick + passed), latestTick: latestTick + passed };
}

function currentResult(container: ContainerView, { type, set }: ProbeView): Result {
  if (set === undefined && type === 'startup' && container.started) return 'success';
  return set ?? INITIAL_VALUE[type];
}

function possibleResults(
  { type, state }: ProbeView,
  current: Result,
): readonly ('success' | 'failure')[] {
  if (state === 'stopped') return [];
  switch (type) {
    case 'startup':
      return current === 'unknown' ? ['success', 'failure'] : [];
    case 'readiness':
      return current === 'success' ? ['failure'] : ['success'];
    case 'liveness':
      return current === 'success' ? ['failure'] : [];
  }
}

/** Returns the time of the next attempt by doProbe's rules (pkg/kubelet/prober/worker.go). */
function nextAttemptOf(
  container: ContainerView,
  probe: ProbeView,
  spec: Probe,
): number | undefined {
  const { state, nextTick, until, inFlight } = probe;
  if (inFlight !== undefined) return inFlight.startedAt;
  const run = currentRun(container);
  if (run === undefined || nextTick === undefined) return undefined;
  switch (state) {
    case 'probing':
      return nextTick;
    case 'initialDelay':
      return firstTick(nextTick, spec, until ?? run.startedAt + spec.initialDelaySeconds);
    case 'awaitingStartup':
      return container.started ? nextTick : undefined;
    case 'stopped':
    case undefined:
      return undefined;
    default:
      return afterNewRun(container, probe, spec, nextTick);
  }
}

/** Handles a run that began after the worker's last tick: the first tick after its status makes an attempt. */
function afterNewRun(
  container: ContainerView,
  probe: ProbeView,
  spec: Probe,
  nextTick: number,
): number | undefined {
  const run = currentRun(container);
  const running = container.states.findLast(({ state }) => state.kind === 'running');
  if (run === undefined || container.state.kind !== 'running' || running === undefined)
    return undefined;
  const isIdle = probe.state === 'onHold' || probe.state === 'started';
  if (isIdle && (probe.stateSince ?? 0) >= run.startedAt) return undefined;
  const awaits = container.spec.startupProbe !== undefined && !container.started;
  if (awaits && probe.type !== 'startup') return undefined;
  return firstTick(nextTick, spec, Math.max(running.t, run.startedAt + spec.initialDelaySeconds));
}

/** Returns the first tick that is not before `from`. */
function firstTick(nextTick: number, { periodSeconds }: Probe, from: number): number {
  if (nextTick >= from) return nextTick;
  return nextTick + Math.ceil((from - nextTick) / periodSeconds) * periodSeconds;
}

/** Returns the earliest time of the n-th result, as if attempts took no time and one in flight ended now. */
function nthResult(
  { inFlight, nextTick }: ProbeView,
  spec: Probe,
  nextAttempt: number | undefined,
  n: number,
  now: number,
): number | undefined {
  if (nextAttempt === undefined) return undefined;
  if (inFlight === undefined) return nextAttempt + (n - 1) * spec.periodSeconds;
  if (n === 1) return now;
  // `nextTick` may still be the tick that began the attempt in flight.
  const after = nextTick === undefined || nextTick <= inFlight.startedAt;
  const next = after ? inFlight.startedAt + spec.periodSeconds : nextTick;
  return firstTick(next, spec, now) + (n - 2) * spec.periodSeconds;
}
