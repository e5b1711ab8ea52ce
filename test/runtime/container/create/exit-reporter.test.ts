import { describe, expect, it } from 'vitest';

import {
  ExitReporter,
  terminationMessage,
} from '../../../../src/runtime/container/create/exit-reporter.js';
import { parseInspect } from '../../../../src/runtime/container/inspect.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

interface Ended {
  readonly policy?: 'File' | 'FallbackToLogsOnError';
  readonly exitCode?: number;
  readonly error?: string;
  readonly file?: Uint8Array;
}

function messageOf({ policy = 'File', exitCode = 1, error = '', file = bytes('') }: Ended): string {
  return terminationMessage(policy, { exitCode, error }, file, 'the log');
}

const FALLS_BACK = 'FallbackToLogsOnError';

describe('a termination message', () => {
  it('is the content of the file', () => {
    expect(messageOf({ file: bytes('\ufeffbye\n'), policy: FALLS_BACK })).toBe('\ufeffbye\n');
  });

  it('starts with the message of the runtime', () => {
    expect(messageOf({ error: 'oom', file: bytes('bye') })).toBe('oom: bye');
  });

  it('is cut to the last 4096 bytes of the file', () => {
    const file = bytes(`${'a'.repeat(5000)}the end`);
    expect(messageOf({ file })).toBe(`${'a'.repeat(4089)}the end`);
    expect(messageOf({ file: bytes(`€${'a'.repeat(4094)}`) })).toBe(
      `\ufffd\ufffd${'a'.repeat(4094)}`,
    );
  });

  it.each([
    ['the last output of a failure without a file', FALLS_BACK, 1, 'the log'],
    ['empty for a success', FALLS_BACK, 0, ''],
    ['empty without FallbackToLogsOnError', 'File', 1, ''],
  ] as const)('is %s', (_, policy, exitCode, expected) => {
    expect(messageOf({ policy, exitCode })).toBe(expected);
  });
});

it('an end by a signal that somebody had the engine send names the engine', async () => {
  const exits: unknown[] = [];
  const known = { id: 'a', labels: {}, policy: 'File', running: true };
  const state = { Status: 'exited', ExitCode: 137, OOMKilled: false };
  const seen = parseInspect(JSON.stringify([{ Id: 'a', State: state, HostConfig: {} }]));
  const context = {
    pods: { containers: new Map([['a', known]]) },
    listener: { onExit: (_: string, exit: unknown) => exits.push(exit) },
    engine: { kind: { name: 'docker' }, inspect: () => Promise.resolve(seen) },
  };
  const sandboxes = { volumeOf: () => ({ readMessage: () => Promise.resolve(bytes('')) }) };
  const reporter = new ExitReporter(context as never, sandboxes as never, () => 0);
  await reporter.onEvent({ id: 'a', action: 'kill', signal: 9 });
  expect(exits).toEqual([{ exitCode: 137, sentBy: 'docker' }]);
});

describe('an end by KILL', () => {
  /** The reason of the end of a container, after which the system has counted so many kills for lack of memory. */
  async function reasonOf(memory: number, exitCode: number, counts: number[]) {
    const known = { id: 'a', labels: {}, policy: 'File', running: true };
    const exits: unknown[] = [];
    const context = {
      pods: { containers: new Map([['a', known]]) },
      listener: { onExit: (_: string, exit: unknown) => exits.push(exit) },
    };
    const sandboxes = { volumeOf: () => ({ readMessage: () => Promise.resolve(bytes('')) }) };
    const count = (): number => (counts.length > 1 ? counts.shift()! : counts[0]!);
    const reporter = new ExitReporter(context as never, sandboxes as never, count);
    await reporter.onListing(new Map([['a', 'running']]));
    const state = { Status: 'exited', ExitCode: exitCode, OOMKilled: false };
    const json = JSON.stringify([{ Id: 'a', State: state, HostConfig: { Memory: memory } }]);
    await reporter.onInspected(parseInspect(json));
    return (exits[0] as { reason?: string }).reason;
  }

  it.each([
    ['the system has killed for lack of memory since', 1024, 137, [3, 3, 4], 'OOMKilled'],
    ['it has not', 1024, 137, [3], undefined],
    ['the container has no limit', 0, 137, [3, 3, 4], undefined],
    ['the program has ended by itself', 1024, 1, [3, 3, 4], undefined],
  ])(
    'of a container, where %s, is one of memory or not',
    async (_, memory, code, counts, reason) => {
      expect(await reasonOf(memory, code, [...counts])).toBe(reason);
    },
  );
});
