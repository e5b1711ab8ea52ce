import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { render } from 'ink-testing-library';

import { VirtualClock } from '../../src/clock/virtual-clock.js';
import { loadScenarios } from '../../src/sim/load-scenarios.js';
import { simulate } from '../../src/sim/simulate.js';
import { fold } from '../../src/trace/summary/fold.js';
import { EMPTY_SUMMARY, type Summary } from '../../src/trace/summary/summary.js';
import type { TraceLine } from '../../src/trace/trace-line.js';
import { App } from '../../src/tui/app.js';
import type { Size } from '../../src/tui/store/state.js';
import type { Effect, PlayerState, RunContext } from '../../src/tui/store/state.js';
import { Store } from '../../src/tui/store/store.js';
import { ROOT } from './kprobe.js';

export const RUN_CONTEXT: RunContext = {
  target: 'process',
  isSimulated: () => false,
  kubeletVersion: '1.36',
  hints: true,
  triesOnKey: false,
  theme: { color: false, unicode: true },
  replayLength: undefined,
};

/** What stands so many seconds after the pods were added, by the traces of scenarios in test/fixtures/ui. */
export async function summaryAt(seconds: number, ...names: readonly string[]): Promise<Summary> {
  const lines = (await Promise.all(names.map(traceOf))).flat().sort((a, b) => a.t - b.t);
  return lines.filter(({ t }) => t <= seconds).reduce(fold, EMPTY_SUMMARY);
}

/** Traces by the names of their scenarios: each is simulated once. */
const traces = new Map<string, Promise<readonly TraceLine[]>>();

export function traceOf(name: string): Promise<readonly TraceLine[]> {
  const trace = traces.get(name) ?? simulateScenario(name);
  traces.set(name, trace);
  return trace;
}

async function simulateScenario(name: string): Promise<readonly TraceLine[]> {
  const path = join(ROOT, `test/fixtures/ui/${name}.yaml`);
  const { scenarios, diagnostics } = loadScenarios([
    { file: path, text: readFileSync(path, 'utf8') },
  ]);
  const [scenario] = scenarios;
  if (scenario === undefined) throw new Error(JSON.stringify(diagnostics));
  const lines: TraceLine[] = [];
  await simulate(scenario, (line) => lines.push(line));
  return lines;
}

export interface UiOptions {
  readonly summary: Summary;
  /** Seconds of the trace. */
  readonly at: number;
  readonly size?: Size;
  readonly context?: Partial<RunContext>;
  readonly player?: PlayerState | undefined;
}

/** The UI over a summary, in virtual time, without a terminal. */
export async function openUi({
  summary,
  at,
  size = { columns: 120, rows: 30 },
  context,
  player,
}: UiOptions) {
  const clock = new VirtualClock();
  const origin = clock.now();
  const effects: Effect[] = [];
  const store = new Store({
    clock,
    now: () => at + (clock.now() - origin) / 1000,
    context: { ...RUN_CONTEXT, ...context },
    size,
    player,
    perform: (effect) => effects.push(effect),
  });
  store.receive(summary);
  const { stdin, stdout, frames, lastFrame, rerender, unmount } = render(<></>);
  Object.defineProperty(stdout, 'columns', { value: size.columns });
  rerender(<App store={store} />);
  const pass = async (milliseconds: number): Promise<void> => {
    // Ink reads its input in a later turn of the event loop.
    await setImmediate();
    await clock.advance(milliseconds);
    await setImmediate();
  };
  await pass(1);
  return {
    store,
    effects,
    pass,
    /** What is typed, piece by piece. */
    async type(...pieces: readonly string[]) {
      for (const piece of pieces) {
        stdin.write(piece);
        // The display follows within a tenth of a second.
        await pass(100);
      }
    },
    frame: () => lastFrame() ?? '',
    /** All frames that Ink has painted. */
    frames,
    close() {
      store.stop();
      // Ink would paint a last frame, which nobody reads.
      Object.assign(stdout, { writable: false });
      unmount();
    },
  };
}
