import { describe, expect, it } from 'vitest';

import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { type ExecResult, RuntimeError } from '../../../src/kubelet/ports.js';
import { execOutcome, execSync } from '../../../src/kubelet/prober/exec-probe.js';
import { FakeRuntime } from '../../helpers/fake-runtime.js';

const exited = (exitCode: number, stdout: string | Buffer, stderr = ''): ExecResult => ({
  kind: 'exited',
  exitCode,
  stdout: Buffer.from(stdout),
  stderr: Buffer.from(stderr),
});

describe('the end of a command', () => {
  it.each([
    [
      'exit code 0 is a success',
      exited(0, 'fine\n'),
      { result: 'success', exitCode: 0, output: 'fine\n' },
    ],
    ['any other is a failure', exited(1, 'no'), { result: 'failure', exitCode: 1, output: 'no' }],
    ['126 is a failure too', exited(126, ''), { result: 'failure', exitCode: 126, output: '' }],
    [
      'a negative one as well',
      exited(-1, 'odd'),
      { result: 'failure', exitCode: -1, output: 'odd' },
    ],
    [
      'stderr comes after all of stdout',
      exited(1, 'out', 'err'),
      { result: 'failure', exitCode: 1, output: 'outerr' },
    ],
    [
      'what could not be run is unknown, and an error',
      { kind: 'error' as const, message: 'no such container', reason: 'notFound' as const },
      { result: 'unknown', output: '', error: 'no such container', reason: 'notFound' },
    ],
  ])('%s', (_, end, outcome) => {
    expect(execOutcome(end, ['cmd'], 1)).toEqual(outcome);
  });

  it.each([
    [10_000, 100, 10_000, 100],
    [10_000, 1000, 10_000, 240],
    [10_240, 1, 10_240, 0],
    [20_000, 20_000, 10_240, 0],
    [0, 20_000, 0, 10_240],
  ])('keeps of %i bytes and %i errors %i and %i', (out, err, keptOut, keptErr) => {
    const { output } = execOutcome(exited(0, 'o'.repeat(out), 'e'.repeat(err)), ['cmd'], 1);
    expect(output).toBe('o'.repeat(keptOut) + 'e'.repeat(keptErr));
  });

  it('comes with its bytes where they are no text', () => {
    const bytes = Buffer.from([0x61, 0xff]);
    expect(execOutcome(exited(0, bytes), ['cmd'], 1)).toEqual({
      result: 'success',
      exitCode: 0,
      output: 'a\ufffd',
      outputBytes: new Uint8Array(bytes),
    });
  });

  it.each([
    [['sleep', '5'], 1, 'command timed out: "sleep 5" timed out after 1s'],
    [['sh', '-c', 'é "x"\t'], 90, 'command timed out: "sh -c é \\"x\\"\\t" timed out after 1m30s'],
  ])('that came too late quotes %j', (command, seconds, output) => {
    expect(execOutcome({ kind: 'timedOut' }, command, seconds)).toEqual({
      result: 'failure',
      reason: 'timeout',
      output,
    });
  });

  it('shows how long it took, where that is known', () => {
    const end = { ...exited(3, 'x'), elapsed: 12 };
    expect(execOutcome(end, ['a', 'b'], 1).detail).toEqual({
      address: 'a b',
      response: 'exit code 3',
      body: new Uint8Array(Buffer.from('x')),
      timings: { total: 12 },
    });
  });
});

it("a command's end is handed on", async () => {
  const runtime = new FakeRuntime(new VirtualClock());
  runtime.commands.set('a b', { kind: 'timedOut' });
  expect(await execSync(runtime, 'app-1', ['a', 'b'], 3)).toEqual({ kind: 'timedOut' });
});

it('a runtime that refuses is an end; a bug is thrown on', async () => {
  const runtime = new FakeRuntime(new VirtualClock());
  runtime.failures.set('exec', new RuntimeError('no'));
  expect(await execSync(runtime, 'app-1', ['a'], 3)).toEqual({ kind: 'error', message: 'no' });
  runtime.failures.set('exec', new TypeError('bug'));
  await expect(execSync(runtime, 'app-1', ['a'], 3)).rejects.toThrow('bug');
});
