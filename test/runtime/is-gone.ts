import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

import { expect, vi } from 'vitest';

interface Listed {
  readonly pid: number;
  readonly ppid: number;
  readonly state: string;
}

function processes(): readonly Listed[] {
  if (process.platform === 'linux') {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? fromProc(name) : []));
  }
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,state='], { encoding: 'utf8' });
  return lines.split('\n').flatMap((line) => {
    const [pid = '', ppid = '', state = ''] = line.trim().split(/\s+/);
    return pid === '' ? [] : [{ pid: Number(pid), ppid: Number(ppid), state }];
  });
}

function fromProc(pid: string): readonly Listed[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state = '', ppid = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return [{ pid: Number(pid), ppid: Number(ppid), state }];
  } catch {
    return [];
  }
}

/** Returns true when a process has ended; a zombie counts as ended. */
export function isGone(pid: number): boolean {
  const found = processes().find((each) => each.pid === pid);
  return found?.state.startsWith('Z') ?? true;
}

export function childrenOf(parent: number): readonly number[] {
  return processes().flatMap(({ pid, ppid }) => (ppid === parent ? [pid] : []));
}

/** Waits for the end of a process that is not our child. */
export async function expectGone(pid: number): Promise<void> {
  await vi.waitFor(() => expect(isGone(pid)).toBe(true), { timeout: 120_000, interval: 10 });
}
