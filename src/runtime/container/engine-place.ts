import { readFileSync, readlinkSync } from 'node:fs';
import { platform } from 'node:os';
import type { Duplex } from 'node:stream';

import { isLoopback } from '../../go/addr.js';
import type { ProbeTarget } from '../../kubelet/ports.js';
import { readOr, startTicks, statFields, TICKS } from '../../process/processes.js';
import type { Engine } from './engine.js';
import type { Inspected } from './inspect.js';

/** The place of an engine's containers, which determines how their ports are reached. */
export type EnginePlace =
  /** The containers run on this machine, with its network. */
  | { readonly kind: 'here' }
  /** The containers run in a virtual machine or a user's network, whose published ports are forwarded to this machine. */
  | { readonly kind: 'forwarded' }
  | { readonly kind: 'remote'; readonly host: string }
  /** The ports of the containers cannot be reached. */
  | { readonly kind: 'unknown'; readonly reason: string };

type Address = { readonly host: string; readonly port: number };
type Route<T> = (target: ProbeTarget, host: string, port: number) => T;

/** The ways of attempts to the containers of an engine. */
export interface EngineRoutes {
  /** Returns the address to dial in place of the kubelet's. */
  readonly dial: Route<Address | Promise<Address>>;
  /** Connects from within the network of a pod or container where its ports are reached that way. */
  readonly connect: Route<Promise<Duplex> | undefined>;
  /**
   * Returns the container whose network has the published port that an attempt goes to, and the id of the one in which a
   * command may look for the port; undefined for other attempts.
   */
  readonly publishedTarget: Route<{ readonly holder: Inspected; readonly id: string } | undefined>;
}

const FORWARDS = /Docker Desktop|docker-desktop|name=rootless|"rootless":true/;

/** Asks the engine for its place. An engine that seems to be here may still be elsewhere: see `foreignProcess`. */
export async function enginePlace(engine: Engine): Promise<EnginePlace> {
  const host = remoteHost(engine.endpoint);
  if (host !== undefined) return { kind: 'remote', host };
  const isHere = platform() === 'linux' && !FORWARDS.test(await engine.info());
  return { kind: isHere ? 'here' : 'forwarded' };
}

/** Returns the host of an endpoint that is not on this machine. */
export function remoteHost(endpoint: string): string | undefined {
  if (!/^(?:tcp|ssh|https?):\/\//.test(endpoint) || !URL.canParse(endpoint)) return undefined;
  const host = new URL(endpoint).hostname.replaceAll(/[[\]]/g, '');
  return host === '' || isLoopback(host) ? undefined : host;
}

/** Seconds that a process may have started before the time that its engine reports. */
const START_SKEW = 5;

/** Returns why the process with a running container's id is another one, on this machine; undefined if it is the container's. */
export function foreignProcess({ id, name, pid, startedAt = 0 }: Inspected): string | undefined {
  if (platform() !== 'linux') return undefined;
  const problem = `process ${pid} of this machine is not ${name}, so its engine runs elsewhere`;
  try {
    const cgroup = readFileSync(`/proc/${pid}/cgroup`, 'latin1');
    if (cgroup.includes(id)) return undefined;
    // A cgroup without any container's id decides nothing: compare the starts.
    if (/[0-9a-f]{64}/.test(cgroup)) return problem;
    return Math.abs(startOf(pid) - startedAt / 1000) < START_SKEW ? undefined : problem;
  } catch {
    // Where this user sees no other user's processes, it may be one of those.
    const file = readOr(() => readFileSync('/proc/1/cgroup', 'latin1'), undefined);
    return file === undefined ? undefined : problem;
  }
}

/** Returns why the ports of a running container are not those of this machine's network. */
export function foreignNetwork(container: Inspected): string | undefined {
  const problem = foreignProcess(container);
  if (problem !== undefined || platform() !== 'linux') return problem;
  const { pid, name, networkMode } = container;
  try {
    // The container's parent has the engine's network.
    const holder = networkMode === 'host' ? pid : statOf(pid)[1];
    if (readlinkSync(`/proc/${holder}/ns/net`) === readlinkSync('/proc/self/ns/net'))
      return undefined;
    return `the engine of ${name} is in another network namespace`;
  } catch {
    // The process is another user's: its namespace is unknown.
    return undefined;
  }
}

function statOf(pid: number): readonly string[] {
  return statFields(readFileSync(`/proc/${pid}/stat`, 'latin1'));
}

/** Returns a process's start in seconds since 1970. */
function startOf(pid: number): number {
  const boot = /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'latin1'))?.[1];
  return Number(boot) + startTicks(statOf(pid)) / TICKS;
}
