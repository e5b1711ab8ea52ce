import { beforeAll, expect, it, vi } from 'vitest';

import { sleep } from '../../src/clock/clock.js';
import { RealClock } from '../../src/clock/real-clock.js';
import { VirtualClock } from '../../src/clock/virtual-clock.js';
import { loadScenarios } from '../../src/sim/load-scenarios.js';
import { simulate } from '../../src/sim/simulate.js';
import type { TraceLine } from '../../src/trace/trace-line.js';
import { type Behavior, BEHAVIORS, type Part } from './behaviors.js';
import { compareTraces } from './compare-traces.js';
import { createSession } from './created-session.js';
import { IMAGE, requireEngine } from './engine.js';

beforeAll(async () => {
  requireEngine();
  // Jitter comes out the same for both.
  for (const clock of [RealClock, VirtualClock]) {
    vi.spyOn(clock.prototype, 'random').mockReturnValue(0.25);
  }
  // The first pod of an engine has its sandbox's image made.
  const { session } = await createSession(
    JSON.stringify(podOf({ ...BEHAVIORS[0]!, title: 'first' })),
  );
  await session.end();
});

// Two cores: more at once, and it is the machine that is measured.
vi.setConfig({ maxConcurrency: 2 });

function podOf({ title, spec, containers, initContainers = [] }: Behavior) {
  const made = ({ name, script, fields }: Part) => ({
    name,
    image: IMAGE,
    imagePullPolicy: 'IfNotPresent',
    command: ['sh', '-c', script],
    ...fields,
  });
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: title
        .replace(/[^a-z]+/g, '-')
        .slice(0, 40)
        .replace(/-$/, ''),
    },
    spec: {
      ...spec,
      containers: containers.map(made),
      ...(initContainers.length === 0 ? {} : { initContainers: initContainers.map(made) }),
    },
  };
}

async function simulated(behavior: Behavior): Promise<readonly TraceLine[]> {
  const { containers, initContainers = [], until } = behavior;
  const { metadata, spec } = podOf(behavior);
  const parts = [...containers, ...initContainers].map(({ name, runs }) => [name, { runs }]);
  const scenario = {
    name: 'scenario',
    until: `${until}s`,
    // The first relist comes with the pod, as it does when kprobe starts.
    kubeletUp: '600.02s',
    pod: { metadata, spec },
    containers: Object.fromEntries(parts) as unknown,
  };
  const { scenarios, diagnostics } = loadScenarios([
    { file: 's.json', text: JSON.stringify(scenario) },
  ]);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const lines: TraceLine[] = [];
  await simulate(scenarios[0]!, (line) => lines.push(line));
  return lines;
}

async function run(behavior: Behavior): Promise<readonly TraceLine[]> {
  const { session, lines } = await createSession(JSON.stringify(podOf(behavior)));
  await sleep(new RealClock(), behavior.until * 1000);
  const seen = [...lines];
  await session.end();
  return seen;
}

it.concurrent.each(BEHAVIORS)('$title, as in the simulator', async (behavior) => {
  const [expected, got] = [await simulated(behavior), await run(behavior)];
  expect(compareTraces(expected, got, behavior.until)).toEqual([]);
});
