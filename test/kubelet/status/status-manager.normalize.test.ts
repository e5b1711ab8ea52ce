import { describe, expect, it } from 'vitest';

import { normalizeStatus } from '../../../src/kubelet/status/status-manager.js';
import {
  buildContainer,
  buildContainerStatus,
  buildPod,
  condition,
  terminated,
  waiting,
} from '../../helpers/builders.js';

it('normalizeStatus truncates times to seconds', () => {
  const ended = terminated(1, { startedAt: 1_999, finishedAt: 2_001.5 });
  const status = {
    startTime: 3_700,
    conditions: [condition('Ready', 'True', { lastProbeTime: 999, lastTransitionTime: 4_321 })],
    containerStatuses: [
      buildContainerStatus({
        state: { running: { startedAt: 5_400.25 } },
        lastTerminationState: ended,
      }),
    ],
    initContainerStatuses: [buildContainerStatus({ name: 'init', state: ended })],
  };
  const whole = terminated(1, { startedAt: 1_000, finishedAt: 2_000 });
  expect(normalizeStatus(buildPod(), status)).toEqual({
    startTime: 3_000,
    conditions: [condition('Ready', 'True', { lastProbeTime: 0, lastTransitionTime: 4_000 })],
    containerStatuses: [
      buildContainerStatus({
        state: { running: { startedAt: 5_000 } },
        lastTerminationState: whole,
      }),
    ],
    initContainerStatuses: [buildContainerStatus({ name: 'init', state: whole })],
  });
});

it('normalizeStatus leaves absent fields absent', () => {
  const status = {
    containerStatuses: [buildContainerStatus({ state: waiting(), lastTerminationState: {} })],
    conditions: [condition('Ready', 'True')],
  };
  expect(normalizeStatus(buildPod(), status)).toEqual(status);
});

describe('termination messages', () => {
  const shown = (message: string, containers: number, inits = 0): string | undefined => {
    const named = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, n) => buildContainer({ name: `${prefix}${n}` }));
    const spec = { containers: named('c', containers), initContainers: named('i', inits) };
    const state = terminated(1, { message });
    const status = normalizeStatus(buildPod({ spec }), {
      containerStatuses: [buildContainerStatus({ state })],
    });
    return status.containerStatuses?.[0]?.state.terminated?.message;
  };

  it.each<[number, number, number]>([
    [1, 0, 12_288],
    [2, 0, 6_144],
    [24, 0, 512],
    [1, 4, 2_457],
  ])('of %d containers and %d init containers are cut to %d bytes each', (count, inits, limit) => {
    expect(shown('x'.repeat(13_000), count, inits)).toBe('x'.repeat(limit));
    expect(shown('x'.repeat(limit), count, inits)).toBe('x'.repeat(limit));
  });

  it('are measured in bytes, and each byte of a split character becomes U+FFFD', () => {
    const limit = 512;
    const text = `${'x'.repeat(limit - 3)}😀 and more`;
    expect(shown(text, 24)).toBe(`${'x'.repeat(limit - 3)}\uFFFD\uFFFD\uFFFD`);
  });
});
