import type { Diagnostic } from '../../manifest/diagnostic.js';
import type { LoadedPod } from '../../manifest/pods/load-pod.js';
import { createTransports } from '../../probe/transports.js';
import {
  AttachedRuntime,
  AttachedView,
  type ContainerChoice,
} from '../../runtime/container/attach/attached-runtime.js';
import { ContainerRoutes, type Via } from '../../runtime/container/attach/container-routes.js';
import { connectEngine } from '../../runtime/container/connect-engine.js';
import { EngineExecs } from '../../runtime/container/engine-execs.js';
import type { EngineName } from '../../runtime/container/engine-kind.js';
import {
  type EnginePlace,
  enginePlace,
  foreignProcess,
} from '../../runtime/container/engine-place.js';
import { isAlive } from '../../runtime/container/inspect.js';
import { NetnsConnectors } from '../../runtime/container/netns.js';
import { localStandIns } from '../../runtime/stand-in.js';
import { UsageError } from '../../usage-error.js';
import {
  type LocalTargetOptions,
  runtimeOptions,
  type Target,
  type TargetOptions,
} from './local-target.js';
import { describeRoutes, proxyNotes, unreachablePorts } from './probed-ports.js';

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
  const execs = new EngineExecs(engine);
  const view = new AttachedView({ engine, clock, execs, choices, restarts });
  await view.refresh();
  const missing = view.containers.filter(({ seen }) => seen === undefined);
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(', ');
    throw new UsageError(
      `no such container: ${names} (${options.engine} ps -a lists all containers)`,
    );
  }
  const place = await enginePlace(engine);
  const connectors = via === 'exec' ? new NetnsConnectors(nodePath) : undefined;
  if (connectors !== undefined) await checkEntry(view, connectors, place);
  const routes = new ContainerRoutes({ ...options, view, place, connectors });
  const diagnostics = unreachablePorts(pods, routes);
  if (diagnostics.length > 0) return { kind: 'diagnostics', diagnostics };
  const target: Target = {
    name: 'containers',
    realRestarts: restarts ? choices.map(({ container }) => container) : [],
    transports: createTransports({
      ...{ clock, kubeletVersion: options.kubeletVersion, dial: routes.dial },
      ...(connectors && { connect: routes.connect }),
    }),
    createRuntime: (listener) =>
      new AttachedRuntime({
        ...{ ...runtimeOptions(options), listener, engine, execs, view },
        onClose: () => connectors?.close(),
        standInFor: localStandIns(),
      }),
  };
  return { kind: 'target', target, notes: notes(options, view, routes) };
}

async function checkEntry(
  view: AttachedView,
  connectors: NetnsConnectors,
  place: EnginePlace,
): Promise<void> {
  if (place.kind === 'remote') {
    throw new UsageError(`--via exec: the engine is at ${place.host}, not on this machine`);
  }
  for (const { name, seen } of view.containers) {
    if (seen === undefined || !isAlive(seen)) continue;
    const foreign = foreignProcess(seen);
    const why = foreign ?? (await connectors.check(seen.pid));
    if (why === undefined) continue;
    connectors.close();
    const hint = foreign === undefined ? ' (run kprobe as root)' : '';
    throw new UsageError(`--via exec: ${name}: ${why}${hint}`);
  }
}

function notes(
  { restarts, pods }: AttachTargetOptions,
  view: AttachedView,
  routes: ContainerRoutes,
): string[] {
  const names = view.containers.map(({ name }) => name).join(', ');
  const how = restarts ? 'restarts are done for real' : 'restarts are simulated';
  const proxied = proxyNotes(pods, (...probed) => {
    const route = routes.addressOf(...probed);
    return route?.kind === 'address' && route.how === 'published';
  });
  return [`attached to ${names}: ${how}`, ...describeRoutes(pods, routes), ...proxied];
}
