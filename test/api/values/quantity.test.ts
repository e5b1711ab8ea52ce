import { expect, test } from 'vitest';

import {
  formatQuantity,
  isFractional,
  parseQuantity,
  type Quantity,
  roundUpToMilli,
} from '../../../src/api/values/quantity.js';

function quantity(text: string): Quantity {
  const result = parseQuantity(text);
  if (result.kind === 'error') throw new Error(result.message);
  return result.quantity;
}

/** The results of resource.ParseQuantity, RoundUp(-3) and String. */
test.each([
  ['0', '0'],
  ['1', '1'],
  ['-1', '-1'],
  ['+5', '+5'],
  ['100m', '100m'],
  ['1.5', '1500m'],
  ['0.5', '500m'],
  ['5.', '5.'],
  ['1Ki', '1Ki'],
  ['1024', '1024'],
  ['1025Ki', '1025Ki'],
  ['1.5Gi', '1536Mi'],
  ['0.1Gi', '107374182400m'],
  ['1024Mi', '1Gi'],
  ['1e3', '1e3'],
  ['1e-3', '1e-3'],
  ['0.0001', '1m'],
  ['1n', '1m'],
  ['1.0000000001', '1001m'],
  ['1000', '1k'],
  ['1000k', '1M'],
  ['1.500', '1.500'],
  ['10000000000000000000', '10E'],
  ['100Ei', '9223372036854775807'],
  ['1e30', '1e30'],
  ['-1.5', '-1500m'],
  ['01', '01'],
  ['-1Mi', '-1Mi'],
  ['3.7Ki', '3788800m'],
  ['1000m', '1'],
  ['0m', '0'],
  ['129e6', '129e6'],
])('%s is normalized to %s', (text, stored) => {
  expect(formatQuantity(roundUpToMilli(quantity(text)))).toBe(stored);
});

test.each([
  [
    '1 core',
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  ],
  [
    '',
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  ],
  ['1K', "unable to parse quantity's suffix"],
  [
    '1Mib',
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  ],
  ['1e', "unable to parse quantity's suffix"],
  [
    '1.2.3',
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  ],
])('parseQuantity rejects %j', (text, message) => {
  expect(parseQuantity(text)).toEqual({ kind: 'error', message });
});

test('quantities in different units are comparable', () => {
  expect(quantity('1Gi').nano > quantity('1G').nano).toBe(true);
  expect(quantity('1000m').nano).toBe(quantity('1').nano);
});

test('isFractional is true for parts below 1', () => {
  expect(isFractional(quantity('400m'))).toBe(true);
  expect(isFractional(quantity('1n'))).toBe(true);
  expect(isFractional(quantity('2k'))).toBe(false);
});
