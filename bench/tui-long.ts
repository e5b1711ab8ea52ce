import { PassThrough } from 'node:stream';

import type { Clock } from '../src/clock/clock.js';
import type { Scenario } from '../src/sim/scenario.js';
import { simulate } from '../src/sim/simulate.js';
import { fold } from '../src/trace/summary/fold.js';
import { EMPTY_SUMMARY } from '../src/trace/summary/summary.js';
import { InkTui } from '../src/tui/tui.js';

export { loadScenarios } from '../src/sim/load-scenarios.js';

/** What a run of the UI took, at each of some times. */
export interface Sample {
  /** Seconds of the run. */
  readonly t: number;
  readonly frames: number;
  /** MB in use after a garbage collection. */
  readonly heap: number;
}

/** The UI over a scenario in virtual time; a sample each `every` seconds of it. */
export async function runLong(scenario: Scenario, every: number): Promise<Sample[]> {
  const clock = new ManualClock();
  let frames = 0;
  const tui = new InkTui({
    clock,
    now: () => clock.now() / 1000,
    terminal: nowhere(() => frames++),
    context: {
      target: 'process',
      isSimulated: () => false,
      kubeletVersion: '1.36',
      hints: true,
      triesOnKey: false,
      theme: { color: true, unicode: true },
      replayLength: undefined,
    },
    actions: {
      trigger: () => undefined,
      restart: () => Promise.resolve(undefined),
      save: () => Promise.resolve(''),
      interrupt: () => undefined,
    },
    command: '',
  });
  let summary = EMPTY_SUMMARY;
  const samples: Sample[] = [];
  await simulate(scenario, (line) => {
    summary = fold(summary, line);
    tui.line(line, summary);
    clock.moveTo(line.t * 1000);
    if (line.t < (samples.length + 1) * every) return;
    globalThis.gc?.();
    samples.push({ t: line.t, frames, heap: process.memoryUsage().heapUsed / 1e6 });
  });
  tui.end({ kind: 'quit', exitCode: 0, t: 0, verdict: { kind: 'holds', sentence: '' } }, summary);
  return samples;
}

/** A clock that is told the time, and then does what is due. */
class ManualClock implements Clock {
  #now = 0;
  readonly #timers = new Set<{ readonly due: number; readonly call: () => void }>();

  now(): number {
    return this.#now;
  }

  go(callback: () => void): void {
    queueMicrotask(callback);
  }

  random(): number {
    return 0.5;
  }

  setTimeout(call: () => void, delay: number): { cancel(): void } {
    const timer = { due: this.#now + delay, call };
    this.#timers.add(timer);
    return { cancel: () => void this.#timers.delete(timer) };
  }

  moveTo(now: number): void {
    this.#now = Math.max(this.#now, now);
    for (const timer of [...this.#timers]) {
      if (timer.due > this.#now) continue;
      this.#timers.delete(timer);
      timer.call();
    }
  }
}

/** A terminal whose screen nobody sees. */
function nowhere(onWrite: () => void): ConstructorParameters<typeof InkTui>[0]['terminal'] {
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: () => undefined,
    ref: () => undefined,
    unref: () => undefined,
  });
  return {
    input: input as unknown as NodeJS.ReadStream,
    output: new PassThrough(),
    size: () => ({ columns: 120, rows: 40 }),
    write: onWrite,
    close: () => undefined,
    setRawMode: () => undefined,
    suspend: () => undefined,
    onSuspend: () => () => undefined,
    onExit: () => () => undefined,
  };
}
