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

describe('execOutcome', () => {
  it.each([
    [
      'is a success with exit code 0',
      exited(0, 'fine\n'),
      { result: 'success', exitCode: 0, output: 'fine\n' },
    ],
    [
      'is a failure with exit code 1',
      exited(1, 'no'),
      { result: 'failure', exitCode: 1, output: 'no' },
    ],
    [
      'is a failure with exit code 126',
      exited(126, ''),
      { result: 'failure', exitCode: 126, output: '' },
    ],
    [
      'is a failure with a negative exit code',
      exited(-1, 'odd'),
      { result: 'failure', exitCode: -1, output: 'odd' },
    ],
    [
      'puts stderr after all of stdout',
      exited(1, 'out', 'err'),
      { result: 'failure', exitCode: 1, output: 'outerr' },
    ],
    [
      'is unknown with an error when the command could not be run',
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
  ])('of %i bytes of stdout and %i of stderr keeps %i and %i', (out, err, keptOut, keptErr) => {
    const { output } = execOutcome(exited(0, 'o'.repeat(out), 'e'.repeat(err)), ['cmd'], 1);
    expect(output).toBe('o'.repeat(keptOut) + 'e'.repeat(keptErr));
  });

  it('has the raw bytes when the output is not UTF-8', () => {
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
  ])('quotes the command %j when it timed out', (command, seconds, output) => {
    expect(execOutcome({ kind: 'timedOut' }, command, seconds)).toEqual({
      result: 'failure',
      reason: 'timeout',
      output,
    });
  });

  it('has the elapsed time as detail when it is known', () => {
    const end = { ...exited(3, 'x'), elapsed: 12 };
    expect(execOutcome(end, ['a', 'b'], 1).detail).toEqual({
      address: 'a b',
      response: 'exit code 3',
      body: new Uint8Array(Buffer.from('x')),
      timings: { total: 12 },
    });
  });
});

it('execSync returns the result of the runtime', async () => {
  const runtime = new FakeRuntime(new VirtualClock());
  runtime.commands.set('a b', { kind: 'timedOut' });
  expect(await execSync(runtime)('app-1', ['a', 'b'], 3)).toEqual({ kind: 'timedOut' });
});

it('execSync turns a runtime error into a result and rethrows a bug', async () => {
  const runtime = new FakeRuntime(new VirtualClock());
  runtime.failures.set('exec', new RuntimeError('no'));
  expect(await execSync(runtime)('app-1', ['a'], 3)).toEqual({ kind: 'error', message: 'no' });
  runtime.failures.set('exec', new TypeError('bug'));
  await expect(execSync(runtime)('app-1', ['a'], 3)).rejects.toThrow('bug');
});
