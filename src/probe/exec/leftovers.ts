import { readdirSync, readFileSync } from 'node:fs';
import { kill } from 'node:process';

/** The variable by which what a command has started is known, also when it has left its group. */
export const EXEC_MARK = 'KPROBE_EXEC';

/** Kills a command's process group, and whatever else of it is left. */
export function killAll(pid: number, mark: string): void {
  killQuietly(-pid);
  for (const left of markedProcesses(pid, mark)) killQuietly(left);
}

function killQuietly(pid: number): void {
  try {
    kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** The processes that carry the mark; where there is no /proc, none. */
function markedProcesses(pid: number, mark: string): number[] {
  // What a process starts has, but for a wrap-around, a higher number.
  const later = processes().filter((each) => each > pid);
  return later.filter((each) => environment(each).includes(`${EXEC_MARK}=${mark}\0`));
}

function processes(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function environment(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return '';
  }
}
