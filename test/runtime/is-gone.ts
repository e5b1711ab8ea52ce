import { readFileSync } from 'node:fs';

import { expect } from 'vitest';

/** Whether a process has ended; one that nobody has buried yet counts as such. */
export function isGone(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return true;
  }
}

/** Waits for the end of a process that is not our child. */
export async function expectGone(pid: number, withinMs = 1000): Promise<void> {
  await expect.poll(() => isGone(pid), { timeout: withinMs, interval: 5 }).toBe(true);
}
