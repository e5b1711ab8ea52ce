import type { Verdict } from './verdict.js';

/** A verdict as a line of NDJSON, with its file first; an int64 keeps all its digits. */
export function verdictLine(file: string, verdict: Verdict): string {
  return write({ file, ...verdict });
}

/** As JSON.stringify, but for bigints, which become numbers, and the two separators that Go escapes. */
function write(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  if (typeof value !== 'object' || value === null) {
    const text = JSON.stringify(value ?? null);
    return text.replace(/[\u2028\u2029]/g, (each) => `\\u${each.charCodeAt(0).toString(16)}`);
  }
  const members = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(([key, each]) => `${write(key)}:${write(each)}`);
  return `{${members.join(',')}}`;
}
