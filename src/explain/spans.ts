import type { Span } from './probe-times.js';

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
