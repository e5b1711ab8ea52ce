import { describe, expect, it } from 'vitest';

import { isHost } from '../../../src/cli/shared/option-values.js';

describe('isHost', () => {
  it.each([
    'localhost',
    'shop.example',
    'shop_1',
    'bücher.example',
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    'fe80::1%eth0',
  ])('accepts %s', (text) => {
    expect(isHost(text)).toBe(true);
  });

  it.each([
    '',
    ' ',
    'a b',
    'http://shop',
    'shop:80',
    '[::1]',
    'shop/path',
    'a@b',
    '\u001b[31m',
    'a\u202eb',
    ':',
    '50%',
  ])('rejects "%s"', (text) => {
    expect(isHost(text)).toBe(false);
  });
});
