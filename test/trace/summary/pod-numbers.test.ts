import { describe, expect, it } from 'vitest';

import { fold } from '../../../src/trace/summary/fold.js';
import { podNumbers } from '../../../src/trace/summary/pod-numbers.js';
import type { PodSummary } from '../../../src/trace/summary/summary.js';
import { EMPTY_SUMMARY } from '../../../src/trace/summary/summary.js';
import { buildContainer, buildPod, buildSidecar } from '../../helpers/builders.js';
import { podLine } from '../../helpers/traces.js';

/** A pod that was added after 2 s, with what a test says of it. */
function summary(overrides: Partial<PodSummary>): PodSummary {
  const initContainers = [buildContainer({ name: 'init' }), buildSidecar({ name: 'log' })];
  const pod = buildPod({ spec: { containers: [buildContainer()], initContainers } });
  return { ...fold(EMPTY_SUMMARY, podLine(pod, 2)).pods[0]!, ...overrides };
}

describe('the numbers of a pod', () => {
  it('count from when it was added', () => {
    expect(podNumbers(summary({ firstReadyAt: 7.5 }), 20)).toMatchObject({ readyAfter: 5.5 });
  });

  it('have no time to ready where it never was', () => {
    expect(podNumbers(summary({}), 20)).not.toHaveProperty('readyAfter');
  });

  it('add up when it was ready, to the end where it still is', () => {
    const readiness = [
      { t: 3, ready: true },
      { t: 5, ready: false },
      { t: 10, ready: true },
    ];
    expect(podNumbers(summary({ readiness }), 20).readyFor).toBe(12);
  });

  it('have the restarts of all but init containers', () => {
    expect(podNumbers(summary({}), 20).restarts).toEqual({ log: 0, app: 0 });
  });
});
