import { timeQuote } from './go-text.js';

/** What each unit of a Go duration counts, in nanoseconds. */
const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const MOST = 2n ** 63n;
const TERM = /^(\d*)(?:\.(\d*))?([^.\d]*)/;

/** What is wrong with a duration such as `1h30m`, or undefined. Ports ParseDuration (Go's time/format.go). */
export function durationError(text: string): string | undefined {
  const isNegative = text.startsWith('-');
  const invalid = `time: invalid duration ${timeQuote(text)}`;
  let rest = text.replace(/^[-+]/, '');
  if (rest === '0') return undefined;
  if (rest === '') return invalid;
  let total = 0n;
  while (rest !== '') {
    const [term = '', whole = '', fraction = '', unit = ''] = TERM.exec(rest) ?? [];
    if ((whole === '' && fraction === '') || BigInt(whole || 0) > MOST) return invalid;
    if (unit === '') return `time: missing unit in duration ${timeQuote(text)}`;
    const scale = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
    if (scale === undefined) {
      return `time: unknown unit ${timeQuote(unit)} in duration ${timeQuote(text)}`;
    }
    total += BigInt(whole || 0) * scale + partOf(fraction, scale);
    if (total > MOST) return invalid;
    rest = rest.slice(term.length);
  }
  return total === MOST && !isNegative ? invalid : undefined;
}

function partOf(fraction: string, scale: bigint): bigint {
  return (BigInt(fraction || 0) * scale) / 10n ** BigInt(fraction.length);
}
