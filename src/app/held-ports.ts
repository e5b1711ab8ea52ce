import type { Diagnostic } from '../manifest/diagnostic.js';
import type { LoadedPod } from '../manifest/pods/load-pod.js';
import { isListening, portHolder } from '../runtime/port-holder.js';
import { problemOf } from './preflight.js';
import { probePortsOf } from './probed-ports.js';

interface HeldPortsOptions {
  /** The pod that has the container, and the container that a command runs as. */
  readonly loaded: LoadedPod;
  readonly container: string;
  /** The address on which the command will listen. */
  readonly address: string;
  /** Container port → local port. */
  readonly ports: ReadonlyMap<number, number>;
}

/** Finds the probes whose port answers before their command starts: they would probe another process. */
export async function heldPorts(options: HeldPortsOptions): Promise<readonly Diagnostic[]> {
  const { loaded, container, address, ports } = options;
  const answered = new Map<number, boolean>();
  const found: Diagnostic[] = [];
  for (const { name, field, port } of probePortsOf(loaded, container, address)) {
    const local = ports.get(port) ?? port;
    const known = answered.get(local);
    const isHeld = known ?? (await isListening(address, local));
    answered.set(local, isHeld);
    // One diagnostic per port, at its first probe.
    if (!isHeld || known !== undefined) continue;
    const message = `port ${local} is in use${holderOf(address, local)}: the ${name} would probe that, not the command`;
    const hint =
      'stop it, or map the port to a free one with -p LOCAL:CONTAINER; --allow-shared-port starts the command anyway';
    found.push(problemOf(loaded, { field, message, hint }));
  }
  return found;
}

function holderOf(address: string, port: number): string {
  const holder = portHolder(address, port);
  return holder === undefined ? '' : ` by ${holder.name} (pid ${holder.pid})`;
}
