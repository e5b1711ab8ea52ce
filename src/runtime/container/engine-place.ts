import { readFileSync, readlinkSync } from 'node:fs';
import { platform } from 'node:os';

import { isLoopback } from '../../go/addr.js';
import { startTicks, statFields, TICKS } from '../../process/processes.js';
import type { Engine } from './engine.js';
import type { Inspected } from './inspect.js';

/** Where an engine's containers run, and so how their ports are reached. */
export type EnginePlace =
  /** On this machine, with its network. */
  | { readonly kind: 'here' }
  /** In a virtual machine or a user's network, whose published ports are forwarded to this machine's. */
  | { readonly kind: 'forwarded' }
  | { readonly kind: 'remote'; readonly host: string }
  /** Somewhere that kprobe cannot reach. */
  | { readonly kind: 'unknown'; readonly why: string };

const FORWARDS = /Docker Desktop|docker-desktop|name=rootless|"rootless":true/;

/** Asks the engine for its place. Whether a container's process is of this machine is seen once it runs. */
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

/** Seconds by which a process may have started before its engine says. */
const START_SKEW = 5;

/** Returns why a running container is no process of this machine, which may have others of the same id. */
export function foreignProcess({ id, name, pid, startedAt = 0 }: Inspected): string | undefined {
  if (platform() !== 'linux') return undefined;
  const why = `process ${pid} of this machine is not ${name}, so its engine runs elsewhere`;
  try {
    const cgroup = readFileSync(`/proc/${pid}/cgroup`, 'latin1');
    if (cgroup.includes(id)) return undefined;
    // Without cgroups of its own, its start tells.
    if (/[0-9a-f]{64}/.test(cgroup)) return why;
    return Math.abs(startOf(pid) - startedAt / 1000) < START_SKEW ? undefined : why;
  } catch {
    return isProcHidden() ? undefined : why;
  }
}

/** Returns why the ports of a running container are not those of this machine's network. */
export function foreignNetwork(container: Inspected): string | undefined {
  const why = foreignProcess(container);
  if (why !== undefined || platform() !== 'linux') return why;
  const { pid, name, networkMode } = container;
  try {
    // Its parent is the engine's.
    const holder = networkMode === 'host' ? pid : statOf(pid)[1];
    if (readlinkSync(`/proc/${holder}/ns/net`) === readlinkSync('/proc/self/ns/net'))
      return undefined;
    return `the engine of ${name} is in another network namespace`;
  } catch {
    // Another user's: it cannot be told.
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

/** Returns true where this user sees no other user's processes. */
function isProcHidden(): boolean {
  try {
    readFileSync('/proc/1/cgroup');
    return false;
  } catch {
    return true;
  }
}
