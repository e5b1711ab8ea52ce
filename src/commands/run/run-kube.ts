import { allContainers, type PodStatus } from '../../api/index.js';
import type { Io } from '../../cli/shared/io.js';
import { getPod, inCluster, sourceOf } from '../../cli/shared/kube-source.js';
import { kubeletBy } from '../../cli/shared/kubelet/kubelet-flags.js';
import type { FoundTarget } from '../../cli/shared/run/find-target.js';
import { RealClock } from '../../clock/real-clock.js';
import { decodePod } from '../../cluster/observe/decode-objects.js';
import type { Cluster } from '../../cluster/types.js';
import { containerProbes } from '../../kubelet/prober/probe-of.js';
import type { KubeletConfig } from '../../kubelet/release.js';
import { conditionsOfOthers } from '../../kubelet/status/conditions.js';
import { isTerminal } from '../../kubelet/status/pod-status.js';
import { type LoadedManifest, loadManifest } from '../../manifest/pods/load-manifest.js';
import { clusterAttempts, describeDifferences } from '../../session/cluster/cluster-attempts.js';
import { ClusterContainers, clusterRuntime } from '../../session/cluster/cluster-target.js';
import { kubeletOfNode, nodeOf } from '../../session/cluster/cluster-version.js';
import { followPod, withoutClusterSide } from '../../session/cluster/follow-pod.js';
import { addressOf } from '../../session/cluster/watch-pod.js';
import type { Session } from '../../session/session.js';
import type { Target } from '../../session/targets/local-target.js';
import type { RunSession } from '../../session/wait-for-goal.js';
import type { RunFlags } from './run-options.js';

export interface KubeRun extends FoundTarget {
  readonly clock: RealClock;
  readonly manifest: LoadedManifest;
  /** Puts what the cluster's kubelet does beside the run's own pod. Resolves with a sentence when the pod is gone; rejects when the cluster denies the attempts. */
  follow(session: Session): Promise<string>;
  withoutClusterSide(session: Session): RunSession;
  readonly podIP: string;
  /** The kubelet as which kprobe decides: that of the flags, or of the pod's node. */
  readonly kubelet: KubeletConfig;
}

export function runInCluster(flags: RunFlags, io: Io, start: (run: KubeRun) => Promise<number>) {
  return inCluster(flags, io, async (cluster) => start(await kubeRun(cluster, flags, io)));
}

async function kubeRun(cluster: Cluster, flags: RunFlags, io: Io): Promise<KubeRun> {
  const file = flags.kube ?? '';
  const object = await getPod(cluster, flags, io);
  const { pod: decoded, status } = decodePod(object);
  const pod = { ...decoded, status: statusBefore(status) };
  const podIP = await addressOf(cluster, { pod, status });
  const loaded = loadManifest([sourceOf({ object, file })], { validate: false });
  const pods = loaded.pods.map((loadedPod) => ({ ...loadedPod, pod }));
  const manifest = { ...loaded, pods, diagnostics: [] };
  const via = flags.via === 'host' ? undefined : flags.via;
  const probes = allContainers(pod.spec)
    .flatMap(containerProbes)
    .map(({ probe }) => probe);
  const differences = describeDifferences(probes, via);
  const node = await nodeOf(cluster, object, io.signal);
  const kubelet = await kubeletBy(flags, io, kubeletOfNode(node));
  const clock = new RealClock();
  const parts = { cluster, clock, pod, podIP, signal: io.signal };
  const connected: Connected = { note: () => undefined };
  const attempts = clusterAttempts({
    ...parts,
    via: via === 'proxy' ? 'proxy' : 'port-forward',
    kubeletVersion: kubelet.version,
    onNote: (text) => connected.note(text),
  });
  const target: Target = {
    name: 'pod',
    realRestarts: [],
    transports: attempts.transports,
    createRuntime(listener) {
      connected.note = (text) => listener.onNote('info', text);
      const { exec } = attempts;
      const { version: release } = kubelet;
      const containers = new ClusterContainers({ clock, pod, status, exec, release });
      connected.containers = containers;
      return clusterRuntime({ clock, host: io.host, containers, status, listener });
    },
  };
  const withSecrets = flags.withSecrets === true;
  const follow = (session: Session) =>
    Promise.race([
      followPod(cluster, { ...pod.metadata, withSecrets }, session, connected.containers),
      attempts.denied,
    ]);
  const notes = [CLUSTER_UNCHANGED, ...differences];
  const context = { clock, manifest, target, notes, podIP, kubelet };
  return { kind: 'target', ...context, follow, withoutClusterSide };
}

/** Returns what a kubelet that takes the pod over has to know: how it ended, and the init containers that have succeeded. */
function statusBefore(status: PodStatus): PodStatus {
  if (isTerminal(status.phase)) return status;
  const initContainerStatuses = (status.initContainerStatuses ?? []).filter(
    ({ state }) => state.terminated?.exitCode === 0,
  );
  return { conditions: conditionsOfOthers(status.conditions), initContainerStatuses };
}

/** Filled in by the session, for the parts that exist before it. */
interface Connected {
  note: (text: string) => void;
  containers?: ClusterContainers;
}

const CLUSTER_UNCHANGED =
  "attempts are kprobe's, and so are the decisions on them; the cluster's kubelet, shown as @cluster, does the restarts: kprobe changes nothing";
