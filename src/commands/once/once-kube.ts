import { type Container, omitUndefined, type Pod, type PodStatus } from '../../api/index.js';
import { type CommandInput, type Io, write } from '../../cli/shared/io.js';
import { getPod, inCluster } from '../../cli/shared/kube-source.js';
import { kubeletBy } from '../../cli/shared/kubelet/kubelet-flags.js';
import { RealClock } from '../../clock/real-clock.js';
import { decodePod } from '../../cluster/observe/decode-objects.js';
import type { Cluster } from '../../cluster/types.js';
import { diagnosisText } from '../../diagnosis/words.js';
import { RuntimeError } from '../../kubelet/ports.js';
import { probeOf } from '../../kubelet/prober/probe-of.js';
import { KnownSecrets } from '../../secrets/known-secrets.js';
import { clusterAttempts, describeDifferences } from '../../session/cluster/cluster-attempts.js';
import { kubeletNote, kubeletOfNode, nodeOf } from '../../session/cluster/cluster-version.js';
import { addressOf, watchedDiagnoses, watchPod } from '../../session/cluster/watch-pod.js';
import { waitForGoal } from '../../session/wait-for-goal.js';
import { UsageError } from '../../usage-error.js';
import { probesOf } from './manifest-probes.js';
import type { OnceFlags } from './once-options.js';
import { checkThreshold, type ChosenPlans, plansOf } from './once-plan.js';

export function onceInCluster(
  { flags, paths }: CommandInput<OnceFlags>,
  io: Io,
  attempt: (chosen: ChosenPlans) => Promise<number>,
): Promise<number> {
  if (paths.length > 0) throw new UsageError('--kube and a manifest cannot be combined');
  checkThreshold(flags);
  return inCluster(flags, io, async (cluster) => {
    const object = await getPod(cluster, flags, io);
    const { pod, status } = decodePod(object);
    const podIP = await addressOf(cluster, { pod, status });
    const chosen = probesOf([pod], { ...flags, host: podIP }, flags.kube ?? '');
    const states = chosen.map(({ container }) => idleState(status, container));
    const probes = chosen.filter((_, index) => states[index] === undefined);
    const found =
      probes.length < chosen.length ? await watchedDiagnoses(cluster, pod.metadata) : [];
    const reasons = chosen.flatMap(({ container: { name } }, index) => {
      const cause = found.find(({ subject }) => subject.container === name) ?? found[0];
      const reason = cause === undefined ? states[index] : diagnosisText(cause);
      if (states[index] === undefined || reason === undefined) return [];
      return `${name} does not run, so the kubelet makes no attempts of its probes: ${reason}`;
    });
    const idle = [...new Set(reasons)];
    if (probes.length === 0 && idle.length > 0) throw new RuntimeError(idle.join('; '));
    for (const text of idle) await write(io.notes, `kprobe: ${text}\n`);
    const used = probes.flatMap(({ container, probeType }) => probeOf(container, probeType) ?? []);
    for (const text of describeDifferences(used, flags.via))
      await write(io.notes, `kprobe: ${text}\n`);
    const [node, until] = await Promise.all([
      nodeOf(cluster, object, io.signal),
      untilStable(cluster, pod, flags, io),
    ]);
    const kubelet = await kubeletBy(flags, io, kubeletOfNode(node));
    if (flags.until === undefined && node !== undefined) {
      await write(io.notes, `kprobe: ${kubeletNote(node)}\n`);
    }
    const plans = plansOf(probes, flags, true);
    const secrets = new KnownSecrets();
    const named = { plans, named: true, errors: '', secrets, until, kubelet };
    return new Promise((resolve, reject) => {
      const within: ChosenPlans['within'] = (clock, signal) => {
        const attempts = clusterAttempts({
          cluster,
          clock,
          pod,
          podIP,
          signal,
          via: flags.via === 'proxy' ? 'proxy' : 'port-forward',
          kubeletVersion: kubelet.version,
          onNote: (text) => io.notes.write(`kprobe: ${text}\n`),
        });
        attempts.denied.catch(reject);
        return attempts;
      };
      attempt({ ...named, within }).then(resolve, reject);
    });
  });
}

/** Watches a pod beside the attempts; returns how to wait until it is stable. */
async function untilStable(
  cluster: Cluster,
  { metadata }: Pod,
  { until, timeout, withSecrets }: OnceFlags,
  io: Io,
): Promise<ChosenPlans['until']> {
  if (until === undefined) return undefined;
  const clock = new RealClock();
  const { watch: session, gone } = await watchPod(cluster, metadata, { clock, withSecrets });
  session.onLine((line) => {
    if (line.kind === 'note') io.notes.write(`kprobe: ${line.text}\n`);
  });
  await session.list();
  return () => {
    session.begin();
    const limits = omitUndefined({ timeout });
    const goal = { kind: 'stable' } as const;
    return waitForGoal({ clock, session, goal, signal: io.signal, gone, ...limits });
  };
}

/** Returns the state of a container that does not run. */
function idleState(
  { initContainerStatuses = [], containerStatuses = [] }: PodStatus,
  { name }: Container,
): string | undefined {
  const all = [...initContainerStatuses, ...containerStatuses];
  const { state, lastTerminationState: last } = all.find((status) => status.name === name) ?? {};
  // A container without a status may run.
  if (state === undefined || state.running !== undefined) return undefined;
  const { waiting, terminated = last?.terminated } = state;
  const end = terminated && `it ended with exit code ${terminated.exitCode}`;
  return waiting?.message ?? waiting?.reason ?? end ?? 'it has no status yet';
}
