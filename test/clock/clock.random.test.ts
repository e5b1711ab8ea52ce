import { describe, expect, it } from 'vitest';

import { seeded } from '../../src/clock/clock.js';

describe('seeded random numbers', () => {
  const numbers = (seed: number): number[] => {
    const random = seeded(seed);
    return Array.from({ length: 100 }, random);
  };

  it('are the same for the same seed and differ for another', () => {
    expect(numbers(1)).toEqual(numbers(1));
    expect(numbers(1)).not.toEqual(numbers(2));
  });

  it('are spread over [0, 1)', () => {
    const list = numbers(1);
    expect(Math.min(...list)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...list)).toBeLessThan(1);
    const mean = list.reduce((sum, number) => sum + number, 0) / list.length;
    expect(mean).toBeGreaterThan(0.4);
    expect(mean).toBeLessThan(0.6);
  });
});
