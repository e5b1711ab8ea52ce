import type { Clock } from '../../clock/clock.js';
import type { Cluster, PodRef } from '../../cluster/types.js';
import { WatchSession } from './watch-session.js';
import { watchTarget } from './watch-target.js';

interface WatchPodOptions {
  readonly clock: Clock;
  readonly withSecrets: boolean | undefined;
  /** When the trace began, in the clock's milliseconds; now when absent. */
  readonly origin?: number;
}

/**
 * Returns a watch of one pod, and a promise of the sentence that it is gone. The connection outlives the watch, for the
 * attempts beside it. Throws a UsageError when there is no such pod, and a ClusterError.
 */
export async function watchPod(
  cluster: Cluster,
  { namespace, name }: PodRef,
  options: WatchPodOptions,
): Promise<{ readonly watch: WatchSession; readonly gone: Promise<string> }> {
  const target = await watchTarget(cluster, { resources: [{ kind: 'pods', name }], namespace });
  const shared = { ...cluster, close: () => Promise.resolve() };
  const watch = new WatchSession({ ...options, cluster: shared, target });
  const gone = new Promise<string>((resolve) => {
    watch.onLine(({ kind }) => {
      if (kind === 'gone') resolve(`${namespace}/${name} is gone from the cluster`);
    });
  });
  return { watch, gone };
}
