import type { Clock } from '../clock/clock.js';
import {
  HEALTHCHECK_DEFAULTS,
  type ImportedContainer,
  parsePorts,
  uniquePorts,
} from '../manifest/import/healthcheck.js';
import { connectEngine } from '../runtime/container/connect-engine.js';
import type { EngineName } from '../runtime/container/engine-kind.js';
import type { Inspected } from '../runtime/container/inspect.js';
import type { Host } from '../runtime/host.js';
import { UsageError } from './usage-error.js';

interface ImportOptions {
  readonly clock: Clock;
  readonly host: Host;
  readonly engine: EngineName;
  readonly names: readonly string[];
}

/**
 * Returns the engine's containers of these names, with their HEALTHCHECK.
 *
 * @throws UsageError when there is no such container
 * @throws RuntimeError when the engine cannot be reached
 */
export async function importContainers(
  options: ImportOptions,
): Promise<readonly ImportedContainer[]> {
  const { clock, host, engine, names } = options;
  // A compose file needs no engine.
  if (names.length === 0) return [];
  const seen = await (await connectEngine(engine, clock, host)).inspect(names);
  const missing = names.find(
    (name) => !seen.some((each) => each.name === name || each.id.startsWith(name)),
  );
  if (missing === undefined) return seen.map(imported);
  throw new UsageError(`no such container: ${missing} (${engine} ps -a lists all containers)`);
}

function imported({ name, image, exposed, published, healthcheck }: Inspected): ImportedContainer {
  const opened = published.map(({ containerPort, protocol }) => `${containerPort}/${protocol}`);
  const ports = uniquePorts([...exposed, ...opened].flatMap((port) => parsePorts(port) ?? []));
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
