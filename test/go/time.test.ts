import { expect, test } from 'vitest';

import { timeError } from '../../src/go/time.js';

const LAYOUT = 'as "2006-01-02T15:04:05Z07:00": cannot parse';

test.each([
  '2024-02-29T23:59:59Z',
  '2024-01-01T00:00:00.123456789+14:00',
  '2024-01-01T5:00:00-00:00',
  '2000-02-29T00:00:00,5Z',
])('%s is a valid time', (text) => {
  expect(timeError(text)).toBeUndefined();
});

test.each([
  ['', `parsing time "" ${LAYOUT} "" as "2006"`],
  ['2024-01-01', `parsing time "2024-01-01" ${LAYOUT} "" as "T"`],
  ['2024-1-01T00:00:00Z', `parsing time "2024-1-01T00:00:00Z" ${LAYOUT} "1-01T00:00:00Z" as "01"`],
  ['2024-13-01T00:00:00Z', 'parsing time "2024-13-01T00:00:00Z": month out of range'],
  ['2023-02-29T00:00:00Z', 'parsing time "2023-02-29T00:00:00Z": day out of range'],
  ['1900-02-29T00:00:00Z', 'parsing time "1900-02-29T00:00:00Z": day out of range'],
  ['2024-01-01T24:00:00Z', 'parsing time "2024-01-01T24:00:00Z": hour out of range'],
  ['2024-01-01T00:00:60Z', 'parsing time "2024-01-01T00:00:60Z": second out of range'],
  [
    '2024-01-01T00:00:00+25:00',
    'parsing time "2024-01-01T00:00:00+25:00": time zone offset hour out of range',
  ],
  ['2024-01-01T00:00:00Zx', 'parsing time "2024-01-01T00:00:00Zx": extra text: "x"'],
])('timeError(%j) is the error of Go', (text, message) => {
  expect(timeError(text)).toBe(message);
});
