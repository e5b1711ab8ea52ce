import { describe, expect, it } from 'vitest';

import type { Container } from '../../src/api/index.js';
import {
  failingShare,
  type Faults,
  isDown,
  NO_FAULTS,
  parseDependency,
  parseOutage,
  shiftFaults,
  slowness,
  workBetween,
} from '../../src/sim/faults.js';

const APP = {
  name: 'app',
  image: 'app:1',
  readinessProbe: { httpGet: { path: '/ready', port: 8080 } },
  livenessProbe: { httpGet: { path: '/healthz', port: 8080 } },
} as unknown as Container;

function faults(dependency: string): Faults {
  const outage = parseOutage('db=60s..150s');
  const parsed = parseDependency(dependency);
  return {
    ...NO_FAULTS,
    outages: outage === undefined ? [] : [outage],
    dependencies: parsed === undefined ? [] : [parsed],
  };
}

describe('isDown', () => {
  it.each([
    ['readiness:db', 'http :8080/ready', true],
    ['readiness:db', 'http :8080/healthz', false],
    ['app.readiness:db', 'http :8080/ready', true],
    ['other.readiness:db', 'http :8080/ready', false],
    ['liveness:db', 'http :8080/healthz', true],
    ['/ready:db', 'http :8080/ready', true],
    [':8080/ready:db', 'http :8080/ready', true],
    [':9090/ready:db', 'http :8080/ready', false],
    ['readiness:queue', 'http :8080/ready', false],
    ['requests:db', 'http :8080/ready', false],
  ])('with %s, %s is down: %s', (dependency, endpoint, expected) => {
    expect(isDown(faults(dependency), APP, endpoint, 60_000)).toBe(expected);
    expect(isDown(faults(dependency), APP, endpoint, 59_999)).toBe(false);
    expect(isDown(faults(dependency), APP, endpoint, 150_000)).toBe(false);
  });
});

describe('failingShare', () => {
  it('is the share of requests that need what is down', () => {
    expect(failingShare(faults('requests:db=40%'), 60_000)).toBeCloseTo(0.4);
    expect(failingShare(faults('requests:db'), 60_000)).toBe(1);
    expect(failingShare(faults('requests:db'), 150_000)).toBe(0);
  });
});

describe('a shortage', () => {
  const short = {
    ...NO_FAULTS,
    starved: [{ amount: 0.2, window: { from: 30_000, to: 90_000 } }],
    slow: [{ amount: 3, window: { from: 60_000, to: 70_000 } }],
  };

  it('makes answers slower', () => {
    expect([0, 30_000, 60_000, 90_000].map((at) => slowness(short, at))).toEqual([1, 5, 15, 1]);
  });

  it('leaves a fifth of the work of its time', () => {
    expect(workBetween(short, 0, 30_000)).toBe(30_000);
    expect(workBetween(short, 20_000, 40_000)).toBeCloseTo(12_000);
    expect(workBetween(short, 0, 120_000)).toBeCloseTo(72_000);
  });

  it('comes later with its simulation', () => {
    expect(slowness(shiftFaults(short, 1000), 30_500)).toBe(1);
    expect(slowness(shiftFaults(short, 1000), 31_000)).toBe(5);
  });
});
