import type { Probe } from '../../api/index.js';
import type { Result } from '../../kubelet/event.js';
import { probeOf } from '../../kubelet/prober/probe-of.js';
import { type ContainerView, currentRun } from '../summary/container-view.js';
import type { ProbeView } from '../summary/probe-view.js';

/** What a probe comes to next, if it does. Times are seconds since the trace began. */
export interface ProbeForecast {
  /** When the next attempt begins; undefined while something else has to happen first. */
  readonly nextAttempt: number | undefined;
  /** What holds for the container now: a readiness probe that nothing is known of stands at failure. */
  readonly stands: Result;
  /** What can change it; empty while the probe rests. */
  readonly turns: readonly Turn[];
}

/** So many more of the same result in a row change what stands. */
export interface Turn {
  readonly to: 'success' | 'failure';
  readonly needed: number;
  readonly threshold: number;
  /** When the last of them can come at the earliest; undefined while no attempt is due. */
  readonly earliest: number | undefined;
}

export function forecastProbe(
  container: ContainerView,
  probe: ProbeView,
  now: number,
): ProbeForecast {
  const spec = probeOf(container.spec, probe.type);
  if (spec === undefined) return { nextAttempt: undefined, stands: 'unknown', turns: [] };
  const nextAttempt = nextAttemptOf(container, probe, spec);
  const stands = standing(container, probe);
  const turns = turnsOf(probe, stands).map((to): Turn => {
    const threshold = to === 'success' ? spec.successThreshold : spec.failureThreshold;
    const same = probe.lastResult === to ? probe.resultRun : 0;
    const needed = Math.max(1, threshold - same);
    return { to, needed, threshold, earliest: nthResult(probe, spec, nextAttempt, needed, now) };
  });
  return { nextAttempt, stands, turns };
}

function standing(container: ContainerView, { type, set }: ProbeView): Result {
  switch (type) {
    case 'startup':
      return set ?? (container.started ? 'success' : 'unknown');
    case 'readiness':
      return set ?? 'failure';
    case 'liveness':
      return set ?? 'success';
  }
}

function turnsOf({ type, state }: ProbeView, stands: Result): readonly ('success' | 'failure')[] {
  if (state === 'stopped') return [];
  switch (type) {
    case 'startup':
      return stands === 'unknown' ? ['success', 'failure'] : [];
    case 'readiness':
      return stands === 'success' ? ['failure'] : ['success'];
    case 'liveness':
      return stands === 'success' ? ['failure'] : [];
  }
}

/** When the worker's next look comes to an attempt. Ports what doProbe decides (pkg/kubelet/prober/worker.go). */
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
    case 'onHold':
    case 'started':
    case 'noStatus':
    case 'noContainer':
    case 'notRunning':
      return afterNewRun(container, probe, spec, nextTick);
    default:
      return undefined;
  }
}

/** The worker has not looked since the run began: its next tick finds it, once the status shows it running. */
function afterNewRun(
  container: ContainerView,
  probe: ProbeView,
  spec: Probe,
  nextTick: number,
): number | undefined {
  const run = currentRun(container);
  const shown = container.states.findLast(({ state }) => state === 'running');
  if (run === undefined || container.state !== 'running' || shown === undefined) return undefined;
  const rests = probe.state === 'onHold' || probe.state === 'started';
  if (rests && (probe.stateSince ?? 0) >= run.startedAt) return undefined;
  const awaits = container.spec.startupProbe !== undefined && !container.started;
  if (awaits && probe.type !== 'startup') return undefined;
  return firstTick(nextTick, spec, Math.max(shown.t, run.startedAt + spec.initialDelaySeconds));
}

/** The first tick that is not before `from`. */
function firstTick(nextTick: number, { periodSeconds }: Probe, from: number): number {
  if (nextTick >= from) return nextTick;
  return nextTick + Math.ceil((from - nextTick) / periodSeconds) * periodSeconds;
}

/** When the n-th result from now can be there: each attempt takes no time, and the one under way ends now. */
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
  // The tick that began the attempt under way has passed.
  const after = nextTick === undefined || nextTick <= inFlight.startedAt;
  const next = after ? inFlight.startedAt + spec.periodSeconds : nextTick;
  return firstTick(next, spec, now) + (n - 2) * spec.periodSeconds;
}
