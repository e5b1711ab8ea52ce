import { describe, expect, it } from 'vitest';

import { parseRange, parseRate, parseWindow } from '../../src/sim/behavior.js';

describe('parseRange', () => {
  it.each([
    ['200ms', 200, 200],
    ['200ms±50ms', 150, 250],
    ['200ms+-50ms', 150, 250],
    ['1s +/- 500ms', 500, 1500],
    ['50ms±1s', 0, 1050],
    ['100ms..1.5s', 100, 1500],
    ['1m30s', 90_000, 90_000],
  ])('accepts %s', (text, from, to) => {
    expect(parseRange(text)).toEqual({ from, to });
  });

  it.each(['', '5', '5s±', '±5s', '5s±1s±1s', '5s..', '5s..1s', '-5s', 'soon'])(
    'rejects %j',
    (text) => {
      expect(parseRange(text)).toBeUndefined();
    },
  );
});

describe('parseWindow', () => {
  it.each([
    ['60s..90s', 60_000, 90_000],
    ['1m .. 2m', 60_000, 120_000],
    ['60s..', 60_000, Infinity],
    ['0..1s', 0, 1000],
  ])('accepts %s', (text, from, to) => {
    expect(parseWindow(text)).toEqual({ from, to });
  });

  it.each(['', '60s', '..', '90s..60s', '60..90', '..90s'])('rejects %j', (text) => {
    expect(parseWindow(text)).toBeUndefined();
  });
});

describe('parseRate', () => {
  it.each([
    ['2%', 0.02],
    ['0.5%', 0.005],
    ['0.25', 0.25],
    ['.5', 0.5],
    ['100%', 1],
    ['0', 0],
  ])('accepts %s', (text, rate) => {
    expect(parseRate(text)).toBe(rate);
  });

  it.each(['', '%', '101%', '2', '-1%', 'half'])('rejects %j', (text) => {
    expect(parseRate(text)).toBeUndefined();
  });
});
