import { allContainers, type Pod } from '../../api/index.js';
import type { Io } from '../../cli/shared/io.js';
import { serverBy } from '../../cli/shared/kubelet/kubelet-flags.js';
import { readSources } from '../../cli/shared/read-sources.js';
import { PROBE_TYPES, probeOf } from '../../kubelet/prober/probe-of.js';
import { hasErrors } from '../../manifest/diagnostic.js';
import { loadManifest } from '../../manifest/pods/load-manifest.js';
import { manifestSecrets } from '../../manifest/pods/manifest-secrets.js';
import { formatDiagnostics } from '../../report/format-diagnostic.js';
import type { KnownSecrets } from '../../secrets/known-secrets.js';
import { missingPermissions } from '../../session/targets/permissions.js';
import type { ProbeType } from '../../trace/event.js';
import { UsageError } from '../../usage-error.js';
import type { OnceProbe } from './once.js';
import type { OnceFlags } from './once-options.js';

/** Returns the probes of manifests that the flags select; an empty list when the manifests have errors. */
export async function manifestProbes(
  paths: readonly string[],
  flags: OnceFlags,
  io: Io,
): Promise<{ probes: readonly OnceProbe[]; errors: string; secrets: KnownSecrets }> {
  const { validate, host, container: only } = flags;
  const sources = await readSources(paths, io);
  const manifest = loadManifest(sources, { validate, server: serverBy(flags) });
  const { pods, diagnostics: found } = manifest;
  const secrets = manifestSecrets(manifest);
  const missing = missingPermissions(pods, {
    host,
    execAllowed: flags.allowLocalExec ?? false,
    hostsAllowed: flags.allowHost ?? false,
    runs: (container, handler) =>
      (only === undefined || only === container) &&
      typesOf(flags).some((type) => handler === `${type}Probe`),
  });
  const diagnostics = [...found, ...missing];
  const errors = formatDiagnostics(diagnostics);
  if (hasErrors(diagnostics)) return { probes: [], errors, secrets };
  const all = pods.map(({ pod }) => pod);
  const probes = probesOf(all, flags, paths.join(', '));
  return { probes, errors, secrets };
}

/** Returns the probes of pods that the flags select; throws a UsageError when there are none. */
export function probesOf(pods: readonly Pod[], flags: OnceFlags, where: string): OnceProbe[] {
  const all = pods.flatMap((pod) =>
    allContainers(pod.spec).map((container) => ({ pod, container })),
  );
  const { container: only, host: address, probeTimeout } = flags;
  const chosen = all.filter(({ container: { name } }) => name === (only ?? name));
  if (chosen.length === 0 && flags.container !== undefined) {
    const names = [...new Set(all.map(({ container }) => container.name))].join(', ');
    throw new UsageError(`${where}: no container "${flags.container}" (containers: ${names})`);
  }
  const probes = chosen.flatMap(({ pod, container }) =>
    typesOf(flags).flatMap((probeType): OnceProbe[] => {
      const probe = probeOf(container, probeType);
      if (probe === undefined) return [];
      if (probeTimeout === undefined) return [{ pod, container, probeType, address }];
      const changed = { ...probe, timeoutSeconds: probeTimeout / 1000 };
      const changedContainer = { ...container, [`${probeType}Probe`]: changed };
      return [{ pod, container: changedContainer, probeType, address }];
    }),
  );
  if (probes.length === 0) {
    const which = flags.probe === undefined ? 'probe' : `${flags.probe.join(' or ')} probe`;
    const within = flags.container === undefined ? '' : ` in container "${flags.container}"`;
    throw new UsageError(`${where}: no ${which}${within}`);
  }
  return probes;
}

function typesOf({ probe }: OnceFlags): readonly ProbeType[] {
  return PROBE_TYPES.filter((type) => probe?.includes(type) ?? true);
}
