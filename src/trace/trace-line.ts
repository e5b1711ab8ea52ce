import type { Event } from './event.js';

/** An event with its time. All times are seconds since the trace began. */
export type TraceLine = { readonly t: number } & Event;

export type LineOf<Kind extends TraceLine['kind']> = Extract<TraceLine, { kind: Kind }>;

/** Seconds of the longest run that is simulated or read from a trace: a year. */
export const LONGEST_RUN = 365 * 24 * 3600;

const TIMES = ['at', 'firstAt', 'nextTick', 'latestTick', 'until'] as const;

/** Returns an event's line, with the clock's milliseconds turned into seconds since `origin`. */
export function toTraceLine(event: Event, now: number, origin: number): TraceLine {
  const line = { t: secondsSince(origin, now), ...event };
  const times = line as Partial<Record<(typeof TIMES)[number], number>>;
  for (const name of TIMES) {
    if (times[name] !== undefined) times[name] = secondsSince(origin, times[name]);
  }
  switch (line.kind) {
    case 'attemptDone':
      return { ...line, latency: Math.round(line.latency * 1000) / 1000 };
    case 'backOff':
      return { ...line, delay: line.delay / 1000 };
    default:
      return line;
  }
}

/** Seconds, to the millisecond. */
function secondsSince(origin: number, time: number): number {
  return Math.trunc(time - origin) / 1000;
}

/** Moves lines from before a rollout to 0, where a trace begins. */
export function fromZero(line: TraceLine): TraceLine {
  return line.t < 0 ? { ...line, t: 0 } : line;
}
