import { describe, expect, it } from 'vitest';

import { fold } from '../../../src/trace/summary/fold.js';
import { podNumbers } from '../../../src/trace/summary/pod-numbers.js';
import type { PodSummary } from '../../../src/trace/summary/summary.js';
import { EMPTY_SUMMARY } from '../../../src/trace/summary/summary.js';
import { buildContainer, buildPod, buildSidecar } from '../../helpers/builders.js';
import { podLine } from '../../helpers/traces.js';

/** The summary of a pod that was added at 2 s, with overrides. */
function summary(overrides: Partial<PodSummary>): PodSummary {
  const initContainers = [buildContainer({ name: 'init' }), buildSidecar({ name: 'log' })];
  const pod = buildPod({ spec: { containers: [buildContainer()], initContainers } });
  return { ...fold(EMPTY_SUMMARY, podLine(pod, 2)).pods[0]!, ...overrides };
}

describe('podNumbers', () => {
  it('counts from the time at which the pod was added', () => {
    expect(podNumbers(summary({ firstReadyAt: 7.5 }), 20)).toMatchObject({ readyAfter: 5.5 });
  });

  it('has no readyAfter when the pod was never ready', () => {
    expect(podNumbers(summary({}), 20)).not.toHaveProperty('readyAfter');
  });

  it('adds up the time in which the pod was ready, up to the end', () => {
    const readiness = [
      { t: 3, ready: true },
      { t: 5, ready: false },
      { t: 10, ready: true },
    ];
    expect(podNumbers(summary({ readiness }), 20).readyFor).toBe(12);
  });

  it('has the restarts of all containers except init containers', () => {
    expect(podNumbers(summary({}), 20).restarts).toEqual({ log: 0, app: 0 });
  });
});
