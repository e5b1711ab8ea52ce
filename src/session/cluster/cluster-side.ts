import type { Summary } from '../../trace/summary/summary.js';
import type { TraceLine } from '../../trace/trace-line.js';
import type { Session } from '../session.js';
import type { RunSession } from '../wait-for-goal.js';

/** The end of the key of a pod as the cluster's kubelet reports it, beside the run's own pod. */
const CLUSTER = '@cluster';

export function isClusterSide(podKey: string): boolean {
  return podKey.endsWith(CLUSTER);
}

/** Gives the pod of the cluster's kubelet another name than the run's own pod has. */
export function onClusterSide(line: TraceLine): TraceLine {
  if (!('pod' in line)) return line;
  const pod = `${line.pod}${CLUSTER}`;
  if (line.kind !== 'pod') return { ...line, pod };
  const { metadata } = line.object;
  const named = {
    ...metadata,
    name: `${metadata.name}${CLUSTER}`,
    uid: `${metadata.uid}${CLUSTER}`,
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
