import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';

import { signal, type Signaller } from './signal.js';

/** How often what is left is looked for: processes may start others while they are being ended. */
const ROUNDS = 20;

/** A process that was started here, in a session of its own, and what it may have started. */
export interface Started {
  readonly pid: number;
  /** What stands in the environment of all of them: `NAME=value`. */
  readonly mark: string;
  /** It began a moment ago: whatever it has started has a higher number, unless numbers have begun anew since. */
  readonly isRecent?: boolean;
}

/**
 * Ends what a process has left behind, as the end of PID 1 does in a container: its process group, and, where there is
 * a /proc, its session, and all that carry its mark. What has left group and session and wiped its environment as well
 * (a daemon that writes its title over it) is not found. The group is gone at once, the others soon.
 */
export async function endLeftovers(signaller: Signaller, started: Started): Promise<void> {
  signal(signaller, -started.pid, 'SIGKILL');
  for (let round = 0; round < ROUNDS; round++) {
    const left = await findLeftovers(started);
    if (left.length === 0) return;
    for (const pid of left) signal(signaller, pid, 'SIGKILL');
  }
}

async function findLeftovers(started: Started): Promise<readonly number[]> {
  const names = await readdir('/proc').catch(() => []);
  const first = started.isRecent === true && newestPid() >= started.pid ? started.pid : 0;
  const pids = names.map(Number).filter((pid) => pid >= first);
  return pids.filter((pid) => belongs(pid, started));
}

/** The number of the process that was started last: the last field of /proc/loadavg. 0 where it is not told. */
function newestPid(): number {
  try {
    return Number(readFileSync('/proc/loadavg', 'latin1').trim().split(' ').at(-1));
  } catch {
    return 0;
  }
}

function belongs(pid: number, { pid: leader, mark }: Started): boolean {
  try {
    const { state, session } = parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'));
    if (state === 'Z' || state === 'X') return false;
    if (session === leader) return true;
    const environ = readFileSync(`/proc/${pid}/environ`, 'latin1');
    return environ.split('\0').includes(mark);
  } catch {
    // Gone meanwhile, or another user's.
    return false;
  }
}

/** Of `pid (name) state ppid pgrp session …`, where the name may hold anything. */
function parseStat(stat: string): { readonly state: string; readonly session: number } {
  const [state = '', , , session = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state, session: Number(session) };
}
