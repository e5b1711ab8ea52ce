import { readdir, readFile } from 'node:fs/promises';

import { type Host, signal } from './host.js';

/** How often what is left is looked for: processes may start others while they are being ended. */
const ROUNDS = 20;

/**
 * Ends what a container's main process has left behind, as the end of PID 1 does in a container: its process group,
 * and, where there is a /proc, its session, and all that carry the container's mark. What has left group and session
 * and wiped its environment as well (a daemon that writes its title over it) is not found.
 */
export async function endLeftovers(host: Host, leader: number, mark: string): Promise<void> {
  signal(host, -leader, 'SIGKILL');
  for (let round = 0; round < ROUNDS; round++) {
    const left = await findLeftovers(leader, mark);
    if (left.length === 0) return;
    for (const pid of left) signal(host, pid, 'SIGKILL');
  }
}

async function findLeftovers(leader: number, mark: string): Promise<readonly number[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name));
  const belonging = await Promise.all(pids.map((pid) => belongs(pid, leader, mark)));
  return pids.filter((_, index) => belonging[index]).map(Number);
}

async function belongs(pid: string, leader: number, mark: string): Promise<boolean> {
  try {
    const { state, session } = parseStat(await readFile(`/proc/${pid}/stat`, 'latin1'));
    if (state === 'Z' || state === 'X') return false;
    if (session === leader) return true;
    const environ = await readFile(`/proc/${pid}/environ`, 'latin1');
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
