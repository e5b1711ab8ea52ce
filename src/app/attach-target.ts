import { RuntimeError } from '../kubelet/ports.js';
import type { Diagnostic } from '../manifest/diagnostic.js';
import type { LoadedPod } from '../manifest/pods/load-pod.js';
import { LocalExec } from '../probe/local-exec.js';
import { createTransports } from '../probe/transports.js';
import { AttachedRuntime } from '../runtime/container/attach/attached-runtime.js';
import { AttachedView, type ContainerChoice } from '../runtime/container/attach/attached-view.js';
import { ContainerRoutes, type Via } from '../runtime/container/attach/container-routes.js';
import { EngineCli } from '../runtime/container/engine-cli.js';
import { EngineExecs } from '../runtime/container/engine-execs.js';
import { engineKind, type EngineName } from '../runtime/container/engine-kind.js';
import { isNativeEngine } from '../runtime/container/engine-queries.js';
import { isAlive } from '../runtime/container/inspect.js';
import { NetnsConnectors } from '../runtime/container/netns.js';
import { configSource } from '../runtime/environment/config.js';
import { localNode } from '../runtime/host.js';
import { localStandIns } from '../runtime/stand-in.js';
import { attachDiagnostics, describeRoutes } from './attach-diagnostics.js';
import type { LocalTargetOptions, Target } from './local-target.js';
import { proxyNotes } from './proxy-notes.js';

export interface AttachTargetOptions extends Omit<LocalTargetOptions, 'process'> {
  readonly engine: EngineName;
  readonly choices: readonly ContainerChoice[];
  readonly pods: readonly LoadedPod[];
  /** Restarts are done, not simulated. */
  readonly restarts: boolean;
  readonly via: Via;
  /** What runs a helper of ours: Node's own executable. */
  readonly nodePath: string;
}

export type ContainerTarget =
  | { readonly kind: 'target'; readonly target: Target; readonly notes: readonly string[] }
  /** The manifest asks for what cannot be had here; nothing was started. */
  | { readonly kind: 'diagnostics'; readonly diagnostics: readonly Diagnostic[] }
  /** The user named what is not there. */
  | { readonly kind: 'usage'; readonly message: string }
  /** The engine cannot be asked. */
  | { readonly kind: 'unreachable'; readonly message: string };

/** Containers of an engine that run already, as the containers of pods. Looks at them once, and starts nothing. */
export async function attachTarget(options: AttachTargetOptions): Promise<ContainerTarget> {
  const { clock, host, engine, choices, restarts, via, nodePath } = options;
  const cli = new EngineCli({ kind: engineKind(engine), clock, host });
  const execs = new EngineExecs({ cli, clock, host });
  const view = new AttachedView({ cli, clock, execs, choices, restarts });
  try {
    await view.refresh();
  } catch (error) {
    if (!(error instanceof RuntimeError)) throw error;
    return { kind: 'unreachable', message: error.message };
  }
  const missing = view.containers.filter(({ seen }) => seen === undefined);
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(', ');
    return {
      kind: 'usage',
      message: `no such container: ${names} (${engine} ps -a lists what there is)`,
    };
  }
  const isNative = await isNativeEngine(cli);
  const connectors = via === 'exec' ? new NetnsConnectors(nodePath) : undefined;
  const entry = await checkEntry(view, connectors);
  if (entry !== undefined) return { kind: 'usage', message: entry };
  const routes = new ContainerRoutes({ ...options, view, isNative, connectors });
  const diagnostics = attachDiagnostics(options.pods, routes);
  if (diagnostics.length > 0) return { kind: 'diagnostics', diagnostics };
  return {
    kind: 'target',
    target: {
      name: 'containers',
      ...runtimeAndTransports(options, cli, execs, view, routes, connectors),
    },
    notes: notes(options, view, routes),
  };
}

/** Whether the containers' networks can be entered: why not, or undefined. */
async function checkEntry(
  view: AttachedView,
  connectors: NetnsConnectors | undefined,
): Promise<string | undefined> {
  for (const { name, seen } of connectors === undefined ? [] : view.containers) {
    if (seen === undefined || !isAlive(seen)) continue;
    const why = await connectors?.check(seen.pid);
    if (why !== undefined) {
      connectors?.close();
      return `--via exec: ${name}: ${why}`;
    }
  }
  return undefined;
}

function runtimeAndTransports(
  options: AttachTargetOptions,
  cli: EngineCli,
  execs: EngineExecs,
  view: AttachedView,
  routes: ContainerRoutes,
  connectors: NetnsConnectors | undefined,
): Omit<Target, 'name'> {
  const { clock, host, address, kubeletVersion, configMaps, secrets } = options;
  const exec = options.execAllowed ? { exec: new LocalExec(clock, host) } : {};
  return {
    transports: createTransports({
      clock,
      kubeletVersion,
      dial: routes.dial,
      ...(connectors === undefined ? {} : { connect: routes.connect }),
    }),
    createRuntime: (listener) =>
      new AttachedRuntime({
        cli,
        clock,
        host,
        address,
        listener,
        execs,
        view,
        onClose: () => connectors?.close(),
        node: localNode(address),
        config: configSource(configMaps, secrets),
        standInFor: localStandIns(),
        ...exec,
      }),
  };
}

function notes(
  { restarts, pods }: AttachTargetOptions,
  view: AttachedView,
  routes: ContainerRoutes,
): string[] {
  const names = view.containers.map(({ name }) => name).join(', ');
  const how = restarts ? 'restarts are done for real' : 'restarts are simulated, it is left alone';
  const proxied = proxyNotes(
    pods.map(({ pod }) => pod),
    (...probed) => {
      const way = routes.addressOf(...probed);
      return way?.kind === 'address' && way.how === 'published';
    },
  );
  return [`attached to ${names}: ${how}`, ...describeRoutes(pods, routes), ...proxied];
}
