import type { Probe } from '../api/index.js';
import type { ProbeType } from '../kubelet/event.js';
import { formatRange } from '../render/text/duration.js';
import type { Span } from './probe-times.js';

/** The time of an event, counted from another one, with the reason. */
export interface Moment {
  /** In a few words: `first attempt`, `killed`. */
  readonly topic: string;
  /** Seconds; Infinity when it may never happen. */
  readonly span: Span;
  /** The start of the span: `its start`. */
  readonly since: string;
  readonly why: string;
  /** Paths of the fields behind it, in the container or, from `spec.`, in the pod. */
  readonly fields: readonly string[];
}

export function probeFields(type: ProbeType, ...names: readonly (keyof Probe)[]): string[] {
  return names.map((name) => `${type}Probe.${name}`);
}

/** `20 – 31 s after its start` */
export function spanText({ span, since }: Pick<Moment, 'span' | 'since'>): string {
  if (span.from === Infinity) return 'never';
  return `${formatRange(span)} after ${since}`;
}

/** Returns one span after the other. */
export function plus(one: Span, other: Span): Span {
  return { from: one.from + other.from, to: one.to + other.to };
}

/** Returns the time of the last of several events. */
export function lastOf(spans: readonly Span[]): Span {
  return {
    from: Math.max(...spans.map(({ from }) => from)),
    to: Math.max(...spans.map(({ to }) => to)),
  };
}
