import { type Container, handlersOf, type IntOrString, type PodSpec } from '../../api/index.js';
import { suggest } from '../suggest.js';

interface PortWarning {
  readonly field: string;
  readonly message: string;
  readonly hint?: string;
  /** The container's port of a similar name. */
  readonly near?: string;
}

/**
 * Returns warnings about probes and hooks whose port is a name that their container does not have. The API server
 * accepts them; the kubelet looks only at the container's own ports, and fails each attempt.
 */
export function portWarnings(spec: PodSpec): readonly PortWarning[] {
  return [
    ...ofContainers(spec.containers, 'spec.containers'),
    ...ofContainers(spec.initContainers ?? [], 'spec.initContainers'),
  ];
}

function ofContainers(containers: readonly Container[], path: string): readonly PortWarning[] {
  return containers.flatMap((container, index) =>
    namedPorts(container, `${path}[${index}]`).flatMap(({ field, port }) =>
      typeof port === 'string' ? warn(port, field, container) : [],
    ),
  );
}

function namedPorts(
  container: Container,
  path: string,
): readonly { readonly field: string; readonly port: IntOrString | undefined }[] {
  return handlersOf(container).flatMap(({ name, handler }) => [
    { field: `${path}.${name}.httpGet.port`, port: handler.httpGet?.port },
    { field: `${path}.${name}.tcpSocket.port`, port: handler.tcpSocket?.port },
  ]);
}

function warn(port: string, field: string, container: Container): readonly PortWarning[] {
  const names = (container.ports ?? []).flatMap(({ name }) => name ?? []);
  if (names.includes(port)) return [];
  const near = suggest(port, names);
  const message = `container "${container.name}" has no port named "${port}"; the kubelet fails every attempt`;
  return [{ field, message, ...hintFor(near, names) }];
}

function hintFor(
  near: string | undefined,
  names: readonly string[],
): Pick<PortWarning, 'hint' | 'near'> {
  if (near !== undefined) return { hint: `did you mean "${near}"?`, near };
  if (names.length === 0) return { hint: 'use the port number, or name the port in ports' };
  return { hint: `its ports are ${names.map((name) => `"${name}"`).join(', ')}` };
}
