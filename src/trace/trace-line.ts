import type { Event } from '../kubelet/event.js';

/** An event with its time. All times are seconds since the trace began. */
export type TraceLine = { readonly t: number } & Event;

/** Returns an event's line, with the clock's milliseconds turned into seconds since `origin`. */
export function toTraceLine(event: Event, now: number, origin: number): TraceLine {
  const t = secondsSince(origin, now);
  switch (event.kind) {
    case 'attemptDone': {
      const { latency, nextTick } = event;
      const times = {
        latency: roundMilliseconds(latency),
        nextTick: secondsSince(origin, nextTick),
      };
      return { t, ...event, ...times };
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

/** Seconds, to the millisecond. */
function secondsSince(origin: number, time: number): number {
  return Math.trunc(time - origin) / 1000;
}

/** Milliseconds, to the microsecond. */
function roundMilliseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
