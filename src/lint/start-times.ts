import type { TraceLine } from '../trace/trace-line.js';

/** Seconds from a container's start to its first successful probe, each run's, by container name. */
export type StartTimes = ReadonlyMap<string, readonly number[]>;

/**
 * How long containers took to start, from the lines of recorded runs: up to the first attempt that succeeded, of
 * whatever probe came first. It may have been up for as long as the attempt before ago.
 */
export function startTimes(lines: Iterable<TraceLine>): StartTimes {
  const times = new Map<string, number[]>();
  const startedAt = new Map<string, number>();
  for (const line of lines) {
    if (line.kind === 'started') startedAt.set(`${line.pod}/${line.container}`, line.t);
    if (line.kind !== 'attemptDone' || line.result !== 'success') continue;
    const key = `${line.pod}/${line.container}`;
    const start = startedAt.get(key);
    if (start === undefined) continue;
    startedAt.delete(key);
    const known = times.get(line.container);
    if (known === undefined) times.set(line.container, [line.t - start]);
    else known.push(line.t - start);
  }
  return times;
}
