import { type Container, handlersOf, type PodSpec } from '../../api/index.js';
import type { FieldProblem } from '../diagnostic.js';
import { similarName } from '../similar-name.js';

export interface PortWarning extends FieldProblem {
  readonly near?: string;
}

/**
 * Returns warnings about probes and hooks whose port is a name that their container does not have. The API server
 * accepts them; the kubelet looks only at the container's own ports, and fails each attempt.
 */
export function portWarnings({ containers, initContainers = [] }: PodSpec): readonly PortWarning[] {
  return Object.entries({ containers, initContainers }).flatMap(([list, all]) =>
    all.flatMap((container, index) =>
      handlersOf(container).flatMap(({ name, handler }) =>
        (['httpGet', 'tcpSocket'] as const).flatMap((action) => {
          const port = handler[action]?.port;
          const field = `spec.${list}[${index}].${name}.${action}.port`;
          return typeof port === 'string' ? warn(port, field, container) : [];
        }),
      ),
    ),
  );
}

function warn(port: string, field: string, container: Container): readonly PortWarning[] {
  const names = (container.ports ?? []).flatMap(({ name }) => name ?? []);
  if (names.includes(port)) return [];
  const message = `container "${container.name}" has no port named "${port}"; the kubelet fails every attempt`;
  return [{ field, message, ...portHint(port, names) }];
}

/** Returns a hint about a port name that does not exist, given the names that do. */
export function portHint(
  port: string,
  names: readonly string[],
): Pick<PortWarning, 'hint' | 'near'> {
  const near = similarName(port, names);
  if (near !== undefined) return { hint: `did you mean "${near}"?`, near };
  if (names.length === 0) return { hint: 'use the port number, or name the port in ports' };
  return { hint: `its ports are ${names.map((name) => `"${name}"`).join(', ')}` };
}
