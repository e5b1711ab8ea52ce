import { parseDuration } from '../go/duration.js';
import type { Spread } from './behaviour.js';

/** The syntax of each amount, for messages. */
export const SPREAD_FORM = 'a duration such as "200ms", "200ms±50ms" (or +-) or "100ms..300ms"';
export const WINDOW_FORM = 'a window such as "60s..90s", or "60s.." without an end';
export const RATE_FORM = 'a share such as "2%" or "0.02"';

/** Parses `200ms`, `200ms±50ms`, `200ms+-50ms` or `100ms..300ms`. */
export function parseSpread(text: string): Spread | undefined {
  const [middle = '', deviation, more] = text.split(/\s*(?:±|\+-|\+\/-)\s*/);
  if (more !== undefined) return undefined;
  if (deviation !== undefined) return around(positive(middle), positive(deviation));
  const range = parseWindow(text);
  if (range !== undefined) return Number.isFinite(range.to) ? range : undefined;
  const exact = positive(text);
  return exact === undefined ? undefined : { from: exact, to: exact };
}

function around(middle: number | undefined, deviation: number | undefined): Spread | undefined {
  if (middle === undefined || deviation === undefined) return undefined;
  return { from: Math.max(0, middle - deviation), to: middle + deviation };
}

/** Parses `60s..90s`, or `60s..` without an end. */
export function parseWindow(text: string): Spread | undefined {
  const match = /^(.+?)\s*\.\.\s*(.*)$/.exec(text);
  if (match === null) return undefined;
  const [, begin = '', end = ''] = match;
  const from = positive(begin);
  const to = end === '' ? Infinity : positive(end);
  if (from === undefined || to === undefined || to < from) return undefined;
  return { from, to };
}

/** Parses `2%` or `0.02`, from 0 to 1. */
export function parseRate(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?|\.\d+)\s*(%?)$/.exec(text);
  if (match === null) return undefined;
  const rate = Number(match[1]) / (match[2] === '%' ? 100 : 1);
  return rate <= 1 ? rate : undefined;
}

function positive(text: string): number | undefined {
  const milliseconds = parseDuration(text);
  return milliseconds !== undefined && milliseconds >= 0 ? milliseconds : undefined;
}
