const MILLISECONDS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** Milliseconds: Go counts the nanoseconds in 64 bits, which are 292 years. */
const LONGEST = 2 ** 63 / 1e6;

/**
 * The milliseconds of a Go duration such as `1.5s` or `1m30s`, or undefined when it is not one. Ports
 * time.ParseDuration.
 */
export function parseDuration(text: string): number | undefined {
  const unsigned = text.replace(/^[-+]/, '');
  const sign = text.startsWith('-') ? -1 : 1;
  if (unsigned === '0') return 0;
  const part = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/gy;
  let total = 0;
  let end = 0;
  for (let match = part.exec(unsigned); match; match = part.exec(unsigned)) {
    total += Number(match[1]) * (MILLISECONDS[match[2] ?? ''] ?? NaN);
    end = part.lastIndex;
  }
  const isWhole = end > 0 && end === unsigned.length;
  return isWhole && total <= LONGEST ? sign * total : undefined;
}

/** Milliseconds as Go writes them: `1m20s`, `1.5s`, `207ms`, `12.5µs`, `0s`. Ports Duration.String. */
export function formatDuration(milliseconds: number): string {
  const nanoseconds = Math.round(Math.abs(milliseconds) * 1e6);
  const sign = milliseconds < 0 && nanoseconds > 0 ? '-' : '';
  if (nanoseconds === 0) return '0s';
  if (nanoseconds < 1000) return `${sign}${nanoseconds}ns`;
  if (nanoseconds < 1e6) return `${sign}${nanoseconds / 1000}µs`;
  if (nanoseconds < 1e9) return `${sign}${nanoseconds / 1e6}ms`;
  const wholeSeconds = Math.floor(nanoseconds / 1e9);
  const fraction = (nanoseconds % 1e9).toString().padStart(9, '0').replace(/0+$/, '');
  const hours = Math.floor(wholeSeconds / 3600);
  const minutes = Math.floor((wholeSeconds % 3600) / 60);
  const seconds = `${wholeSeconds % 60}${fraction === '' ? '' : `.${fraction}`}s`;
  if (hours > 0) return `${sign}${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${sign}${minutes}m${seconds}` : `${sign}${seconds}`;
}
