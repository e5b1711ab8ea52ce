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

/** The moments of two explanations that differ in time; by topic and by what they count from. */
export function timeChanges(before: readonly Timed[], after: readonly Timed[]): TimeChange[] {
  const all = [...after, ...before];
  const named = all.filter((one, index) => all.findIndex((other) => isSame(one, other)) === index);
  return named.flatMap((name) => {
    const [old, now] = [before, after].map((moments) => moments.find((one) => isSame(one, name)));
    if (sameSpan(old?.span, now?.span)) return [];
    return [
      {
        topic: name.topic,
        since: name.since,
        ...(old && { before: old.span }),
        ...(now && { after: now.span }),
      },
    ];
  });
}

function isSame(one: Timed, other: Timed): boolean {
  return one.topic === other.topic && one.since === other.since;
}

function sameSpan(a: Span | undefined, b: Span | undefined): boolean {
  return a?.from === b?.from && a?.to === b?.to;
}
