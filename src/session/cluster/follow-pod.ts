import { RealClock } from '../../clock/real-clock.js';
import { ClusterError, withRule } from '../../cluster/cluster-error.js';
import type { Cluster, PodRef } from '../../cluster/types.js';
import { CLUSTER_SIDE, isClusterSide } from '../../trace/cluster-side.js';
import type { Summary } from '../../trace/summary/summary.js';
import type { TraceLine } from '../../trace/trace-line.js';
import type { Session } from '../session.js';
import type { RunSession } from '../wait-for-goal.js';
import type { ClusterContainers } from './cluster-target.js';
import { watchPod } from './watch-pod.js';

/**
 * Adds what the cluster's kubelet does with a pod to the session. Resolves with a sentence when the pod is gone; never
 * when the cluster cannot be watched, which the session notes.
 */
export async function followPod(
  cluster: Cluster,
  { withSecrets, ...pod }: PodRef & { readonly withSecrets: boolean },
  session: Session,
  containers: ClusterContainers | undefined,
): Promise<string> {
  const options = { clock: new RealClock(), withSecrets, origin: session.origin };
  try {
    const { watch, gone } = await watchPod(cluster, pod, options);
    watch.onLine((line) => {
      if (line.kind === 'status') {
        containers?.observe(line.podStatus);
        session.setConditions(line.podStatus.conditions ?? []);
      }
      if (line.kind === 'runtime') containers?.connection(line.up ? undefined : line.error);
      else session.add(onClusterSide(line));
    });
    await watch.list();
    watch.begin();
    const sentence = await gone;
    await watch.end();
    return sentence;
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    session.note('warning', `the cluster's side is not shown: ${withRule(error)}`);
    return new Promise(() => undefined);
  }
}

/** Gives the pod of the cluster's kubelet another name than the run's own pod has. */
function onClusterSide(line: TraceLine): TraceLine {
  if (!('pod' in line)) return line;
  const pod = `${line.pod}${CLUSTER_SIDE}`;
  if (line.kind !== 'pod') return { ...line, pod };
  const { metadata } = line.object;
  const named = {
    ...metadata,
    name: `${metadata.name}${CLUSTER_SIDE}`,
    uid: `${metadata.uid}${CLUSTER_SIDE}`,
  };
  return { ...line, pod, object: { ...line.object, metadata: named } };
}

/** Returns the session without the cluster's side, which verdicts leave out. */
export function withoutClusterSide(session: Session): RunSession {
  const runSide = (summary: Summary): Summary => ({
    ...summary,
    pods: summary.pods.filter(({ key }) => !isClusterSide(key)),
  });
  return {
    get summary() {
      return runSide(session.summary);
    },
    get now() {
      return session.now;
    },
    origin: session.origin,
    onLine: (listener) => session.onLine((line, summary) => listener(line, runSide(summary))),
    note: (...note) => session.note(...note),
    refresh: () => session.refresh(),
    end: () => session.end(),
  };
}
