import type { TraceHeader } from './trace-record.js';

/** Reports whether restarts of a container are real, and not only simulated. */
export function hasRealRestarts(
  { target, realRestarts = [] }: Pick<TraceHeader, 'target' | 'realRestarts'>,
  container: string,
): boolean {
  return target === 'cluster' || target === 'created' || realRestarts.includes(container);
}
