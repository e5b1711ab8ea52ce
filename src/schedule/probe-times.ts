import type { Probe } from '../api/index.js';
import { formatRange } from '../text/duration.js';
import type { ProbeType } from '../trace/event.js';

/** Seconds, earliest and latest. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export const NEVER: Span = { from: Infinity, to: Infinity };

/** Seconds between the PLEG's relists: the kubelet may see a start or an end this much later. */
export const RELIST = 1;
/** The kubelet truncates start times to seconds, so a container may be this much younger. */
const START_PRECISION = 1;
/** Seconds without a sync after which the pod is synced again. */
const RESYNC = 60;

/** The times that follow from a probe's settings, if attempts before a change took less than a period. */
interface ProbeTimes {
  /** Seconds from the container's start to the first attempt by a tick. */
  readonly firstAttempt: Span;
  /** Seconds from the change after which attempts fail at once to the result. */
  readonly failsFast: Span;
  /** Seconds from the change after which attempts time out to the result. */
  readonly hangs: Span;
  /** Seconds from the change after which attempts succeed at once to the result. */
  readonly recovers: Span;
  /** Seconds from the container's start to the failure, if no attempt ever succeeds. */
  readonly neverSucceeds: Span;
}

/** Returns the seconds from the container's start within which a startup probe has to succeed. */
export function startupBudget(probe: Probe): number {
  return probe.initialDelaySeconds + probe.periodSeconds * probe.failureThreshold;
}

/**
 * Ticks keep their phase, so the first attempt after a change comes up to a period later, and the n-th n - 1 periods
 * after it, or when the previous one has ended. Every sync also triggers readiness workers without a success, and
 * restarts their period.
 */
export function probeTimes(probe: Probe): ProbeTimes {
  const {
    initialDelaySeconds: delay,
    periodSeconds: period,
    timeoutSeconds: timeout,
    failureThreshold,
    successThreshold,
  } = probe;
  const slow = Math.max(period, timeout);
  // The kubelet makes no attempt before it has seen the start.
  const firstAttempt = { from: soonestAttempt(delay), to: Math.max(delay, RELIST) + period };
  return {
    firstAttempt,
    failsFast: row(failureThreshold, period, 0, period),
    // The attempt in flight may have begun a timeout ago.
    hangs: { ...row(failureThreshold, slow, timeout, period), from: (failureThreshold - 1) * slow },
    recovers: {
      from: soonestRow(successThreshold, period),
      to: row(successThreshold, period, 0, period).to,
    },
    neverSucceeds: {
      from: firstAttempt.from + (failureThreshold - 1) * period,
      to: firstAttempt.to + (failureThreshold - 1) * slow + timeout,
    },
  };
}

/** Returns the earliest end of an initial delay. */
export function soonestAttempt(delay: number): number {
  return Math.max(0, delay - START_PRECISION);
}

function row(count: number, interval: number, last: number, phase: number): Span {
  const rest = (count - 1) * interval + last;
  return { from: rest, to: rest + phase };
}

/** Returns when the sync acts on a result: a pod that was just synced waits for the next relist. */
export function syncTimes({ from, to }: Span): Span {
  return { from, to: to + RELIST };
}

/**
 * Returns the least time from the first to the last of `count` readiness attempts, when syncs trigger as many of them as
 * possible; `more` syncs come with a start.
 */
export function soonestRow(count: number, period: number, more = 0): number {
  const syncs = 1 + more + Math.floor(((count - 1) * period) / RESYNC);
  return Math.max(0, count - 1 - syncs) * period;
}

/** Reports whether the probe only connects, which also succeeds for a hanging app: the kernel accepts. */
export function isTCP({ exec, httpGet, tcpSocket }: Probe): boolean {
  return exec === undefined && httpGet === undefined && tcpSocket !== undefined;
}

/** The time of an event, counted from another one, with the reason. */
export interface Moment {
  /** Name of the event: `first attempt`, `killed`. */
  readonly topic: string;
  /** Seconds; Infinity when it may never happen. */
  readonly span: Span;
  /** The event from which the span counts: `its start`. */
  readonly since: string;
  readonly reason: string;
  /** Paths of the fields that determine it, in the container or, from `spec.` on, in the pod. */
  readonly fields: readonly string[];
}

export function probeFields(type: ProbeType, ...names: readonly (keyof Probe)[]): string[] {
  return names.map((name) => `${type}Probe.${name}`);
}

/** `20 – 31 s after its start` */
export function spanText({ span, since }: Pick<Moment, 'span' | 'since'>): string {
  if (span.from === Infinity) return 'never';
  return `${formatRange(span)} after ${since}`;
}

export function plus(a: Span, b: Span): Span {
  return { from: a.from + b.from, to: a.to + b.to };
}

/** Returns the time of the last of several events; the start of all without any. */
export function lastOf(spans: readonly Span[]): Span {
  return {
    from: Math.max(0, ...spans.map(({ from }) => from)),
    to: Math.max(0, ...spans.map(({ to }) => to)),
  };
}
