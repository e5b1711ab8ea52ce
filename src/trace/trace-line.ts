import type { Event } from '../kubelet/event.js';

/** A line of a trace: an event, and when it happened. All its times are seconds since the trace began. */
export type TraceLine = { readonly t: number } & Event;

/** An event with the clock's milliseconds turned into seconds since `origin`. */
export function toTraceLine(event: Event, now: number, origin: number): TraceLine {
  const seconds = (time: number): number => Math.trunc(time - origin) / 1000;
  const t = seconds(now);
  switch (event.kind) {
    case 'worker': {
      const { nextTick, until } = event;
      return {
        t,
        ...event,
        ...(nextTick === undefined ? {} : { nextTick: seconds(nextTick) }),
        ...(until === undefined ? {} : { until: seconds(until) }),
      };
    }
    case 'attemptDone':
      return { t, ...event, latency: round(event.latency), nextTick: seconds(event.nextTick) };
    case 'backOff':
      return { t, ...event, until: seconds(event.until), delay: event.delay / 1000 };
    default:
      return { t, ...event };
  }
}

/** Milliseconds, to the microsecond. */
function round(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
