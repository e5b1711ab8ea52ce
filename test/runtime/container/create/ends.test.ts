import { describe, expect, it } from 'vitest';

import {
  terminationMessage,
  type TerminationMessageInput,
} from '../../../../src/runtime/container/create/ends.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function messageOf(overrides: Partial<TerminationMessageInput>): string {
  const nothing = {
    policy: 'File' as const,
    exitCode: 1,
    message: '',
    file: bytes(''),
    tail: 'the log',
  };
  return terminationMessage({ ...nothing, ...overrides });
}

const FALLS_BACK = 'FallbackToLogsOnError';

describe('a termination message', () => {
  it('is what the container wrote', () => {
    expect(messageOf({ file: bytes('\ufeffbye\n'), policy: FALLS_BACK })).toBe('\ufeffbye\n');
  });

  it('stands behind what the runtime said', () => {
    expect(messageOf({ message: 'oom', file: bytes('bye') })).toBe('oom: bye');
  });

  it('is the last 4096 bytes of a longer file', () => {
    const file = bytes(`${'a'.repeat(5000)}the end`);
    expect(messageOf({ file })).toBe(`${'a'.repeat(4089)}the end`);
    expect(messageOf({ file: bytes(`€${'a'.repeat(4094)}`) })).toBe(
      `\ufffd\ufffd${'a'.repeat(4094)}`,
    );
  });

  it.each([
    ['the end of the output, of a failure that wrote none', FALLS_BACK, 1, 'the log'],
    ['nothing, of a success', FALLS_BACK, 0, ''],
    ['nothing, when it does not fall back', 'File', 1, ''],
  ] as const)('is %s', (_, policy, exitCode, expected) => {
    expect(messageOf({ policy, exitCode })).toBe(expected);
  });
});
