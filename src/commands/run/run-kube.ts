import { allContainers } from '../../api/index.js';
import type { Io } from '../../cli/shared/io.js';
import { getPod, inCluster, sourceOf } from '../../cli/shared/kube-source.js';
import { RealClock } from '../../clock/real-clock.js';
import { ClusterError, withRule } from '../../cluster/cluster-error.js';
import { decodePod } from '../../cluster/observe/decode-objects.js';
import type { Cluster, PodRef } from '../../cluster/types.js';
import { PROBE_TYPES, probeOf } from '../../kubelet/prober/probe-of.js';
import { type LoadedManifest, loadManifest } from '../../manifest/pods/load-manifest.js';
import { clusterAttempts, describeDifferences } from '../../session/cluster/cluster-attempts.js';
import { ClusterContainers, clusterRuntime } from '../../session/cluster/cluster-target.js';
import { WatchSession } from '../../session/cluster/watch-session.js';
import { watchTarget } from '../../session/cluster/watch-target.js';
import type { Session } from '../../session/session.js';
import type { Target } from '../../session/targets/local-target.js';
import type { RunSession } from '../../session/wait-for-goal.js';
import type { Summary } from '../../trace/summary/summary.js';
import type { TraceLine } from '../../trace/trace-line.js';
import { UsageError } from '../../usage-error.js';
import type { RunFlags } from './run-options.js';

export interface KubeRun {
  readonly kind: 'target';
  readonly clock: RealClock;
  readonly manifest: LoadedManifest;
  readonly target: Target;
  readonly notes: readonly string[];
  /** Puts what the cluster's kubelet does beside the run's own pod. Resolves with a sentence when the pod is gone; rejects when the cluster denies the attempts. */
  follow(session: Session): Promise<string>;
  /** The session without the cluster's side, which verdicts leave out. */
  judged(session: Session): RunSession;
  readonly podIP: string;
}

export function runInCluster(flags: RunFlags, io: Io, start: (run: KubeRun) => Promise<number>) {
  return inCluster(flags, io, async (cluster) => start(await kubeRun(cluster, flags, io)));
}

async function kubeRun(cluster: Cluster, flags: RunFlags, io: Io): Promise<KubeRun> {
  const file = flags.kube ?? '';
  const object = await getPod(cluster, flags, io);
  const { pod, status } = decodePod(object);
  const { podIP } = status;
  if (podIP === undefined) {
    throw new UsageError(`${file} has no address yet: it is ${status.phase ?? 'Pending'}`);
  }
  const loaded = loadManifest([sourceOf({ object, file })], { validate: false });
  const pods = loaded.pods.map((one) => ({ ...one, pod }));
  const manifest = { ...loaded, pods, diagnostics: [] };
  const via = flags.via === 'host' ? undefined : flags.via;
  const probes = allContainers(pod.spec).flatMap((container) =>
    PROBE_TYPES.flatMap((type) => probeOf(container, type) ?? []),
  );
  const ways = describeDifferences(probes, via);
  const clock = new RealClock();
  const parts = { cluster, clock, pod, podIP, signal: io.signal };
  const connected: Connected = { note: () => undefined };
  const attempts = clusterAttempts({
    ...parts,
    via: via === 'proxy' ? 'proxy' : 'port-forward',
    kubeletVersion: flags.kubernetesVersion,
    onNote: (text) => connected.note(text),
  });
  const target: Target = {
    name: 'pod',
    realRestarts: [],
    transports: attempts.transports,
    createRuntime(listener) {
      connected.note = (text) => listener.onNote('info', text);
      const { exec } = attempts;
      const containers = new ClusterContainers({ clock, pod, status, exec });
      connected.containers = containers;
      return clusterRuntime({ clock, host: io.host, containers, status, listener });
    },
  };
  const withSecrets = flags.withSecrets === true;
  const follow = (session: Session) =>
    Promise.race([
      followPod(cluster, { ...pod.metadata, withSecrets }, session, connected),
      attempts.denied,
    ]);
  const notes = [LEFT_ALONE, ...ways];
  return { kind: 'target', clock, manifest, target, notes, follow, judged, podIP };
}

/** Filled in by the session, for the parts that exist before it. */
interface Connected {
  note: (text: string) => void;
  containers?: ClusterContainers;
}

const LEFT_ALONE =
  "attempts are kprobe's, and so are the decisions on them; the cluster's kubelet, shown as @cluster, does the restarts: kprobe changes nothing";

async function followPod(
  cluster: Cluster,
  { namespace, name, withSecrets }: PodRef & { readonly withSecrets: boolean },
  session: Session,
  { containers }: Connected,
): Promise<string> {
  const shared = { ...cluster, close: () => Promise.resolve() };
  const clock = new RealClock();
  const { origin } = session;
  let gone: () => void = () => undefined;
  const isGone = new Promise<void>((resolve) => (gone = resolve));
  try {
    const target = await watchTarget(cluster, { kind: 'pods', name, namespace });
    const watch = new WatchSession({ clock, cluster: shared, target, withSecrets, origin });
    watch.onLine((line) => {
      if (line.kind === 'status') containers?.observe(line.podStatus);
      if (line.kind === 'runtime') containers?.connection(line.up ? undefined : line.error);
      else session.add(besideOwn(line));
      if (line.kind === 'gone') gone();
    });
    await watch.list();
    watch.begin();
    await isGone;
    await watch.end();
    return `${namespace}/${name} is gone from the cluster`;
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    session.note('warning', `the cluster's side is not shown: ${withRule(error)}`);
    return new Promise(() => undefined);
  }
}

/** The mark of the pod as the cluster's kubelet reports it. */
const CLUSTER = '@cluster';

/** Gives the pod of the cluster's kubelet a name of its own. */
function besideOwn(line: TraceLine): TraceLine {
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

function judged(session: Session): RunSession {
  const own = (summary: Summary): Summary => ({
    ...summary,
    pods: summary.pods.filter(({ key }) => !key.endsWith(CLUSTER)),
  });
  return {
    get summary() {
      return own(session.summary);
    },
    get now() {
      return session.now;
    },
    origin: session.origin,
    onLine: (listener) => session.onLine((line, summary) => listener(line, own(summary))),
    note: (...note) => session.note(...note),
    refresh: () => session.refresh(),
    end: () => session.end(),
  };
}
