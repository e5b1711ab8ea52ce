import { cwd, kill } from 'node:process';

import { describe, expect, it, onTestFinished } from 'vitest';

import { RealClock } from '../../src/clock/real-clock.js';
import { type ExecResult, HELD_UP } from '../../src/kubelet/ports.js';
import { LocalExec } from '../../src/probe/local-exec.js';
import { LateClock } from '../helpers/late-clock.js';

function run(
  command: readonly string[],
  timeoutSeconds = 10,
  signal?: AbortSignal,
): Promise<ExecResult> {
  const exec = new LocalExec(new RealClock(), { kill });
  onTestFinished(() => exec.close());
  const env = { PATH: process.env['PATH'] ?? '', GREETING: 'hi' };
  return exec.run(command, { env, cwd: cwd(), timeoutSeconds, ...(signal && { signal }) });
}

const text = (result: ExecResult): string =>
  result.kind === 'exited' ? Buffer.from(result.stdout).toString() : '';

describe('a local command', () => {
  it('runs without a shell, in its environment', async () => {
    expect(text(await run(['printenv', 'GREETING']))).toBe('hi\n');
    expect(text(await run(['echo', '$GREETING']))).toBe('$GREETING\n');
  });

  it.each([
    ['exit 3', 3],
    ['kill -9 $$', 137],
  ])('that ends with %j has the exit code %i', async (script, exitCode) => {
    expect(await run(['sh', '-c', script])).toMatchObject({ kind: 'exited', exitCode });
  });

  it('ends at its timeout or when it is aborted', async () => {
    expect(await run(['sleep', '60'], 0.1)).toMatchObject({ kind: 'timedOut' });
    const aborted = await run(['sleep', '60'], 0, AbortSignal.timeout(50));
    expect(aborted).toMatchObject({ kind: 'exited', exitCode: 137 });
  });

  it('that ended while kprobe was held up beyond the timeout is an error', async () => {
    const clock = new LateClock();
    const exec = new LocalExec(clock, { kill });
    const options = { env: { PATH: process.env['PATH'] ?? '' }, cwd: cwd(), timeoutSeconds: 1 };
    const ended = exec.run(['true'], options);
    clock.fireAt(5000);
    expect(await ended).toMatchObject({ kind: 'error', message: HELD_UP });
  });

  it('keeps 16 KiB of its output', async () => {
    expect(text(await run(['sh', '-c', 'head -c 100000 /dev/zero']))).toHaveLength(16 * 1024);
  });

  it.each([
    ['nothing-like-this', 'executable file not found in $PATH', 'notFound'],
    ['/nothing', 'no such file or directory', 'notFound'],
    ['/etc/passwd', 'permission denied', 'notPermitted'],
  ])('%s cannot be started, with the error of containerd', async (name, why, reason) => {
    const result = await run([name]);
    expect(result).toMatchObject({ reason });
    expect(result.kind === 'error' && result.message).toMatch(
      new RegExp(
        `^rpc error: code = Unknown desc = failed to exec in container: .*${why.replace('$', '\\$')}: unknown$`,
      ),
    );
  });
});
