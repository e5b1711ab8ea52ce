import type { Event } from '../kubelet/event.js';

/** A line of a trace: an event, and when it happened. All its times are seconds since the trace began. */
export type TraceLine = { readonly t: number } & Event;

/** An event with the clock's milliseconds turned into seconds since `origin`. */
export function toTraceLine(event: Event, now: number, origin: number): TraceLine {
  const t = secondsSince(origin, now);
  switch (event.kind) {
    case 'attempt':
      return attemptLine(event, t);
    case 'attemptDone':
      return attemptDoneLine(event, t, secondsSince(origin, event.nextTick));
    case 'exec': {
      const { kind, pod, container, run, command } = event;
      return { t, kind, pod, container, run, command };
    }
    case 'execDone': {
      if (!('exit' in event)) return { t, ...event };
      const { kind, pod, container, run, command, exit } = event;
      return { t, kind, pod, container, run, command, exit };
    }
    case 'worker': {
      const { nextTick, until } = event;
      return {
        t,
        ...event,
        ...(nextTick === undefined ? {} : { nextTick: secondsSince(origin, nextTick) }),
        ...(until === undefined ? {} : { until: secondsSince(origin, until) }),
      };
    }
    case 'backOff':
      return { t, ...event, until: secondsSince(origin, event.until), delay: event.delay / 1000 };
    default:
      return { t, ...event };
  }
}

type Line<Kind> = Extract<Event, { kind: Kind }>;
type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/*
 * Nearly all lines are about attempts: spreading their events would take more time than all else that is done about them.
 */

function attemptLine(event: Line<'attempt'>, t: number): TraceLine {
  const { kind, pod, container, probe, attempt, containerID, trigger } = event;
  const line = { t, kind, pod, container, probe, attempt, containerID };
  return trigger === undefined ? line : { ...line, trigger };
}

function attemptDoneLine(event: Line<'attemptDone'>, t: number, nextTick: number): TraceLine {
  const line: { t: number } & Writable<Line<'attemptDone'>> = {
    t,
    kind: event.kind,
    pod: event.pod,
    container: event.container,
    probe: event.probe,
    attempt: event.attempt,
    containerID: event.containerID,
    result: event.result,
    output: event.output,
    tries: event.tries,
    latency: roundMilliseconds(event.latency),
    lastResult: event.lastResult,
    resultRun: event.resultRun,
    threshold: event.threshold,
    nextTick,
  };
  if (event.error !== undefined) line.error = event.error;
  if (event.set !== undefined) line.set = event.set;
  if (event.detail !== undefined) line.detail = event.detail;
  return line;
}

/** Seconds, to the millisecond. */
export function secondsSince(origin: number, time: number): number {
  return Math.trunc(time - origin) / 1000;
}

/** Milliseconds, to the microsecond. */
export function roundMilliseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
