import { type Container, containersWithPath, handlersOf, omitUndefined } from '../../api/index.js';
import { resolveContainerPort } from '../../kubelet/prober/http-request.js';
import type { Diagnostic } from '../../manifest/diagnostic.js';
import type { LoadedPod } from '../../manifest/pods/load-pod.js';
import type { ContainerRoutes } from '../../runtime/container/attach/container-routes.js';
import { UsageError } from '../../usage-error.js';
import { problemOf } from './permissions.js';

/** A port that a probe or a hook of a container dials on the pod's own address. */
interface ProbedPort {
  /** Path of the handler's port in the container: `livenessProbe.httpGet.port`. */
  readonly path: string;
  readonly port: number;
}

/** Returns the ports that the kubelet would dial on a container at the pod's address, without undeclared names. */
export function probedPorts(container: Container, address = ''): readonly ProbedPort[] {
  return handlersOf(container).flatMap(({ name, handler }) => {
    const { httpGet, tcpSocket } = handler;
    const grpc = 'grpc' in handler ? handler.grpc : undefined;
    return Object.entries({ httpGet, tcpSocket, grpc }).flatMap(([kind, dialed]) => {
      if (dialed === undefined) return [];
      const named = ('host' in dialed && dialed.host) || '';
      if (named !== '' && named !== address) return [];
      const port = resolveContainerPort(dialed.port, container);
      return port.ok ? [{ path: `${name}.${kind}.port`, port: port.value }] : [];
    });
  });
}

interface ProbedPortOfPod {
  readonly loaded: LoadedPod;
  readonly container: Container;
  /** `livenessProbe`, or `lifecycle` for a hook. */
  readonly handler: string;
  /** Path of the port in the pod. */
  readonly field: string;
  readonly port: number;
}

function portsOfPods(pods: readonly LoadedPod[], address?: string): readonly ProbedPortOfPod[] {
  return pods.flatMap((loaded) =>
    containersWithPath(loaded.pod.spec, 'spec').flatMap(({ container, at }) =>
      probedPorts(container, address).map(({ path, port }) => {
        const handler = path.split('.', 1).join();
        return { loaded, container, handler, field: `${at}.${path}`, port };
      }),
    ),
  );
}

/** Returns the ports that the probes of one container dial. */
export function probePortsOf(
  loaded: LoadedPod,
  name: string,
  address: string,
): readonly ProbedPortOfPod[] {
  return portsOfPods([loaded], address).filter(
    ({ container, handler }) => container.name === name && handler !== 'lifecycle',
  );
}

/** Throws a UsageError for a `-p` that maps a port that nothing dials. */
export function rejectUnusedPorts(
  dialed: Iterable<number>,
  ports: ReadonlyMap<number, number> = new Map(),
): void {
  const known = new Set(dialed);
  for (const [port, local] of ports) {
    if (known.has(port)) continue;
    const probed =
      known.size === 0
        ? 'no port is probed'
        : `probed: ${[...known].sort((a, b) => a - b).join(', ')}`;
    throw new UsageError(`-p ${local}:${port}: no probe uses port ${port} (${probed})`);
  }
}

export function allProbedPorts(pods: readonly LoadedPod[], address: string): readonly number[] {
  return portsOfPods(pods, address).map(({ port }) => port);
}

export function unreachablePorts(
  pods: readonly LoadedPod[],
  routes: ContainerRoutes,
): Diagnostic[] {
  return portsOfPods(pods).flatMap(({ loaded, container, field, port }) => {
    const route = routes.addressOf(loaded.pod, container, port);
    if (route?.kind !== 'none') return [];
    const { reason: message, hint } = route;
    return problemOf(loaded, { field, message, ...omitUndefined({ hint }) });
  });
}

export function describeRoutes(pods: readonly LoadedPod[], routes: ContainerRoutes): string[] {
  const lines = portsOfPods(pods).flatMap(({ loaded, container, port }) => {
    const route = routes.addressOf(loaded.pod, container, port);
    if (route?.kind !== 'address') return [];
    const { host, port: local, route: kind } = route;
    return [`port ${port} of ${container.name} is reached at ${host}:${local} (${ROUTES[kind]})`];
  });
  return [...new Set(lines)];
}

const ROUTES = {
  'host network': "the host's network",
  published: 'the published port',
  'container address': "the container's address",
  mapped: '-p',
  within: "from within the container's network",
} as const;
