import { formatRange } from '../render/text/duration.js';
import type { Span } from './probe-times.js';

/** When something happens, counted from something else, and why. */
export interface Moment {
  /** In a few words: `first attempt`, `killed`. */
  readonly topic: string;
  /** Seconds, earliest and latest; Infinity when it may never happen. */
  readonly span: Span;
  /** What the span counts from: `its start`. */
  readonly since: string;
  readonly why: string;
  /** The fields that it comes from, as paths in the container or, from `spec.`, in the pod. */
  readonly fields: readonly string[];
}

/** `20 – 31 s after its start` */
export function spanText({ span, since }: Pick<Moment, 'span' | 'since'>): string {
  if (span.from === Infinity) return 'never';
  return `${formatRange(span)} after ${since}`;
}

/** One thing after the other. */
export function plus(one: Span, other: Span): Span {
  return { from: one.from + other.from, to: one.to + other.to };
}

/** When the last of them has happened. */
export function lastOf(spans: readonly Span[]): Span {
  return {
    from: Math.max(...spans.map(({ from }) => from)),
    to: Math.max(...spans.map(({ to }) => to)),
  };
}
