import type { Container } from '../../api/index.js';
import type { OnceProbe } from '../../app/once.js';
import { preflight } from '../../app/preflight.js';
import type { ProbeType } from '../../kubelet/event.js';
import { probeOf } from '../../kubelet/prober/probe-of.js';
import { hasErrors } from '../../manifest/diagnostic.js';
import { loadManifest } from '../../manifest/pods/load-manifest.js';
import { formatDiagnostics } from '../../render/format-diagnostic.js';
import type { Io } from '../shared/io.js';
import { readSources } from '../shared/read-sources.js';
import { UsageError } from '../shared/usage-error.js';
import type { OnceFlags } from './once-options.js';

const TYPES = ['startup', 'readiness', 'liveness'] as const;

/** The probes of manifests that the flags ask for; none when the manifests have errors. */
export async function manifestProbes(
  paths: readonly string[],
  flags: OnceFlags,
  io: Io,
): Promise<{ probes: readonly OnceProbe[]; errors: string }> {
  const { validate, host } = flags;
  const { pods, diagnostics: found } = loadManifest(await readSources(paths, io), { validate });
  const wanted = (container: string): boolean =>
    flags.container === undefined || flags.container === container;
  const types = TYPES.filter((type) => flags.probe?.includes(type) ?? true);
  const objections = preflight(pods, {
    host,
    execAllowed: flags.allowLocalExec ?? false,
    hostsAllowed: flags.allowHost ?? false,
    runs: (container, handler) =>
      wanted(container) && types.some((type) => handler === `${type}Probe`),
  });
  const diagnostics = [...found, ...objections];
  const errors = formatDiagnostics(diagnostics);
  if (hasErrors(diagnostics)) return { probes: [], errors };
  const probes = pods.flatMap(({ pod }) =>
    [...(pod.spec.initContainers ?? []), ...pod.spec.containers]
      .filter(({ name }) => wanted(name))
      .flatMap((container) =>
        types
          .filter((type) => probeOf(container, type) !== undefined)
          .map((probeType) => ({
            pod,
            container: withTimeout(container, probeType, flags),
            probeType,
            address: host,
          })),
      ),
  );
  if (probes.length === 0) {
    const which = flags.probe === undefined ? 'probe' : `${flags.probe.join(' or ')} probe`;
    const where = flags.container === undefined ? '' : ` in a container ${flags.container}`;
    throw new UsageError(`${paths.join(', ')}: no ${which}${where}`);
  }
  return { probes, errors };
}

/** The container with the probe's timeout from the command line, if there is one. */
function withTimeout(
  container: Container,
  probeType: ProbeType,
  { probeTimeout }: OnceFlags,
): Container {
  const probe = probeOf(container, probeType);
  if (probe === undefined || probeTimeout === undefined) return container;
  return { ...container, [`${probeType}Probe`]: { ...probe, timeoutSeconds: probeTimeout / 1000 } };
}
