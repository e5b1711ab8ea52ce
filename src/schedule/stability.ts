import type { Probe } from '../api/index.js';
import { probeOf } from '../kubelet/prober/probe-of.js';
import { BACK_OFF_EXPIRES, DEFAULT_BEHAVIOR } from '../kubelet/release.js';
import { isPodReady } from '../trace/summary/condition-view.js';
import { backOffDelay, type ContainerView, currentRun } from '../trace/summary/container-view.js';
import { type ProbeView, verdictOfAttempt } from '../trace/summary/probe-view.js';
import type { PodSummary, Summary } from '../trace/summary/summary.js';
import { notReadyText } from '../trace/summary/verdict.js';
import { RELIST } from './probe-times.js';

/**
 * The time until pods are stable: ready for longer than any decision needs about a fault that was there from the
 * start. Times are seconds since the trace began.
 */
export interface Stability {
  /** The earliest time at which they are stable, if nothing goes wrong. */
  readonly at: number;
  /** A sentence about what is missing; undefined when they are stable. */
  readonly missing: string | undefined;
  /** True where something else has to happen first, from which the time counts. */
  readonly isBlocked: boolean;
}

interface Wait {
  readonly at: number;
  readonly missing: string;
  /** True where time alone does not end it. */
  readonly isBlocked?: boolean;
}

export function stabilityOf(summary: Summary, now: number): Stability {
  const { pods, workloads } = summary;
  const rollouts = workloads.filter(({ done }) => !done).map(({ sentence }) => sentence);
  const blocked = pods.length === 0 ? ['there is no pod'] : rollouts;
  const waits: readonly Wait[] = [
    ...blocked.map((missing) => ({ at: now, missing, isBlocked: true })),
    ...pods.filter(mustBeStable).flatMap((pod) => podWaits(pod, now)),
  ];
  const at = Math.max(now, ...waits.map((wait) => wait.at));
  const open =
    waits.find(({ isBlocked }) => isBlocked) ??
    waits.find((wait) => wait.at > now && wait.at === at);
  return { at, missing: open?.missing, isBlocked: open?.isBlocked === true };
}

/** Reports whether a pod has to be stable: it has not succeeded and is not being deleted. */
function mustBeStable({ deletedAt, object, phase }: PodSummary): boolean {
  const isEnding = deletedAt !== undefined || object.metadata.deletionTimestamp !== undefined;
  return !isEnding && phase !== 'Succeeded';
}

function podWaits(pod: PodSummary, now: number): Wait[] {
  const { key, readiness, containers } = pod;
  const isReady = isPodReady(pod);
  // For a pod that is not ready, the time counts from now.
  const readyAt = isReady ? Math.max(0, readiness.at(-1)?.t ?? 0) : now;
  const waits = containers
    .filter(({ role, state }) => role !== 'init' && state.kind !== 'terminated')
    .flatMap((container) => containerWaits(key, container, readyAt, now));
  if (isReady) return waits;
  const missing = notReadyText(pod);
  return [{ at: now, missing, isBlocked: true }, ...waits];
}

function containerWaits(
  key: string,
  container: ContainerView,
  readyAt: number,
  now: number,
): readonly Wait[] {
  const { name, spec, probes } = container;
  // What happened before the watch was not seen.
  const start = Math.max(0, currentRun(container)?.startedAt ?? now);
  const started = spec.startupProbe === undefined ? start : (startedSince(container) ?? now);
  const wasKilled = container.runs.at(-2)?.killReason !== undefined;
  const end = wasKilled ? 'be killed again' : 'crash';
  const waitOf = (type: 'liveness' | 'readiness', effect: string): readonly Wait[] => {
    const probe = probeOf(spec, type);
    if (probe === undefined) return [];
    const begin = Math.max(start + probe.initialDelaySeconds, started);
    const from = type === 'readiness' ? Math.max(begin, readyAt) : begin;
    const failed = lastFailure(probes.find((each) => each.type === type));
    const at = Math.max(from, failed) + timeToDecide(probe);
    return [{ at, missing: `${key}: the ${type} probe of ${name} could still ${effect}` }];
  };
  return [
    ...waitOf('liveness', 'restart it'),
    ...waitOf('readiness', 'take it out of service'),
    { at: start + timeToCrash(container), missing: `${key}: ${name} could still ${end}` },
  ];
}

/**
 * Returns seconds from a fault to the failure that counts: a tick comes within a period, and each attempt may take its
 * timeout.
 */
function timeToDecide({ periodSeconds, timeoutSeconds, failureThreshold }: Probe): number {
  const slow = Math.max(periodSeconds, timeoutSeconds);
  return periodSeconds + (failureThreshold - 1) * slow + timeoutSeconds + RELIST;
}

/** Seconds of the first back-off. */
const FIRST_DELAY = backOffDelay(DEFAULT_BEHAVIOR.crashLoopBackOff, 0);

/**
 * Returns seconds that a run must last: the first back-off, and longer than the previous runs, as far as the kubelet
 * remembers.
 */
function timeToCrash({ runs }: ContainerView): number {
  const lives = runs
    .slice(0, -1)
    .filter(({ restartAskedAt }) => restartAskedAt === undefined)
    .map(({ startedAt = 0, endedAt = startedAt }) => endedAt - startedAt);
  return Math.min(Math.max(FIRST_DELAY, ...lives.map((life) => life + RELIST)), BACK_OFF_EXPIRES);
}

/** Returns the time since when the startup probe has succeeded; undefined before. */
function startedSince({ states, started }: ContainerView): number | undefined {
  if (!started) return undefined;
  return states[states.findLastIndex((state) => !state.started) + 1]?.t;
}

function lastFailure(probe: ProbeView | undefined): number {
  const failed = probe?.attempts.findLast((attempt) => verdictOfAttempt(attempt) === 'failure');
  return failed?.endedAt ?? 0;
}

/** Returns the number of restarts of a pod's containers, and the seconds since the first known run; 0 when unknown. */
export function restartsOf({ containers }: PodSummary, now: number) {
  const all = containers.filter(({ role }) => role !== 'init');
  const count = all.reduce((sum, { restartCount }) => sum + restartCount, 0);
  const starts = all.flatMap(({ runs }) => (runs.length > 1 ? (runs[0]?.startedAt ?? now) : now));
  return { count, seconds: now - Math.min(now, ...starts) };
}
