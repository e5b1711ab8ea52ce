import { describe, expect, it } from 'vitest';

import { fold } from '../../../src/trace/summary/fold.js';
import type { AttemptView } from '../../../src/trace/summary/probe-view.js';
import { EMPTY_SUMMARY } from '../../../src/trace/summary/summary.js';
import type { TraceLine } from '../../../src/trace/trace-line.js';
import { buildContainer, buildPod, buildProbe } from '../../helpers/builders.js';
import { buildAttemptDone, podLine } from '../../helpers/traces.js';

const object = buildPod({
  spec: { containers: [buildContainer({ name: 'app', readinessProbe: buildProbe({}) })] },
});
const detail = { address: '127.0.0.1:80', timings: { total: 1 } };

/** The attempts that the summary keeps after `count` identical ones. */
function attemptsAfter(
  count: number,
  attempt: Parameters<typeof buildAttemptDone>[0],
): readonly AttemptView[] {
  const lines: TraceLine[] = Array.from({ length: count }, (_, index) =>
    buildAttemptDone({ t: index, attempt: index + 1, ...attempt }),
  );
  const { pods } = [podLine(object), ...lines].reduce(fold, EMPTY_SUMMARY);
  return pods[0]?.containers[0]?.probes[0]?.attempts ?? [];
}

describe('the attempts of a probe', () => {
  it.each([
    { result: 'success', whole: 50 },
    { result: 'failure', whole: 100 },
  ] as const)('are kept whole for the latest $whole with $result', ({ result, whole }) => {
    const attempts = attemptsAfter(120, { result, detail, output: 'o'.repeat(200) });
    expect(attempts).toHaveLength(120);
    expect(attempts.filter((one) => one.detail !== undefined)).toHaveLength(whole);
    expect(attempts.at(-whole)).toMatchObject({ detail, output: 'o'.repeat(200) });
    const older = attempts.at(-whole - 1);
    expect(older).toMatchObject({ shortened: true, output: 'o'.repeat(120) });
    expect(older?.detail).toBeUndefined();
  });

  it('are not shortened when there is nothing to shorten', () => {
    expect(attemptsAfter(120, {}).some(({ shortened }) => shortened === true)).toBe(false);
  });

  it('are limited to the latest thousand', () => {
    const attempts = attemptsAfter(1010, {});
    expect(attempts).toHaveLength(1000);
    expect(attempts.at(0)?.attempt).toBe(11);
  });

  it('are limited further when there are many probes', () => {
    const pods = Array.from(
      { length: 400 },
      (_, i) =>
        ({
          ...podLine(object),
          pod: `default/p${i}`,
        }) as TraceLine,
    );
    const before = pods.reduce(fold, EMPTY_SUMMARY);
    const done = Array.from({ length: 110 }, (_, i) =>
      buildAttemptDone({ t: i, pod: 'default/p0', attempt: i + 1, detail }),
    );
    const after = done.reduce(fold, before).pods[0]?.containers[0]?.probes[0]?.attempts ?? [];
    expect([before.probes, after.length, after[0]?.attempt]).toEqual([400, 100, 11]);
    expect(after.filter((one) => one.detail !== undefined)).toHaveLength(5);
  });
});

it('late attempts add up the skipped attempts and keep the latest lateness', () => {
  const attempt = (t: number, more: { late?: number; skipped?: number }): TraceLine => ({
    ...{ t, kind: 'attempt', pod: 'default/web', container: 'app', probe: 'readiness' },
    ...{ attempt: t, containerID: 'x', ...more },
  });
  const lines = [attempt(1, { late: 2100, skipped: 2 }), attempt(2, { late: 150 }), attempt(3, {})];
  const { behind } = [podLine(object), ...lines].reduce(fold, EMPTY_SUMMARY);
  expect(behind).toEqual({ t: 2, late: 0.15, skipped: 2 });
});

it.each([
  ['of an attempt leaves out what kprobe itself was late', {}, 3600, 3500, 100],
  ['of one that timed out does not: it waited', { reason: 'timeout' }, 1010, 300, 1010],
] as const)('the latency %s', (_, how, whole, late, latency) => {
  const done = buildAttemptDone({ t: 4, pod: 'default/web', latency: whole, late, ...how });
  const { pods } = [podLine(object), done].reduce(fold, EMPTY_SUMMARY);
  const probe = pods[0]?.containers[0]?.probes.find(({ attempts }) => attempts.length > 0);
  expect(probe?.attempts[0]).toMatchObject({ latency, late });
  expect(probe?.latencies.max).toBe(latency);
});
