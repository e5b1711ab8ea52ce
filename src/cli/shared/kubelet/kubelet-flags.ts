import { omitUndefined } from '../../../api/index.js';
import {
  behaviorOf,
  DEFAULT_KUBELET,
  type FeatureGates,
  isSince,
  type KubeletConfig,
  nearestKubelet,
  nearestRelease,
  PREVIEWS,
} from '../../../kubelet/release.js';
import type { ManifestSource } from '../../../manifest/documents/source-file.js';
import { UsageError } from '../../../usage-error.js';
import { type Io, write } from '../io.js';
import type { FlagsAmong, KUBELET } from '../options.js';

/** Flags of the commands that decide as a kubelet. */
export type KubeletFlags = FlagsAmong<(typeof KUBELET)[number]>;

/** Returns the API server that the flags ask for: it has the version and the gates of the kubelets. */
export function serverBy({ kubernetesVersion, featureGates }: KubeletFlags): KubeletConfig {
  return withGates(kubernetesVersion ?? DEFAULT_KUBELET, featureGates);
}

/** Adds gates to those of a kubelet. */
export function withGates(kubelet: KubeletConfig, gates: FeatureGates | undefined): KubeletConfig {
  if (gates === undefined) return kubelet;
  return { ...kubelet, featureGates: { ...kubelet.featureGates, ...gates } };
}

/** Throws a UsageError for a downgrade: the older API server drops or refuses fields, which kprobe doesn't compare. */
export function refuseDowngrade(option: string, from: KubeletConfig, to: KubeletConfig): void {
  if (isSince(nearestRelease(from.version), nearestRelease(to.version))) return;
  throw new UsageError(`${option}: Kubernetes ${to.version} is older than ${from.version}`);
}

/** Returns the kubelet of the flags, else of the cluster that `--kube` has read from, which is noted. */
export async function kubeletFor(
  sources: readonly Pick<ManifestSource, 'clusterVersion'>[],
  flags: KubeletFlags,
  io: Pick<Io, 'notes'>,
): Promise<KubeletConfig> {
  const { clusterVersion } = sources.find((source) => source.clusterVersion !== undefined) ?? {};
  if (clusterVersion === undefined || flags.kubernetesVersion !== undefined) {
    return kubeletBy(flags, io);
  }
  const { versionNote } = await import('../../../session/cluster/cluster-version.js');
  await write(io.notes, `kprobe: ${versionNote(clusterVersion)}\n`);
  return kubeletBy(flags, io, nearestKubelet(clusterVersion.version));
}

/**
 * Returns the kubelet of the flags, or `otherwise` with their settings. Gates without an effect are noted; settings that this
 * kubelet would refuse are a UsageError.
 */
export async function kubeletBy(
  { kubernetesVersion, featureGates, maxRestartPeriod }: KubeletFlags,
  io: Pick<Io, 'notes'>,
  otherwise = DEFAULT_KUBELET,
): Promise<KubeletConfig> {
  const base = kubernetesVersion ?? otherwise;
  if (featureGates !== undefined) {
    const { checkGates } = await import('./feature-gates.js');
    const idle = checkGates(featureGates, base.version);
    if (idle.length > 0) {
      await write(io.notes, `kprobe: ${idle.join(', ')}: no decision of kprobe depends on it\n`);
    }
    for (const [gate, { of, kep }] of Object.entries(PREVIEWS)) {
      if (featureGates[gate] !== true) continue;
      const text = `${gate} is a preview of Kubernetes ${of}, played as ${kep} describes it`;
      await write(io.notes, `kprobe: ${text}; ${base.version} itself does not have it\n`);
    }
  }
  const kubelet = {
    ...withGates(base, featureGates),
    ...omitUndefined({ maxContainerRestartPeriod: maxRestartPeriod }),
  };
  if (maxRestartPeriod !== undefined && !behaviorOf(kubelet).limitsBackOff) {
    const gate = 'KubeletCrashLoopBackOffMax';
    throw new UsageError(
      `--max-restart-period: Kubernetes ${base.version} has the feature gate ${gate} off: add --feature-gates ${gate}=true`,
    );
  }
  return kubelet;
}
