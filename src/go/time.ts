import { timeQuote } from './quote.js';

/** A piece of RFC 3339's layout: what it takes of a text, and the most that its number may be. */
interface Element {
  readonly layout: string;
  readonly pattern: RegExp;
  readonly range?: readonly [name: string, min: number, max: number];
}

const ELEMENTS: readonly Element[] = [
  { layout: '2006', pattern: /^\d{4}/ },
  { layout: '-', pattern: /^-/ },
  { layout: '01', pattern: /^\d\d/, range: ['month', 1, 12] },
  { layout: '-', pattern: /^-/ },
  { layout: '02', pattern: /^\d\d/ },
  { layout: 'T', pattern: /^T/ },
  { layout: '15', pattern: /^\d\d?/, range: ['hour', 0, 23] },
  { layout: ':', pattern: /^:/ },
  { layout: '04', pattern: /^\d\d/, range: ['minute', 0, 59] },
  { layout: ':', pattern: /^:/ },
  { layout: '05', pattern: /^\d\d(?:[.,]\d+)?/, range: ['second', 0, 59] },
  { layout: 'Z07:00', pattern: /^(?:Z|[-+]\d\d:\d\d)/ },
];
const MAX_OFFSET_HOUR = 24;
const MAX_OFFSET_MINUTE = 60;

/** Returns the error of time.Parse for a text that is not a time of RFC 3339, or undefined. Ports parse (Go's time/format.go). */
export function timeError(text: string): string | undefined {
  const quoted = timeQuote(text);
  const found: string[] = [];
  let rest = text;
  for (const { layout, pattern, range } of ELEMENTS) {
    const matched = pattern.exec(rest)?.[0];
    if (matched === undefined) {
      return `parsing time ${quoted} as "2006-01-02T15:04:05Z07:00": cannot parse ${timeQuote(rest)} as ${timeQuote(layout)}`;
    }
    const outside = range === undefined ? zoneOutside(layout, matched) : outsideOf(range, matched);
    if (outside !== undefined) return `parsing time ${quoted}: ${outside} out of range`;
    found.push(matched);
    rest = rest.slice(matched.length);
  }
  if (rest !== '') return `parsing time ${quoted}: extra text: ${timeQuote(rest)}`;
  const [year, , month, , day] = found.map(Number);
  const isDay = day !== undefined && day >= 1 && day <= daysIn(month ?? 1, year ?? 0);
  return isDay ? undefined : `parsing time ${quoted}: day out of range`;
}

function outsideOf([name, min, max]: NonNullable<Element['range']>, text: string) {
  const number = Number.parseInt(text, 10);
  return number < min || number > max ? name : undefined;
}

function zoneOutside(layout: string, text: string): string | undefined {
  if (layout !== 'Z07:00' || text === 'Z') return undefined;
  // Go reports the last of several errors.
  if (Number(text.slice(4)) > MAX_OFFSET_MINUTE) return 'time zone offset minute';
  return Number(text.slice(1, 3)) > MAX_OFFSET_HOUR ? 'time zone offset hour' : undefined;
}

function daysIn(month: number, year: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (month === 2) return isLeap ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
