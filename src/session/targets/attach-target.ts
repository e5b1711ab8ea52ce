import type { Diagnostic } from '../../manifest/diagnostic.js';
import type { LoadedPod } from '../../manifest/pods/load-pod.js';
import { localBackings } from '../../runtime/backing.js';
import {
  AttachedContainers,
  type ContainerChoice,
} from '../../runtime/container/attach/attached-containers.js';
import { ContainerRoutes, type Via } from '../../runtime/container/attach/container-routes.js';
import { connectEngine } from '../../runtime/container/connect-engine.js';
import { noSuchContainer } from '../../runtime/container/engine.js';
import { EngineExecs } from '../../runtime/container/engine-execs.js';
import type { EngineName } from '../../runtime/container/engine-kind.js';
import {
  type EnginePlace,
  enginePlace,
  foreignProcess,
} from '../../runtime/container/engine-place.js';
import { isAlive } from '../../runtime/container/inspect.js';
import { NetnsConnectors } from '../../runtime/container/netns.js';
import { LocalRuntime } from '../../runtime/local-runtime.js';
import { UsageError } from '../../usage-error.js';
import { engineTransports } from './checked-transports.js';
import {
  type LocalTargetOptions,
  runtimeOptions,
  type Target,
  type TargetOptions,
} from './local-target.js';
import { describeRoutes, unreachablePorts } from './probed-ports.js';

export interface EngineTargetOptions extends TargetOptions {
  readonly engine: EngineName;
  readonly pods: readonly LoadedPod[];
  /** Node's executable, which runs kprobe's helper. */
  readonly nodePath: string;
}

interface AttachTargetOptions
  extends EngineTargetOptions, Pick<LocalTargetOptions, 'ports' | 'execAllowed'> {
  readonly choices: readonly ContainerChoice[];
  /** Restart containers for real. */
  readonly restarts: boolean;
  readonly via: Via;
}

export type ContainerTarget =
  | {
      readonly kind: 'target';
      readonly target: Target;
      readonly notes: readonly string[];
      /** Fields of the manifest that are not honored. */
      readonly warnings?: readonly Diagnostic[];
      /** Reports what the pods of a changed manifest need, as was done for the first ones. */
      readonly check?: (pods: readonly LoadedPod[]) => readonly Diagnostic[];
    }
  /** The manifest needs something that this machine does not have; nothing was started. */
  | { readonly kind: 'diagnostics'; readonly diagnostics: readonly Diagnostic[] };

/**
 * Uses running containers of an engine as the containers of pods. Inspects them once, and starts nothing.
 *
 * @throws UsageError when a container does not exist, or its network cannot be entered
 * @throws RuntimeError when the engine cannot be reached
 */
export async function attachTarget(options: AttachTargetOptions): Promise<ContainerTarget> {
  const { clock, host, choices, pods, restarts, via, nodePath } = options;
  const engine = await connectEngine(options.engine, clock, host);
  const connectors = via === 'exec' ? new NetnsConnectors(nodePath) : undefined;
  const containers = new AttachedContainers({
    engine,
    clock,
    choices,
    restarts,
    execs: new EngineExecs({ engine, clock, host }),
    onClose: () => connectors?.close(),
  });
  await containers.refresh();
  const missing = containers.all.flatMap(({ name, seen }) => (seen === undefined ? [name] : []));
  if (missing.length > 0) throw new UsageError(await noSuchContainer(engine, missing));
  const place = await enginePlace(engine);
  if (connectors !== undefined) await checkEntry(containers, connectors, place);
  const routes = new ContainerRoutes({ ...options, containers, place, connectors });
  if (unreachablePorts(pods, routes).length > 0) await routes.refresh();
  const diagnostics = unreachablePorts(pods, routes);
  if (diagnostics.length > 0) return { kind: 'diagnostics', diagnostics };
  const target: Target = {
    name: 'containers',
    realRestarts: restarts ? choices.map(({ container }) => container) : [],
    transports: engineTransports(options, engine, routes),
    createRuntime: (listener) =>
      new LocalRuntime({
        ...runtimeOptions(options),
        name: engine.kind.name,
        listener,
        external: containers,
        backingFor: localBackings(),
      }),
  };
  return { kind: 'target', target, notes: notes(options, containers, routes) };
}

async function checkEntry(
  containers: AttachedContainers,
  connectors: NetnsConnectors,
  place: EnginePlace,
): Promise<void> {
  if (place.kind === 'remote') {
    throw new UsageError(`--via exec: the engine is at ${place.host}, not on this machine`);
  }
  for (const container of containers.all) {
    const { name, seen } = container;
    if (seen === undefined || !isAlive(seen)) continue;
    const foreign = foreignProcess(seen);
    const problem = foreign ?? (await connectors.check(seen.pid));
    if (problem === undefined) continue;
    await containers.refreshAgain();
    // It may have ended since.
    if (container.seen?.pid !== seen.pid) continue;
    connectors.close();
    const hint = foreign === undefined ? ' (run kprobe as root)' : '';
    throw new UsageError(`--via exec: ${name}: ${problem}${hint}`);
  }
}

function notes(
  { restarts, pods }: AttachTargetOptions,
  containers: AttachedContainers,
  routes: ContainerRoutes,
): string[] {
  const names = containers.all.map(({ name }) => name).join(', ');
  const restarted = restarts ? 'restarts are done for real' : 'restarts are simulated';
  return [`attached to ${names}: ${restarted}`, ...describeRoutes(pods, routes)];
}
