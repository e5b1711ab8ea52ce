import { describe, expect, it } from 'vitest';

import { terminationMessage } from '../../../../src/runtime/container/create/exit-reporter.js';

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
