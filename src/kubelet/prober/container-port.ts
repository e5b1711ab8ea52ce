import type { Container, IntOrString } from '../../api/index.js';
import { toByteString } from '../../go/byte-string.js';
import { atoi64 } from '../../go/parse-int.js';
import { fail, ok, type Result } from '../../go/result.js';

/**
 * A probe's port: a number, a container port's name, or a number as a string. Ports
 * ResolveContainerPort (pkg/probe/util.go).
 */
export function resolveContainerPort(port: IntOrString, container: Container): Result<number> {
  const resolved = typeof port === 'number' ? ok(port) : portByName(port, container);
  if (!resolved.ok) return resolved;
  const number = Number(resolved.value);
  return number > 0 && number < 65536 ? ok(number) : fail(`invalid port number: ${resolved.value}`);
}

/** Ports findPortByName (pkg/probe/util.go), with what its caller does when there is none. */
function portByName(name: string, container: Container): Result<number | bigint> {
  const port = container.ports?.find((each) => (each.name ?? '') === name);
  // Last ditch effort - maybe it was an int stored as string?
  return port ? ok(port.containerPort) : atoi64(toByteString(name));
}
