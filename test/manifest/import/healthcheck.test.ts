import { expect, it } from 'vitest';

import {
  HEALTHCHECK_DEFAULTS,
  healthcheckProbes,
} from '../../../src/manifest/import/healthcheck.js';

const CHECK = { ...HEALTHCHECK_DEFAULTS, test: ['CMD', 'ok'] };

it('a HEALTHCHECK becomes a readiness and a liveness probe', () => {
  const probe = {
    exec: { command: ['ok'] },
    periodSeconds: 30,
    timeoutSeconds: 29,
    failureThreshold: 3,
  };
  const { notes: _, ...probes } = healthcheckProbes(CHECK);
  expect(probes).toEqual({
    readinessProbe: probe,
    livenessProbe: { ...probe, failureThreshold: 6 },
  });
});

it('a start period becomes a startup probe that allows start period and retries', () => {
  const { startupProbe } = healthcheckProbes({ ...CHECK, startPeriod: 10_000, interval: 5000 });
  expect(startupProbe).toMatchObject({ periodSeconds: 5, failureThreshold: 5 });
});

it('durations are rounded up to whole seconds, with a note', () => {
  const { readinessProbe, notes } = healthcheckProbes({ ...CHECK, interval: 1500 });
  expect(readinessProbe?.periodSeconds).toBe(2);
  expect(notes).toContain('probes count in whole seconds: times were rounded up');
});

it('$(…) for the shell is escaped from the kubelet', () => {
  const { readinessProbe } = healthcheckProbes({
    ...CHECK,
    test: ['CMD-SHELL', 'test $(id -u) = 0'],
  });
  expect(readinessProbe?.exec.command).toEqual(['/bin/sh', '-c', 'test $$(id -u) = 0']);
});

it.each([
  [30_000, 30_000, 30, 29],
  [5000, 30_000, 5, 4],
  [10_000, 10_000, 11, 10],
  [5000, 10_000, 11, 10],
  [10_000, 5000, 10, 5],
  [1000, 30_000, 1, 1],
  [500, 500, 1, 1],
])(
  'an interval of %i ms and a timeout of %i ms become %i s and %i s',
  (interval, timeout, ...expected) => {
    const { readinessProbe } = healthcheckProbes({ ...CHECK, interval, timeout });
    expect([readinessProbe?.periodSeconds, readinessProbe?.timeoutSeconds]).toEqual(expected);
  },
);

it('NONE gives no probes', () => {
  const { readinessProbe, notes } = healthcheckProbes({ ...CHECK, test: ['NONE'] });
  expect(readinessProbe).toBeUndefined();
  expect(notes).toEqual(['its HEALTHCHECK is NONE: there is nothing to probe']);
});
