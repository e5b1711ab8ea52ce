import type { Clock } from '../clock/clock.js';
import { RuntimeError } from '../kubelet/ports.js';
import { HEALTHCHECK_DEFAULTS, type ImportedContainer } from '../manifest/import/healthcheck.js';
import { EngineCli } from '../runtime/container/engine-cli.js';
import { engineKind, type EngineName } from '../runtime/container/engine-kind.js';
import { inspectContainers } from '../runtime/container/engine-queries.js';
import type { Inspected } from '../runtime/container/inspect.js';
import type { Host } from '../runtime/host.js';

export interface ImportOptions {
  readonly clock: Clock;
  readonly host: Host;
  readonly engine: EngineName;
  readonly names: readonly string[];
}

export type ImportEnd =
  | { readonly kind: 'containers'; readonly containers: readonly ImportedContainer[] }
  | { readonly kind: 'missing'; readonly name: string }
  | { readonly kind: 'unreachable'; readonly message: string };

/** The engine's containers of these names, with their HEALTHCHECK. */
export async function importContainers(options: ImportOptions): Promise<ImportEnd> {
  const { clock, host, engine, names } = options;
  const cli = new EngineCli({ kind: engineKind(engine), clock, host });
  try {
    const seen = await inspectContainers(cli, names);
    const find = (name: string): Inspected | undefined =>
      seen.find((each) => each.name === name || each.id.startsWith(name));
    const missing = names.find((name) => find(name) === undefined);
    if (missing !== undefined) return { kind: 'missing', name: missing };
    return { kind: 'containers', containers: seen.map(imported) };
  } catch (error) {
    if (!(error instanceof RuntimeError)) throw error;
    return { kind: 'unreachable', message: error.message };
  }
}

function imported({ name, image, exposed, published, healthcheck }: Inspected): ImportedContainer {
  const ports = [...new Set([...exposed, ...published.map((p) => p.containerPort)])];
  if (healthcheck === undefined) return { name, image, ports };
  const milliseconds = (nanoseconds: number, standard: number): number =>
    nanoseconds === 0 ? standard : nanoseconds / 1e6;
  const { interval, timeout, startPeriod, startInterval, retries } = HEALTHCHECK_DEFAULTS;
  return {
    name,
    image,
    ports,
    healthcheck: {
      test: healthcheck.test,
      interval: milliseconds(healthcheck.interval, interval),
      timeout: milliseconds(healthcheck.timeout, timeout),
      startPeriod: milliseconds(healthcheck.startPeriod, startPeriod),
      startInterval: milliseconds(healthcheck.startInterval, startInterval),
      retries: healthcheck.retries === 0 ? retries : healthcheck.retries,
    },
  };
}
