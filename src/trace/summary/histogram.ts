/** Counts latencies, in milliseconds, in buckets whose bounds grow by a tenth; the extremes are exact. */
export interface Histogram {
  /** By bucket number; an empty bucket is 0 or absent. */
  readonly counts: readonly number[];
  readonly total: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
}

export const EMPTY_HISTOGRAM: Histogram = { counts: [], total: 0, sum: 0, min: 0, max: 0 };

/** The upper bound of bucket 0, and the growth from one bucket to the next. */
const FIRST_BOUND = 0.1;
const GROWTH = 1.1;
/** About three hours; it also holds everything longer. */
const LAST_BUCKET = 196;

/** Returns a bucket's upper bound in milliseconds. */
export function bucketBound(bucket: number): number {
  return FIRST_BOUND * GROWTH ** bucket;
}

function bucketOf(milliseconds: number): number {
  if (milliseconds <= FIRST_BOUND) return 0;
  const bucket = Math.ceil(Math.log(milliseconds / FIRST_BOUND) / Math.log(GROWTH));
  return Math.min(bucket, LAST_BUCKET);
}

export function recordLatency(histogram: Histogram, milliseconds: number): Histogram {
  const { total, sum, min, max } = histogram;
  const bucket = bucketOf(milliseconds);
  const counts = histogram.counts.slice();
  while (counts.length <= bucket) counts.push(0);
  counts[bucket] = (counts[bucket] ?? 0) + 1;
  return {
    counts,
    total: total + 1,
    sum: sum + milliseconds,
    min: total === 0 ? milliseconds : Math.min(min, milliseconds),
    max: Math.max(max, milliseconds),
  };
}

/** Returns a percentile, exact to a tenth; undefined for an empty histogram. */
export function percentile(histogram: Histogram, percent: number): number | undefined {
  const { counts, total, min, max } = histogram;
  if (total === 0) return undefined;
  let left = Math.max(1, Math.ceil((percent / 100) * total));
  for (const [bucket, count] of counts.entries()) {
    left -= count;
    if (left <= 0) return Math.min(max, Math.max(min, bucketBound(bucket)));
  }
  return max;
}
