import type { Moment } from '../explain/moment.js';
import type { Span } from '../explain/probe-times.js';

/** Something that the kubelet would see or do at another time. */
export interface TimeChange {
  readonly topic: string;
  /** What the spans count from. */
  readonly since: string;
  /** Seconds, earliest and latest; from Infinity on is never. Absent where it cannot happen. */
  readonly before?: Span;
  readonly after?: Span;
}

type Timed = Pick<Moment, 'topic' | 'since' | 'span'>;

/** The moments of two explanations that differ in time; by topic. */
export function timeChanges(before: readonly Timed[], after: readonly Timed[]): TimeChange[] {
  const topics = [...new Set([...after, ...before].map(({ topic }) => topic))];
  return topics.flatMap((topic) => {
    const [old, now] = [before, after].map((all) => all.find((one) => one.topic === topic));
    if (sameSpan(old?.span, now?.span)) return [];
    return [
      {
        topic,
        since: (now ?? old)?.since ?? '',
        ...(old && { before: old.span }),
        ...(now && { after: now.span }),
      },
    ];
  });
}

function sameSpan(a: Span | undefined, b: Span | undefined): boolean {
  return a?.from === b?.from && a?.to === b?.to;
}
