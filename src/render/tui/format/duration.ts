/** A span since something, as kubectl tells ages: `4s`, `3m12s`, `2h5m`. Ports HumanDuration (apimachinery/pkg/util/duration). */
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

/** A span until something: `now`, `3.2 s`, `42 s`, `1m12s`. It is never shorter than what is left. */
export function countdown(seconds: number): string {
  if (seconds <= 0) return 'now';
  if (seconds < 9.95) return `${(Math.ceil(seconds * 10) / 10).toFixed(1)} s`;
  const s = Math.ceil(seconds);
  if (s < 100) return `${s} s`;
  const [hours, minutes] = [Math.floor(s / 3600), Math.floor((s % 3600) / 60)];
  return hours > 0 ? `${hours}h${minutes}m` : `${minutes}m${s % 60}s`;
}

/** When something comes: `now`, `in 3.2 s`. */
export function inTime(seconds: number): string {
  return seconds <= 0 ? 'now' : `in ${countdown(seconds)}`;
}
