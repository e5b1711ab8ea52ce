import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { kill, platform } from 'node:process';

import { describe, expect, it } from 'vitest';

import { RealClock } from '../../src/clock/real-clock.js';
import { endLeftovers, signal } from '../../src/process/processes.js';
import { expectGone, isGone } from '../runtime/is-gone.js';

const MARK = 'KPROBE_TEST_MARK';
const clock = new RealClock();

/** A shell that starts a sleeper in some way, prints its id, and ends. */
async function startedBy(how: string, id: string): Promise<{ pid: number; sleeper: number }> {
  const script = `${how} sleep 98764 >/dev/null 2>&1 & echo $!`;
  const env = { PATH: process.env['PATH'] ?? '', [MARK]: id };
  const shell: ChildProcess = spawn('sh', ['-c', script], { detached: true, env });
  const [[printed]] = (await Promise.all([once(shell.stdout!, 'data'), once(shell, 'exit')])) as [
    [Buffer],
    unknown,
  ];
  return { pid: shell.pid!, sleeper: Number(printed.toString()) };
}

function end(pid: number): void {
  signal({ kill }, pid, 'SIGKILL');
}

describe.skipIf(platform !== 'linux')('the processes that a process leaves behind', () => {
  it.each([
    ['in its group', ''],
    ['in a session of its own', 'setsid'],
    ['in its session, without its environment', 'env -i'],
  ])('is ended: %s', async (where, how) => {
    const id = where.replaceAll(/\W/g, '-');
    const { pid, sleeper } = await startedBy(how, id);
    expect(isGone(sleeper)).toBe(false);
    await endLeftovers(clock, { kill }, { pid, mark: `${MARK}=${id}` });
    await expectGone(sleeper);
  });

  it('is waited for when a killed process ends only a while later', async () => {
    const { pid, sleeper } = await startedBy('setsid', 'slow');
    const later = { kill: (id: number): unknown => clock.setTimeout(() => end(id), 300) };
    await endLeftovers(clock, later, { pid, mark: `${MARK}=slow` });
    expect(isGone(sleeper)).toBe(true);
  });

  it('is nothing of another mark', async () => {
    const other = await startedBy('setsid', 'other');
    const { pid } = await startedBy('', 'mine');
    await endLeftovers(clock, { kill }, { pid, mark: `${MARK}=mine` });
    expect(isGone(other.sleeper)).toBe(false);
    kill(other.sleeper, 'SIGKILL');
    await expectGone(other.sleeper);
  });
});
