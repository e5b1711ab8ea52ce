import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Pod } from '../../src/api/types/pod.js';
import type { ContainerStatus } from '../../src/api/types/status.js';
import type { Scenario } from '../../src/sim/scenario.js';
import { simulate } from '../../src/sim/simulate.js';
import { encodeLine } from '../../src/trace/codec.js';
import type { TraceLine } from '../../src/trace/trace-line.js';
import { arbitraryScenario, readScenario } from '../helpers/arbitrary-scenario.js';
import { scenarioOfTrace } from '../helpers/scenario-of-trace.js';

type Of<K extends TraceLine['kind']> = Extract<TraceLine, { kind: K }>;

const RUNS = 50;

async function traceOf(scenario: Scenario): Promise<TraceLine[]> {
  const lines: TraceLine[] = [];
  await simulate(scenario, (line) => lines.push(line));
  return lines;
}

/** What holds in every scenario; one in which it does not is shrunk, and printed with the seed that finds it again. */
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

/** The lines of a kind, each with the status that stood before it. */
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

describe('in any scenario', { timeout: 120_000 }, () => {
  it(
    'what a trace shows of the containers gives the same trace',
    holds(async (lines, scenario) => {
      const again = await traceOf(scenarioOfTrace(scenario, lines));
      expect(again.map(encodeLine)).toEqual(lines.map(encodeLine));
    }),
  );

  it(
    'time does not go back',
    holds((lines) => {
      const times = lines.map(({ t }) => t);
      expect(times).toEqual([...times].sort((a, b) => a - b));
    }),
  );

  it(
    'no container is probed before its start',
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
    'no container is probed after its end, once the kubelet has seen that',
    holds((lines) => {
      for (const { line, status } of withStatus(lines, 'attempt')) {
        const seen = status && containersOf(status).find(({ name }) => name === line.container);
        expect(seen?.containerID).toBe(line.containerID);
        expect(seen?.state.running).toBeDefined();
      }
    }),
  );

  it(
    'a command in a container that has ended comes to nothing',
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
    'readiness and liveness wait for the startup probe, unless an earlier run had started',
    holds((lines, { pod }) => {
      const waiting = new Set(
        [...pod.spec.containers, ...(pod.spec.initContainers ?? [])]
          .filter(({ startupProbe }) => startupProbe !== undefined)
          .map(({ name }) => name),
      );
      for (const line of lines) {
        if (line.kind === 'attemptDone' && line.probe === 'startup' && line.set === 'success') {
          waiting.delete(line.container);
        }
        if (line.kind === 'attempt' && line.probe !== 'startup') {
          expect(waiting).not.toContain(line.container);
        }
      }
    }),
  );

  it(
    'restart counts do not fall',
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
    'the pod is ready when its containers are',
    holds((lines, { pod }) => {
      for (const status of of(lines, 'status')) {
        const ready = readyCondition(pod, status);
        expect(status.conditions).toMatchObject({ Ready: ready, ContainersReady: ready });
      }
    }),
  );
});

/** `True`, or why not, from the containers alone. */
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
