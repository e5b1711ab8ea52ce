import { describe, expect, it } from 'vitest';

import { EOF_ERROR, UNEXPECTED_EOF_ERROR, unexpectedEOF } from '../../../src/go/http/bufio.js';
import { IoError } from '../../../src/go/io-error.js';
import { readerOf } from '../../helpers/reader-of.js';

const RESET = new IoError('reset');

describe('BufioReader', () => {
  it('reads lines that arrive in pieces, also with bare line feeds', async () => {
    const reader = readerOf(['a', 'b\r', '\nc\n', 'd']);
    const lines: string[] = [];
    for (;;) {
      const { bytes, error } = await reader.readLine();
      if (error) break;
      lines.push(bytes.toString('latin1'));
    }
    expect(lines).toEqual(['ab', 'c', 'd']);
  });

  it('splits a line at 4 KiB, but not between CR and LF', async () => {
    const reader = readerOf([`${'x'.repeat(4095)}\r\ny\n`]);
    expect(await reader.readLine()).toMatchObject({ isPrefix: true, bytes: { length: 4095 } });
    expect(await reader.readLine()).toMatchObject({ isPrefix: false, bytes: { length: 0 } });
    expect((await reader.readLine()).bytes.toString()).toBe('y');
  });

  it('peeks at bytes without consuming them, and discards bytes', async () => {
    const reader = readerOf(['ab', 'cd']);
    expect((await reader.peek(3)).bytes.toString()).toBe('abc');
    reader.discard(1);
    expect(reader.buffered.toString()).toBe('bcd');
    expect(await reader.peek(4)).toEqual({ bytes: Buffer.from('bcd'), error: EOF_ERROR });
  });

  it('returns data before the error after it', async () => {
    const reader = readerOf(['ab'], RESET);
    const into = Buffer.alloc(10);
    expect(await reader.read(into)).toEqual({ size: 2 });
    expect(await reader.read(into)).toEqual({ size: 0, error: RESET });
  });

  it('reads no more than its limit', async () => {
    const reader = readerOf(['abcd'], undefined, 3);
    expect((await reader.readSlice()).bytes.toString()).toBe('abc');
    expect(reader.limit).toBe(0);
    expect((await reader.readSlice()).error?.message).toBe('read limit exhausted');
    reader.limit = Infinity;
    expect((await reader.readSlice()).bytes.toString()).toBe('d');
  });
});

it('unexpectedEOF replaces only EOF', () => {
  expect(unexpectedEOF(EOF_ERROR)).toBe(UNEXPECTED_EOF_ERROR);
  expect(unexpectedEOF(RESET)).toBe(RESET);
});
