/** A time in the trace as a column: `   12.345s`. */
export function clockColumn(seconds: number): string {
  return `${seconds.toFixed(3).padStart(9)}s`;
}

/** A span for people: `7 ms`, `4.2 s`, `1m12s`, `2h5m`. */
export function span(seconds: number): string {
  if (seconds < 0.9995) return `${Math.max(0, Math.round(seconds * 1000))} ms`;
  if (seconds < 99.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  return hours > 0 ? `${hours}h${minutes}m` : `${minutes}m${whole % 60}s`;
}
