import { expect, it } from 'vitest';

import {
  HEALTHCHECK_DEFAULTS,
  healthcheckProbes,
} from '../../../src/manifest/import/healthcheck.js';

const CHECK = { ...HEALTHCHECK_DEFAULTS, test: ['CMD', 'ok'] };

it('a HEALTHCHECK becomes a readiness and a liveness probe', () => {
  const exec = { command: ['ok'] };
  const { notes: _, ...probes } = healthcheckProbes(CHECK);
  expect(probes).toEqual({
    readinessProbe: { exec, periodSeconds: 30, timeoutSeconds: 29, failureThreshold: 3 },
    livenessProbe: { exec, periodSeconds: 31, timeoutSeconds: 30, failureThreshold: 7 },
  });
});

it.each([
  // 10 s, then up to 35 s until the first check that counts, and twice 35 s for the next two.
  ['the default timeout', { startPeriod: 10_000, interval: 5000 }, 5, 30, 1 + 23],
  ['the example of the issue', { startPeriod: 3000, interval: 1000, retries: 2 }, 5, 30, 1 + 13],
  ['fast checks', { startPeriod: 3000, interval: 1000, timeout: 1000, retries: 2 }, 5, 1, 1 + 2],
  ['a start interval', { startPeriod: 9000, startInterval: 500, timeout: 2000 }, 1, 2, 1 + 105],
])(
  'a start period with %s becomes a startup probe that waits for the last retry',
  (_, check, ...expected) => {
    const { startupProbe } = healthcheckProbes({ ...CHECK, ...check });
    const { periodSeconds, timeoutSeconds, failureThreshold } = startupProbe!;
    expect([periodSeconds, timeoutSeconds, failureThreshold]).toEqual(expected);
  },
);

it('arguments of CMD-SHELL stay apart', () => {
  const { readinessProbe } = healthcheckProbes({ ...CHECK, test: ['CMD-SHELL', 'echo $0', 'a b'] });
  expect(readinessProbe?.exec.command).toEqual(['/bin/sh', '-c', 'echo $0', 'a b']);
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

it.each([
  [`python -c "import os; os.remove('/tmp/health.txt')"`, true],
  ['test -f /tmp/ok && rm /tmp/ok', true],
  ['curl -X POST http://localhost/check', true],
  ['curl -f http://localhost/ > /dev/null', false],
  ['wget -q -O- http://localhost/ 2>&1 | grep ok', false],
  ['kill -0 1', false],
])('a check that changes something becomes one probe: %s: %s', (line, changes) => {
  const check = { ...CHECK, test: ['CMD-SHELL', line], startPeriod: 9000 };
  const { notes, ...probes } = healthcheckProbes(check);
  expect(Object.keys(probes)).toEqual(
    changes ? ['livenessProbe'] : ['startupProbe', 'readinessProbe', 'livenessProbe'],
  );
  expect(notes.some((note) => note.includes('changes something'))).toBe(changes);
});
