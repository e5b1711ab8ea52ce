import { describe, expect, it } from 'vitest';

import type { Container, ContainerStatus, Pod } from '../../src/api/index.js';
import type { Scenario } from '../../src/sim/scenario.js';
import { simulate } from '../../src/sim/simulate.js';
import type { TraceLine } from '../../src/trace/trace-line.js';
import { encodeLine } from '../../src/trace/trace-record.js';
import { arbitraryScenario, readScenario } from '../helpers/arbitrary-scenario.js';
import { fc, RUNS_FACTOR } from '../helpers/property.js';
import { scenarioOfTrace } from '../helpers/scenario-of-trace.js';

type Of<K extends TraceLine['kind']> = Extract<TraceLine, { kind: K }>;

const RUNS = 10 * RUNS_FACTOR;

async function traceOf(scenario: Scenario): Promise<TraceLine[]> {
  const lines: TraceLine[] = [];
  await simulate(scenario, (line) => lines.push(line));
  return lines;
}

/** Runs a check on arbitrary scenarios; a counterexample is shrunk and printed with its seed. */
function holds(check: (lines: readonly TraceLine[], scenario: Scenario) => Promise<void> | void) {
  return () =>
    fc.assert(
      fc.asyncProperty(arbitraryScenario, async (written) => {
        const scenario = readScenario(written);
        await check(await traceOf(scenario), scenario);
      }),
      { numRuns: RUNS },
    );
}

const of = <K extends TraceLine['kind']>(lines: readonly TraceLine[], kind: K): Of<K>[] =>
  lines.filter((line): line is Of<K> => line.kind === kind);

function containersOf({ podStatus }: Of<'status'>): readonly ContainerStatus[] {
  return [...(podStatus.initContainerStatuses ?? []), ...(podStatus.containerStatuses ?? [])];
}

/** The lines before the pod is deleted; after that, no status is reported. */
function whileThere(lines: readonly TraceLine[]): readonly TraceLine[] {
  const end = lines.findIndex((line) => line.kind === 'action' && line.do === 'delete');
  return end === -1 ? lines : lines.slice(0, end);
}

/** The lines of a kind, each with the latest status before it. */
function withStatus<K extends TraceLine['kind']>(
  lines: readonly TraceLine[],
  kind: K,
): { line: Of<K>; status: Of<'status'> | undefined }[] {
  let status: Of<'status'> | undefined;
  const found: { line: Of<K>; status: Of<'status'> | undefined }[] = [];
  for (const line of lines) {
    if (line.kind === 'status') status = line;
    if (line.kind === kind) found.push({ line: line as Of<K>, status });
  }
  return found;
}

it('replaying a trace that ends within a start gives the same trace', async () => {
  const probe = { periodSeconds: 4, exec: { command: ['check'] } };
  const sidecar = { name: 'sidecar', image: 'app:1', restartPolicy: 'Always', startupProbe: probe };
  const [first, init] = [
    { name: 'app', image: 'app:1' },
    { name: 'init', image: 'app:1' },
  ];
  const scenario = readScenario({
    name: 'starting',
    until: '20s',
    kubeletUp: '60001ms',
    pod: {
      metadata: { name: 'web' },
      spec: { restartPolicy: 'Always', containers: [first], initContainers: [init, sidecar] },
    },
    containers: {
      app: { runs: [{}] },
      init: { runs: [{ exitAfter: '2997ms' }, { exitAfter: '7ms' }] },
      sidecar: { runs: [{ startError: 'no file' }, { startError: 'no file' }, {}] },
    },
  });
  const lines = await traceOf(scenario);
  expect(of(lines, 'startFailed')).toHaveLength(2);
  expect(of(lines, 'event').filter(({ reason }) => reason === 'Created').length).toBe(4);
  const replayed = await traceOf(scenarioOfTrace(scenario, lines));
  expect(replayed.map(encodeLine)).toEqual(lines.map(encodeLine));
});

describe('in any scenario', () => {
  it(
    'replaying the container behavior from a trace gives the same trace',
    holds(async (lines, scenario) => {
      const replayed = await traceOf(scenarioOfTrace(scenario, lines));
      expect(replayed.map(encodeLine)).toEqual(lines.map(encodeLine));
    }),
  );

  it(
    'time never goes backward',
    holds((lines) => {
      for (const [index, { t }] of lines.entries()) {
        expect(t).toBeGreaterThanOrEqual(lines[index - 1]?.t ?? 0);
      }
    }),
  );

  it(
    'no container is probed before it starts',
    holds((lines) => {
      for (const [index, line] of lines.entries()) {
        if (line.kind !== 'exec') continue;
        const { container, run } = line;
        const started = of(lines.slice(0, index), 'started');
        expect(started).toContainEqual(expect.objectContaining({ container, run }));
      }
    }),
  );

  it(
    'no container is probed after the kubelet has noticed its exit',
    holds((lines) => {
      for (const { line, status } of withStatus(whileThere(lines), 'attempt')) {
        const seen = status && containersOf(status).find(({ name }) => name === line.container);
        expect(seen?.containerID).toBe(line.containerID);
        expect(seen?.state.running).toBeDefined();
      }
    }),
  );

  it(
    'a command in a container that has exited ends at once with 137',
    holds((lines) => {
      for (const [index, line] of lines.entries()) {
        if (line.kind !== 'exec') continue;
        const ended = of(lines.slice(0, index), 'exited').some(
          ({ container, run }) => container === line.container && run === line.run,
        );
        const done = of(lines.slice(index), 'execDone').find(
          ({ command, run }) => command === line.command && run === line.run,
        );
        if (ended) expect(done).toMatchObject({ t: line.t, exit: 137 });
      }
    }),
  );

  it(
    'only the startup probe runs until the container is started, and only the others after that',
    holds((lines) => {
      for (const { line, status } of withStatus(whileThere(lines), 'attempt')) {
        const seen = status && containersOf(status).find(({ name }) => name === line.container);
        expect(seen?.started).toBe(line.probe !== 'startup');
      }
    }),
  );

  it(
    'a container with a startup probe is started only when that probe succeeds',
    holds((lines, { pod }) => {
      const probed = specsOf(pod).filter(({ startupProbe }) => startupProbe !== undefined);
      const started = new Map(probed.map(({ name }) => [name, false]));
      const succeeded = new Set<string>();
      const unprobed = new Set<string>();
      for (const line of whileThere(lines)) {
        if (line.kind === 'worker' && line.probe === 'startup') {
          if (line.state === 'stopped') unprobed.add(line.container);
          else unprobed.delete(line.container);
        }
        if (line.kind === 'attemptDone' && line.probe === 'startup' && line.set === 'success') {
          succeeded.add(line.containerID);
        }
        if (line.kind !== 'status') continue;
        for (const { name, started: now = false, containerID } of containersOf(line)) {
          // A restarted container may be reported as started, as its earlier run was, until its first probe result.
          const begins = now && started.get(name) === false;
          // As in the kubelet, a worker ends with the last run of its container or pod. A run after that, by
          // RestartAllContainers, is not probed and is reported as started.
          if (begins && !unprobed.has(name)) expect(succeeded).toContain(containerID);
          if (started.has(name)) started.set(name, now);
        }
      }
    }),
  );

  it(
    'restart counts never fall',
    holds((lines) => {
      const counts = new Map<string, number>();
      for (const { containers, initContainers } of of(lines, 'status')) {
        for (const { name, restartCount } of [...containers, ...initContainers]) {
          expect(restartCount).toBeGreaterThanOrEqual(counts.get(name) ?? 0);
          counts.set(name, restartCount);
        }
      }
    }),
  );

  it(
    'a pod that has ended keeps its phase',
    holds((lines) => {
      const phases = of(lines, 'status').map(({ phase }) => phase);
      const end = phases.findIndex((phase) => phase === 'Succeeded' || phase === 'Failed');
      if (end !== -1) expect(new Set(phases.slice(end)).size).toBe(1);
    }),
  );

  it(
    'the pod is ready exactly when its containers are',
    holds((lines, { pod }) => {
      for (const status of of(lines, 'status')) {
        const ready = readyCondition(pod, status);
        expect(status.conditions).toMatchObject({ Ready: ready, ContainersReady: ready });
      }
    }),
  );

  it(
    'the pod is initialized when its init containers are, and stays initialized',
    holds((lines, { pod }) => {
      let before: Of<'status'> | undefined;
      for (const status of of(lines, 'status')) {
        const { Initialized: was = '' } = before?.conditions ?? {};
        const initialized = initializedCondition(pod, status, was.startsWith('True'));
        // A startup success is visible at once, but the condition follows at the next sync.
        const possible = before && statesOf(before) === statesOf(status) ? [was] : [];
        expect([initialized, ...possible]).toContain(status.conditions['Initialized']);
        before = status;
      }
    }),
  );
});

const specsOf = ({ spec }: Pod) => [...(spec.initContainers ?? []), ...spec.containers];

const statesOf = ({ initContainers }: Of<'status'>): string =>
  initContainers.map(({ name, state }) => `${name} ${state}`).join();

/** The Ready condition computed from the containers alone. */
function readyCondition(
  { spec }: Pod,
  { phase, containers, initContainers }: Of<'status'>,
): string {
  if (phase === 'Succeeded') return 'False PodCompleted';
  if (phase === 'Failed') return 'False PodFailed';
  const sidecars = (spec.initContainers ?? []).filter((c) => c.restartPolicy === 'Always');
  const all = [...sidecars, ...spec.containers].map(({ name }) => name);
  const ready = [...containers, ...initContainers].filter((c) => c.ready).map(({ name }) => name);
  const unready = all.filter((name) => !ready.includes(name));
  if (unready.length === 0) return 'True';
  return `False ContainersNotReady: containers with unready status: [${unready.join(' ')}]`;
}

/** The Initialized condition computed from the containers, and from whether it was True before. */
function initializedCondition(
  { spec }: Pod,
  { phase, containers, initContainers }: Of<'status'>,
  was: boolean,
): string {
  if (phase === 'Succeeded') return 'True PodCompleted';
  if (was || containers.some(({ state }) => /^(running|terminated)/.test(state))) return 'True';
  const complete = (c: Container): boolean => {
    const status = initContainers.find(({ name }) => name === c.name);
    return (c.restartPolicy === 'Always' ? status?.started : status?.ready) ?? false;
  };
  const incomplete = (spec.initContainers ?? []).filter((c) => !complete(c));
  if (incomplete.length === 0) return 'True';
  const names = incomplete.map(({ name }) => name).join(' ');
  return `False ContainersNotInitialized: containers with incomplete status: [${names}]`;
}
