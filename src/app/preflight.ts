import {
  type Container,
  handlersOf,
  type LifecycleHandler,
  type Pod,
  type Probe,
} from '../api/index.js';
import type { Diagnostic } from '../manifest/diagnostic.js';
import type { LoadedPod } from '../manifest/pods/load-pod.js';

export interface PreflightOptions {
  /** Exec probes and hooks may run where the target is. */
  readonly execAllowed: boolean;
  /** Containers whose commands run in a container, not on this machine. */
  readonly inEngine?: (pod: Pod, container: string) => boolean;
  /** The address used for the pods. */
  readonly host: string;
  /** Other hosts may be contacted. */
  readonly hostsAllowed: boolean;
  /** Handlers of a container that run, such as `livenessProbe` or `lifecycle.preStop`; all by default. */
  readonly runs?: (container: string, handler: string) => boolean;
}

type Handler = Pick<Probe, 'exec' | 'httpGet' | 'tcpSocket'> & Pick<LifecycleHandler, 'sleep'>;

/** Reports what a manifest requests without the user's permission, before anything starts. */
export function preflight(pods: readonly LoadedPod[], options: PreflightOptions): Diagnostic[] {
  return pods.flatMap((loaded) =>
    handlersOfPod(loaded).flatMap(({ path, container, name, handler }) => {
      if (options.runs?.(container, name) === false) return [];
      const inEngine = options.inEngine?.(loaded.pod, container) ?? false;
      const execAllowed = options.execAllowed || inEngine;
      return problems(loaded, path, handler, { ...options, execAllowed });
    }),
  );
}

function problems(
  loaded: LoadedPod,
  path: string,
  handler: Handler,
  { execAllowed, host, hostsAllowed }: PreflightOptions,
): Diagnostic[] {
  const found: Diagnostic[] = [];
  if (handler.exec !== undefined && !execAllowed) {
    const command = (handler.exec.command ?? []).join(' ');
    found.push(
      diagnostic(
        loaded,
        `${path}.exec`,
        `would run on this machine: ${command}`,
        'to allow that, add --allow-local-exec',
      ),
    );
  }
  for (const kind of ['httpGet', 'tcpSocket'] as const) {
    const named = handler[kind]?.host ?? '';
    if (named === '' || named === host || isLoopback(named) || hostsAllowed) continue;
    found.push(
      diagnostic(
        loaded,
        `${path}.${kind}.host`,
        `would contact ${named}, which is not this machine`,
        'to allow that, add --allow-host',
      ),
    );
  }
  return found;
}

function diagnostic(
  { source, positions }: LoadedPod,
  field: string,
  message: string,
  hint: string,
): Diagnostic {
  return { severity: 'error', file: source.file, ...positions(field), field, message, hint };
}

interface Found {
  readonly path: string;
  readonly container: string;
  readonly name: string;
  readonly handler: Handler;
}

function handlersOfPod({ pod: { spec } }: LoadedPod): Found[] {
  const inList = (list: 'containers' | 'initContainers'): Found[] =>
    (spec[list] ?? []).flatMap((container, index) =>
      // An init container without a target never runs.
      list === 'initContainers' && container.restartPolicy !== 'Always'
        ? []
        : handlersOfContainer(container, `spec.${list}[${index}]`),
    );
  return [...inList('initContainers'), ...inList('containers')];
}

function handlersOfContainer(container: Container, path: string): Found[] {
  return handlersOf(container).map(({ name, handler }) => ({
    path: `${path}.${name}`,
    container: container.name,
    name,
    handler,
  }));
}

/** Names need --allow-host, except the one that always means this machine. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
