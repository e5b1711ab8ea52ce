import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

import type { Host } from '../host.js';

/** Names the process that looks after containers: its id, and when it began, so that no later one is taken for it. */
export async function ownerOf(pid: number): Promise<string> {
  return `${pid}.${await startOf(pid)}`;
}

/** Whether that process is still there. */
export async function isOwnerAlive(owner: string, host: Host): Promise<boolean> {
  const [pid = 0, start = 0] = owner.split('.').map(Number);
  if (pid <= 0 || Number.isNaN(pid)) return false;
  try {
    host.kill(pid, 0);
  } catch (error) {
    // Another user's is there, too.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return start === 0 || start === (await startOf(pid));
}

/** Takes over a session: the labels of its containers name a process that is gone. */
export async function claimSession(session: string, owner: string): Promise<void> {
  await mkdir(folder(), { recursive: true, mode: 0o700 });
  await writeFile(join(folder(), session), owner, { mode: 0o600 });
}

export async function releaseSession(session: string): Promise<void> {
  await rm(join(folder(), session), { force: true });
}

/** Who has taken over a session, if anybody has. */
export async function claimantOf(session: string): Promise<string | undefined> {
  return readFile(join(folder(), session), 'utf8').catch(() => undefined);
}

function folder(): string {
  return join(tmpdir(), `kprobe-sessions-${userInfo().uid}`);
}

/** In ticks since the machine's start; 0 where there is no /proc. */
async function startOf(pid: number): Promise<number> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? 0);
  } catch {
    return 0;
  }
}
