import { timeQuote } from './quote.js';

const NANOSECONDS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/** Go counts the nanoseconds in 64 bits, which are 292 years. */
const MAX_NANOSECONDS = 2n ** 63n;
const TERM = /^(\d*)(?:\.(\d*))?([^.\d]*)/;

/** The milliseconds of a Go duration such as `1.5s` or `1m30s`, or undefined when it is not one. */
export function parseDuration(text: string): number | undefined {
  const nanoseconds = parseNanoseconds(text);
  return typeof nanoseconds === 'string' ? undefined : Number(nanoseconds) / 1e6;
}

/** The error of time.ParseDuration, or undefined for a duration. */
export function durationError(text: string): string | undefined {
  const nanoseconds = parseNanoseconds(text);
  return typeof nanoseconds === 'string' ? nanoseconds : undefined;
}

/** Ports ParseDuration (Go's time/format.go); a string is the error. */
function parseNanoseconds(text: string): bigint | string {
  const isNegative = text.startsWith('-');
  const invalid = `time: invalid duration ${timeQuote(text)}`;
  let rest = text.replace(/^[-+]/, '');
  if (rest === '0') return 0n;
  if (rest === '') return invalid;
  let total = 0n;
  while (rest !== '') {
    const [term = '', whole = '', fraction = '', unit = ''] = TERM.exec(rest) ?? [];
    if ((whole === '' && fraction === '') || BigInt(whole || 0) > MAX_NANOSECONDS) return invalid;
    if (unit === '') return `time: missing unit in duration ${timeQuote(text)}`;
    const scale = Object.hasOwn(NANOSECONDS, unit) ? NANOSECONDS[unit] : undefined;
    if (scale === undefined) {
      return `time: unknown unit ${timeQuote(unit)} in duration ${timeQuote(text)}`;
    }
    const part = (BigInt(fraction || 0) * scale) / 10n ** BigInt(fraction.length);
    total += BigInt(whole || 0) * scale + part;
    if (total > MAX_NANOSECONDS) return invalid;
    rest = rest.slice(term.length);
  }
  if (total === MAX_NANOSECONDS && !isNegative) return invalid;
  return isNegative ? -total : total;
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
