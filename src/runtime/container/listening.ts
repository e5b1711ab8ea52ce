import { readFile } from 'node:fs/promises';

import { type Clock, withTimeout } from '../../clock/clock.js';
import { isLoopback } from '../../go/addr.js';
import type { Inspection } from '../../kubelet/ports.js';
import { accepts, addressIn, factsOfContainer, socketsIn } from '../process-facts.js';
import type { Engine } from './engine.js';
import { foreignProcess } from './engine-place.js';
import type { Inspected } from './inspect.js';

/** Milliseconds that a command may take to list the sockets of a container. */
const EXEC_LIMIT = 2000;

const FILES = ['tcp', 'tcp6'];

interface Listener {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly holder: Inspected;
  /** The id of a container in the holder's network, in which a command may run. */
  readonly id: string;
  readonly port: number;
}

/**
 * Reports whether a TCP port of a container listens where others reach it: an engine's proxy accepts connections to a
 * published port in any case. Returns undefined where neither /proc nor a command in the container shows the sockets.
 */
export async function listensInside(listener: Listener): Promise<boolean | undefined> {
  const { holder, port } = listener;
  const text = (await socketsFromHost(holder)) ?? (await socketsFromWithin(listener));
  if (text === undefined) return undefined;
  return socketsIn(text).some((socket) =>
    // The engine does not say which address a container has in slirp4netns or pasta, podman's networks for users.
    holder.ips.length === 0
      ? socket.port === port && !isLoopback(socket.address)
      : holder.ips.some((ip) => accepts(socket, ip, port)),
  );
}

async function socketsFromHost(holder: Inspected): Promise<string | undefined> {
  if (foreignProcess(holder) !== undefined) return undefined;
  const files = FILES.map((file) =>
    readFile(`/proc/${holder.pid}/net/${file}`, 'latin1').catch(() => ''),
  );
  return (await Promise.all(files)).join('') || undefined;
}

/** Returns the facts of a running container: from /proc if its processes are on this machine, else by a command in it. */
export function inspectContainer(
  { engine, clock }: Pick<Listener, 'engine' | 'clock'>,
  container: Inspected,
): Inspection {
  const isHostNetwork = container.networkMode === 'host';
  if (foreignProcess(container) === undefined) {
    const facts = factsOfContainer(container.pid, isHostNetwork);
    if (facts !== undefined) return facts;
  }
  if (isHostNetwork) return undefined;
  return socketsFromWithin({ engine, clock, id: container.id }).then((text) =>
    text === undefined
      ? undefined
      : { started: true, sockets: socketsIn(text).map(addressIn), processes: [] },
  );
}

async function socketsFromWithin({
  engine,
  clock,
  id,
}: Pick<Listener, 'engine' | 'clock' | 'id'>): Promise<string | undefined> {
  const command = ['cat', ...FILES.map((file) => `/proc/net/${file}`)];
  const kill = new AbortController();
  const running = engine.exec(id, command, 'KPROBE_SOCKETS=1', kill.signal);
  const first = await withTimeout(clock, running, EXEC_LIMIT);
  kill.abort();
  const end = first === 'done' ? await running : undefined;
  // Without IPv6 there is no tcp6, and the command fails after it has printed the rest.
  const text = end?.kind === 'exited' ? new TextDecoder().decode(end.stdout) : '';
  return text.includes('local_address') ? text : undefined;
}
