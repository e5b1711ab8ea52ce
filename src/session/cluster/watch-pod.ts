import type { Clock } from '../../clock/clock.js';
import { RealClock } from '../../clock/real-clock.js';
import { ClusterError } from '../../cluster/cluster-error.js';
import type { DecodedPod } from '../../cluster/observe/decode-objects.js';
import type { Cluster, PodRef } from '../../cluster/types.js';
import { diagnosePod } from '../../diagnosis/diagnosis.js';
import type { Diagnosis } from '../../diagnosis/fault.js';
import { diagnosisText } from '../../diagnosis/words.js';
import { UsageError } from '../../usage-error.js';
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

/** Returns what is wrong with a pod now, as a watch says it, the worst first; nothing where the user may not watch it. */
export async function watchedDiagnoses(
  cluster: Cluster,
  pod: PodRef,
): Promise<readonly Diagnosis[]> {
  try {
    const options = { clock: new RealClock(), withSecrets: false };
    const { watch, gone } = await watchPod(cluster, pod, options);
    await watch.list();
    const shown = new Promise<void>((resolve) => {
      watch.onLine(({ kind }) => {
        if (kind === 'status') resolve();
      });
    });
    watch.begin();
    await Promise.race([shown, gone]);
    await watch.end();
    return watch.summary.pods.flatMap((each) => diagnosePod(each, watch.now));
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    return [];
  }
}

/** Returns the address of a pod; throws a UsageError that says why it has none. */
export async function addressOf(
  cluster: Cluster,
  { pod, status }: Pick<DecodedPod, 'pod' | 'status'>,
): Promise<string> {
  if (status.podIP !== undefined) return status.podIP;
  const [worst] = await watchedDiagnoses(cluster, pod.metadata);
  const reason = worst === undefined ? `it is ${status.phase ?? 'Pending'}` : diagnosisText(worst);
  throw new UsageError(`pod/${pod.metadata.name} has no address yet: ${reason}`);
}
