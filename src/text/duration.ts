/** A time in the trace as a column: `   12.345s`. */
export function clockColumn(seconds: number): string {
  return `${seconds.toFixed(3).padStart(9)}s`;
}

/** `7 ms`, `4.2 s`, `1m12s`, `2h5m` */
export function formatSeconds(seconds: number): string {
  if (seconds < 0.9995) return `${Math.max(0, Math.round(seconds * 1000))} ms`;
  return seconds < 99.95 ? `${seconds.toFixed(1)} s` : hoursMinutes(Math.round(seconds));
}

/** One decimal at any length, for columns: `431.0 s`; `–` where there is none. */
export function secondsOrDash(seconds: number | undefined): string {
  return seconds === undefined ? '–' : `${seconds.toFixed(1)} s`;
}

/** The latency of an attempt: `0.4 ms`, `12 ms`, `1.2 s`, `31 s`. */
export function formatLatency(milliseconds: number): string {
  if (milliseconds < 9.95) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  return seconds < 9.95 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`;
}

/** A range of seconds; Infinity where something may never happen. */
interface SecondsRange {
  readonly from: number;
  readonly to: number;
}

/** `20 – 31 s`, `2 s`, `at least 5 s` */
export function formatRange({ from, to }: SecondsRange): string {
  const rounded = (seconds: number): string => String(Math.round(seconds * 1000) / 1000);
  if (to === Infinity) return `at least ${rounded(from)} s`;
  return from === to ? `${rounded(from)} s` : `${rounded(from)} – ${rounded(to)} s`;
}

/** Time since something, as kubectl prints ages: `4s`, `3m12s`, `2h5m`. Ports HumanDuration (apimachinery/pkg/util/duration). */
export function age(seconds: number): string {
  const s = Math.max(0, Math.floor(seconds));
  if (s < 120) return `${s}s`;
  const minutes = Math.floor(s / 60);
  if (minutes < 10) return s % 60 === 0 ? `${minutes}m` : `${minutes}m${s % 60}s`;
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return minutes % 60 === 0 ? `${hours}h` : `${hours}h${minutes % 60}m`;
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  return days < 8 && hours % 24 !== 0 ? `${days}d${hours % 24}h` : `${days}d`;
}

/** Formats time that is left: `now`, `3.2 s`, `42 s`, `1m12s`; never too short. */
export function countdown(seconds: number): string {
  if (seconds <= 0) return 'now';
  if (seconds < 9.95) return `${(Math.ceil(seconds * 10) / 10).toFixed(1)} s`;
  const s = Math.ceil(seconds);
  return s < 100 ? `${s} s` : hoursMinutes(s);
}

/** `now`, `in 3.2 s` */
export function inSeconds(seconds: number): string {
  return seconds <= 0 ? 'now' : `in ${countdown(seconds)}`;
}

/** `in 3.2 – 24 s`, `within 12 s`, `now` */
export function inRange(from: number, to: number): string {
  if (from <= 0) return to <= 0 ? 'now' : `within ${countdown(to)}`;
  const [first, last] = [countdown(from), countdown(to)];
  return first === last
    ? `in ${last}`
    : `in ${last.endsWith(' s') ? first.replace(/ s$/, '') : first} – ${last}`;
}

/** A whole number of seconds: `1m12s`, `2h5m`. */
function hoursMinutes(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return hours > 0 ? `${hours}h${minutes}m` : `${minutes}m${seconds % 60}s`;
}
