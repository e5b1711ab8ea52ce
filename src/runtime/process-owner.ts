import { readFile } from 'node:fs/promises';

import { type Signaller, startTicks, statFields } from '../process/processes.js';

/** Returns the identity of a process: its id and start time, since ids are reused. */
export async function ownerOf(pid: number): Promise<string> {
  return `${pid}.${await startOf(pid)}`;
}

export async function isOwnerAlive(owner: string, signaller: Signaller): Promise<boolean> {
  const [pid = 0, start = 0] = owner.split('.').map(Number);
  if (pid <= 0 || Number.isNaN(pid)) return false;
  try {
    signaller.kill(pid, 0);
  } catch (error) {
    // The process exists, and is another user's.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return start === 0 || start === (await startOf(pid));
}

/** Returns a process's start in ticks since boot; 0 without /proc. */
async function startOf(pid: number): Promise<number> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    return startTicks(statFields(stat));
  } catch {
    return 0;
  }
}
