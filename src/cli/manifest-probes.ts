import type { OnceProbe } from '../app/once.js';
import { preflight } from '../app/preflight.js';
import { probeOf } from '../kubelet/prober/probe-of.js';
import { hasErrors } from '../manifest/diagnostic.js';
import { loadManifest } from '../manifest/load-manifest.js';
import { formatDiagnostics } from '../render/format-diagnostic.js';
import type { Io } from './io.js';
import type { OnceFlags } from './once-flags.js';
import { readSources } from './read-sources.js';
import { UsageError } from './usage-error.js';

/** The probes of manifests that the flags ask for; none when the manifests have errors. */
export async function manifestProbes(
  paths: readonly string[],
  flags: OnceFlags,
  io: Io,
): Promise<{ probes: readonly OnceProbe[]; errors: string }> {
  const { pods, diagnostics: found } = loadManifest(await readSources(paths, io));
  const wanted = (container: string): boolean =>
    flags.container === undefined || flags.container === container;
  const objections = preflight(pods, {
    execAllowed: flags.allowLocalExec ?? false,
    host: flags.host,
    hostsAllowed: flags.allowHost ?? false,
  });
  const diagnostics = [...found, ...objections];
  const errors = formatDiagnostics(diagnostics);
  if (hasErrors(diagnostics)) return { probes: [], errors };
  const probes = pods.flatMap(({ pod }) =>
    [...(pod.spec.initContainers ?? []), ...pod.spec.containers]
      .filter(({ name }) => wanted(name))
      .flatMap((container) =>
        (['startup', 'readiness', 'liveness'] as const)
          .filter((type) => flags.probe?.includes(type) ?? true)
          .filter((type) => probeOf(container, type) !== undefined)
          .map((probeType) => ({ pod, container, probeType })),
      ),
  );
  if (probes.length === 0) {
    const which = flags.probe === undefined ? 'probe' : `${flags.probe.join(' or ')} probe`;
    const where = flags.container === undefined ? '' : ` in a container ${flags.container}`;
    throw new UsageError(`${paths.join(', ')}: no ${which}${where}`);
  }
  return { probes, errors };
}
