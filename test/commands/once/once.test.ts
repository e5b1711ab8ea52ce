import { describe, expect, it } from 'vitest';

import { sleep } from '../../../src/clock/clock.js';
import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import {
  type OnceGoal,
  onceLoop,
  type OncePlan,
  podAround,
} from '../../../src/commands/once/once.js';
import type { ProbeAnswer } from '../../../src/kubelet/prober/prober.js';
import type { Tally } from '../../../src/trace/summary/tally.js';
import type { TraceLine } from '../../../src/trace/trace-line.js';

const SUCCESS: ProbeAnswer = {
  result: 'success',
  outcome: { result: 'success', output: '' },
  tries: 1,
};
const FAILURE: ProbeAnswer = {
  result: 'failure',
  outcome: { result: 'failure', output: '' },
  tries: 1,
};

interface Loop {
  readonly goal: OnceGoal;
  /** Milliseconds that an attempt takes. */
  readonly latency?: number;
  readonly interval?: number;
  readonly success?: number;
  readonly answers?: readonly ProbeAnswer[];
  readonly stopAt?: number;
  readonly probes?: number;
}

/** Runs attempts on a virtual clock; returns their start times and the tallies. */
async function loop(
  given: Loop,
): Promise<{ begins: number[]; tallies: Tally[]; lines: TraceLine[] }> {
  const clock = new VirtualClock();
  const start = clock.now();
  const container = { name: 'probe', image: '' };
  const plan: OncePlan = {
    pod: 'default/probe',
    probe: { pod: podAround(container), container, probeType: 'liveness', address: '127.0.0.1' },
    interval: given.interval ?? 1000,
    thresholds: { success: given.success ?? 1, failure: 1 },
  };
  const ending = new AbortController();
  if (given.stopAt !== undefined) clock.setTimeout(() => ending.abort(), given.stopAt);
  const begins: number[] = [];
  const lines: TraceLine[] = [];
  const answers = [...(given.answers ?? [])];
  const done = onceLoop(
    Array.from({ length: given.probes ?? 1 }, () => plan),
    {
      clock,
      goal: given.goal,
      signal: ending.signal,
      resultOf: ({ result }) => result,
      onStart: (line) => void lines.push(line),
      onAttempt: (_, { line }) => void lines.push(line),
      async attempt() {
        begins.push(clock.now() - start);
        await sleep(clock, given.latency ?? 0);
        return { answer: answers.shift() ?? SUCCESS, latency: given.latency ?? 0 };
      },
    },
  );
  await clock.advance(60_000);
  return { begins, tallies: await done, lines };
}

describe('onceLoop', () => {
  it('starts attempts one interval apart', async () => {
    const { begins } = await loop({ goal: { kind: 'times', times: 3 }, latency: 10 });
    expect(begins).toEqual([0, 1000, 2000]);
  });

  it('starts the next attempt at once after a slow one', async () => {
    const { begins } = await loop({ goal: { kind: 'times', times: 4 }, latency: 1500 });
    expect(begins).toEqual([0, 1500, 3000, 4500]);
  });

  it('continues until the success threshold is reached', async () => {
    const { begins, tallies } = await loop({
      goal: { kind: 'untilSuccess' },
      success: 2,
      answers: [FAILURE, SUCCESS, FAILURE, SUCCESS, SUCCESS],
    });
    expect(begins).toHaveLength(5);
    expect(tallies).toMatchObject([{ set: 'success', successes: 3, failures: 2 }]);
  });

  it('has the lines of a run for each attempt', async () => {
    const { lines } = await loop({
      goal: { kind: 'times', times: 2 },
      latency: 10,
      answers: [FAILURE, SUCCESS],
    });
    const subject = { pod: 'default/probe', container: 'probe', probe: 'liveness' };
    expect(lines).toMatchObject([
      { t: 0, kind: 'attempt', ...subject, attempt: 1 },
      { t: 0.01, kind: 'attemptDone', attempt: 1, result: 'failure', set: 'failure', latency: 10 },
      { t: 1, kind: 'attempt', ...subject, attempt: 2 },
      { t: 1.01, kind: 'attemptDone', attempt: 2, lastResult: 'success', resultRun: 1 },
    ]);
  });

  it('probes several targets in parallel', async () => {
    const { begins } = await loop({ goal: { kind: 'times', times: 1 }, latency: 500, probes: 3 });
    expect(begins).toEqual([0, 0, 0]);
  });

  it('ends when it is aborted, without the current attempt', async () => {
    const { begins, tallies } = await loop({
      goal: { kind: 'untilSuccess' },
      latency: 400,
      answers: [FAILURE, FAILURE, FAILURE],
      stopAt: 1200,
    });
    expect(begins).toEqual([0, 1000]);
    expect(tallies).toMatchObject([{ failures: 1 }]);
  });
});
