import { describe, expect, it } from 'vitest';

import { age, countdown, inSeconds } from '../../src/text/duration.js';

describe('age', () => {
  it.each([
    [-1, '0s'],
    [0.9, '0s'],
    [119.9, '119s'],
    [120, '2m'],
    [192, '3m12s'],
    [600, '10m'],
    [3599, '59m'],
    [2 * 3600, '120m'],
    [3 * 3600, '3h'],
    [5 * 3600 + 7 * 60, '5h7m'],
    [30 * 3600, '30h'],
    [50 * 3600, '2d2h'],
    [10 * 86400, '10d'],
  ])('prints %d seconds as kubectl does: %s', (seconds, text) => {
    expect(age(seconds)).toBe(text);
  });
});

describe('countdown', () => {
  it.each([
    [-3, 'now'],
    [0, 'now'],
    [0.01, '0.1 s'],
    [3.14, '3.2 s'],
    [9.96, '10 s'],
    [41.2, '42 s'],
    [100, '1m40s'],
    [3661, '1h1m'],
  ])('of %d s never rounds down: %s', (seconds, text) => {
    expect(countdown(seconds)).toBe(text);
  });

  it('has the form "in …" with inTime', () => {
    expect([inSeconds(0), inSeconds(2)]).toEqual(['now', 'in 2.0 s']);
  });
});
