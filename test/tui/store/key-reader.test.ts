import type { Key } from 'ink';
import { describe, expect, it } from 'vitest';

import { createKeyReader, PASTED } from '../../../src/tui/store/key-reader.js';

const NO_KEY = {} as Key;

function read(...pieces: readonly (readonly [string, Partial<Key>?])[]): string[] {
  const keys: string[] = [];
  const reader = createKeyReader((key) => keys.push(key));
  for (const [input, key] of pieces) reader(input, { ...NO_KEY, ...key });
  return keys;
}

describe('the key reader', () => {
  it.each([
    { input: 'q', key: {}, keys: ['q'] },
    { input: 'jjj', key: {}, keys: ['j', 'j', 'j'] },
    { input: '', key: { upArrow: true }, keys: ['up'] },
    { input: '', key: { return: true }, keys: ['enter'] },
    { input: '', key: { tab: true, shift: true }, keys: ['shift-tab'] },
    { input: 's', key: { ctrl: true }, keys: ['ctrl-s'] },
    { input: '\x03', key: {}, keys: ['ctrl-c'] },
    { input: '1', key: { meta: true }, keys: ['esc', '1'] },
    { input: '', key: { escape: true, meta: true }, keys: ['esc'] },
    { input: '\x1b', key: { escape: true, meta: true }, keys: ['esc', 'esc'] },
    { input: '', key: { return: true, meta: true }, keys: ['esc', 'enter'] },
    { input: '漢', key: {}, keys: ['漢'] },
  ])('reads $input as $keys', ({ input, key, keys }) => {
    expect(read([input, key])).toEqual(keys);
  });

  it.each(['[I', '[O', '[<2;10;5M', '[<0;10;5m', '[15;2~'])(
    'ignores a sequence without a key: %s',
    (input) => {
      expect(read([input])).toEqual([]);
    },
  );

  it.each([
    { input: '[<0;10;5M', keys: ['click 9 4'] },
    { input: '[<64;10;5M', keys: ['up'] },
    { input: '[<65;10;5M', keys: ['down'] },
  ])('reads the mouse: $input as $keys', ({ input, keys }) => {
    expect(read([input])).toEqual(keys);
  });

  it.each([
    { input: '\x1b[<0;10;5M', keys: ['esc', 'click 9 4'] },
    { input: '\x1b[15;2~', keys: ['esc'] },
  ])('reads Escape right before a sequence: $input as $keys', ({ input, keys }) => {
    expect(read([input])).toEqual(keys);
  });

  it.each([
    { title: 'that BEL ends', pieces: [']', '11;rgb:1c1c/1c1c/1c1c\x07'], keys: ['?'] },
    { title: 'that ST ends', pieces: [']', '11;rgb:1c1c/1c1c/1c1c', '\\'], keys: ['?'] },
    { title: 'in two pieces', pieces: [']', '52;c;cXE', 'xq', '\\'], keys: ['?'] },
    { title: 'before a key', pieces: [']', '10;rgb:0/0/0\x07j'], keys: ['j', '?'] },
    { title: 'that is none', pieces: [']', ']', '1'], keys: [']', ']', '1', '?'] },
  ])('ignores an answer of the terminal $title', ({ pieces, keys }) => {
    expect(read(...pieces.map((piece) => [piece] as const), ['?'])).toEqual(keys);
  });

  it('reads Ctrl-C in an answer whose end never comes', () => {
    expect(read([']'], ['11;rgb'], ['c', { ctrl: true }], ['q'])).toEqual(['ctrl-c', 'q']);
  });

  it('hands on a bracket once no answer has come with it', async () => {
    const keys: string[] = [];
    createKeyReader((key) => keys.push(key))(']', NO_KEY);
    await Promise.resolve();
    expect(keys).toEqual([']']);
  });

  it('reads the end of a pasted text behind its last Escape', () => {
    expect(read(['[200~'], ['a'], ['\x1b[201~'], ['?'])).toEqual([`${PASTED}a`, '?']);
  });

  it('reads Ctrl-C, and the keys behind it, also in a paste whose end never comes', () => {
    expect(read(['[200~'], ['ab'], ['q'], ['c', { ctrl: true }], ['q'])).toEqual(['ctrl-c', 'q']);
  });

  it('reads pasted text as one key', () => {
    expect(read(['[200~'], ['q2'], ['', { return: true }], ['r'], ['[201~'], ['q'])).toEqual([
      `${PASTED}q2r`,
      'q',
    ]);
  });
});
