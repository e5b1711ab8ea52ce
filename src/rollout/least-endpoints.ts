/** The least number of ready endpoints that lasts, and the seconds with so few. */
export interface LeastEndpoints {
  readonly count: number;
  readonly seconds: number;
}

/** Returns the least number of ready endpoints from the first point to the end, both in seconds. */
export function leastEndpoints(
  points: readonly { readonly t: number; readonly endpoints: number }[],
  end: number,
): LeastEndpoints {
  const secondsBy = new Map<number, number>();
  points.forEach(({ t, endpoints }, index) => {
    const seconds = (points[index + 1]?.t ?? end) - t;
    if (seconds > 0) secondsBy.set(endpoints, (secondsBy.get(endpoints) ?? 0) + seconds);
  });
  const count = Math.min(...secondsBy.keys());
  return { count, seconds: secondsBy.get(count) ?? 0 };
}
