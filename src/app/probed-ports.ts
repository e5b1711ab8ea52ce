import { type Container, handlersOf, type IntOrString } from '../api/index.js';
import { resolveContainerPort } from '../kubelet/prober/http-request.js';

/** A port that a probe or a hook of a container goes to, on the pod's own address. */
export interface ProbedPort {
  /** Of the handler's port, from the container: `livenessProbe.httpGet.port`. */
  readonly path: string;
  readonly port: number;
}

/** The ports that the kubelet would dial on a container; names that are not declared are left out. */
export function probedPorts(container: Container): readonly ProbedPort[] {
  return handlersOf(container).flatMap(({ name, handler }) => {
    const { httpGet, tcpSocket } = handler;
    const grpc = 'grpc' in handler ? handler.grpc : undefined;
    return [
      ...found(container, `${name}.httpGet.port`, httpGet),
      ...found(container, `${name}.tcpSocket.port`, tcpSocket),
      ...found(container, `${name}.grpc.port`, grpc),
    ];
  });
}

interface Dialled {
  readonly port: IntOrString;
  readonly host?: string;
}

function found(container: Container, path: string, handler: Dialled | undefined): ProbedPort[] {
  if (handler === undefined || (handler.host ?? '') !== '') return [];
  const port = resolveContainerPort(handler.port, container);
  return port.ok ? [{ path, port: port.value }] : [];
}
