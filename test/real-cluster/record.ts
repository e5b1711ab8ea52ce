import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { TraceLine } from '../../src/trace/trace-line.js';
import type { Behavior } from '../conformance/cluster/behaviors.js';
import { podOf } from '../conformance/cluster/pod-of.js';
import { startKprobe } from '../container/kprobe.js';
import { apply, createNamespace, kubeconfig, kubectl, watchRaw } from './kubectl.js';
import { type EventObject, type PodObject, PodRecorder } from './pod-recorder.js';

/** Pods that are created together, and milliseconds between them: a node that makes forty at once is late with all. */
const BATCH = 4;
const PAUSE = 2500;

export type Recordings = ReadonlyMap<string, readonly TraceLine[]>;

export interface Recorded {
  /** What the API server says, by pod. */
  readonly reported: Recordings;
  /** What `kprobe watch --record` makes of it. */
  readonly watched: Recordings;
}

/** Runs the pods of these behaviors on the cluster, and returns what happened to each by its name. */
export async function recordBehaviors(
  behaviors: readonly Behavior[],
  namespace: string,
): Promise<Recorded> {
  createNamespace(namespace);
  const trace = join(mkdtempSync(join(tmpdir(), 'watch-')), 'trace.ndjson');
  const args = ['--kubeconfig', kubeconfig(), '-n', namespace, '--record', trace, '-q'];
  const watch = startKprobe(['watch', ...args]);
  // The kubelet truncates times to the second: a whole one keeps their fractions.
  const begun = Math.floor(Date.now() / 1000) * 1000;
  const recorders = new Map(behaviors.map(({ name }) => [name, new PodRecorder(name, begun)]));
  const base = `/api/v1/namespaces/${namespace}`;
  const watches = [
    watchRaw(`${base}/pods?watch=1`, ({ object }) => {
      const pod = object as PodObject;
      recorders.get(pod.metadata.name)?.pod(pod, Date.now());
    }),
    watchRaw(`${base}/events?watch=1`, ({ type, object }) => {
      const event = object as EventObject;
      if (type !== 'DELETED') recorders.get(event.involvedObject.name)?.event(event, Date.now());
    }),
  ];
  try {
    const runs: Promise<void>[] = [];
    for (let n = 0; n < behaviors.length; n += BATCH) {
      const batch = behaviors.slice(n, n + BATCH);
      apply(namespace, batch.map(podOf));
      runs.push(...batch.map((each) => finish(each, recorders.get(each.name)!, namespace)));
      await sleep(PAUSE);
    }
    await Promise.all(runs);
  } finally {
    for (const watch of watches) watch.kill();
    await watch.end();
    kubectl(['delete', 'namespace', namespace, '--wait=false']);
  }
  const reported = new Map([...recorders].map(([name, { lines }]) => [name, lines]));
  return { reported, watched: readTrace(trace) };
}

/** Reads a trace; its times have the fractions of the wall clock's seconds. */
function readTrace(file: string): Recordings {
  const [header, ...lines] = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as TraceLine & { readonly startedAt: string });
  const shift = (Date.parse(header!.startedAt) % 1000) / 1000;
  const pods = new Map<string, TraceLine[]>();
  for (const line of lines) {
    if (!('pod' in line)) continue;
    const name = line.pod.replace(/^.*\//, '');
    const at = 'at' in line && line.at !== undefined ? { at: line.at + shift } : {};
    pods.set(name, [...(pods.get(name) ?? []), { ...line, t: line.t + shift, ...at }]);
  }
  return pods;
}

/** Waits for the behavior's time since its first container has started; deletes the pod when the behavior says so. */
async function finish(
  { name, until, deleteAt = until }: Behavior,
  { lines }: PodRecorder,
  namespace: string,
): Promise<void> {
  const isStart = (line: TraceLine) => line.kind === 'event' && line.reason === 'Started';
  const limit = Date.now() + 170_000;
  while (!lines.some(isStart)) {
    if (Date.now() > limit) throw new Error(`${name} has not started`);
    await sleep(50);
  }
  await sleep(deleteAt * 1000);
  kubectl(['delete', 'pod', name, '-n', namespace, '--wait=false']);
  await sleep((until - deleteAt) * 1000);
}
