import type { AttemptView } from '../../src/trace/summary/probe-view.js';

/** An attempt that succeeded, but for what is said otherwise. */
export function buildAttempt(overrides: Partial<AttemptView> = {}): AttemptView {
  return {
    attempt: 1,
    startedAt: 1,
    endedAt: 1.01,
    run: 0,
    result: 'success',
    output: '',
    tries: 1,
    latency: 10,
    lastResult: 'success',
    resultRun: 1,
    before: { resultRun: 0 },
    threshold: 1,
    ...overrides,
  };
}
