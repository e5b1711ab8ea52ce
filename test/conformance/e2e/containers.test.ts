import { stdout } from 'node:process';

import { afterAll, describe, expect, it } from 'vitest';

import type { ContainerStatus } from '../../../src/api/index.js';
import { KUBERNETES_RELEASES } from '../../../src/kubelet/release.js';
import { loadScenarios } from '../../../src/sim/load-scenarios.js';
import { simulate } from '../../../src/sim/simulate.js';
import type { TraceLine } from '../../../src/trace/trace-line.js';
import { CONTAINER_TESTS, type ContainerTest, type Expected } from './containers.js';

/** Seconds after which a pod is deleted. */
const DELETED_AT = 10;

const held = new Map<string, number>();

describe.each(KUBERNETES_RELEASES)('Kubernetes %s', (release) => {
  const tests = CONTAINER_TESTS.filter(({ since = release }) => since <= release);

  afterAll(() => {
    const count = held.get(release) ?? 0;
    stdout.write(
      `Kubernetes' end-to-end tests of containers, ${release}: ${count} of ${tests.length} hold\n`,
    );
  });

  it.each(tests.map((test) => [test.title, test] as const))('%s', async (_, test) => {
    const lines = await linesOf(test, release);
    expectHolds(test, lines);
    held.set(release, (held.get(release) ?? 0) + 1);
  });
});

async function linesOf(test: ContainerTest, version: string): Promise<readonly TraceLine[]> {
  const { spec, runs, isDeleted, gates = [] } = test;
  const written = {
    name: 'test',
    until: '180s',
    pod: { metadata: { name: 'test' }, spec },
    containers: Object.fromEntries(
      Object.entries(runs).map(([name, script]) => [name, { runs: script }]),
    ),
    ...(isDeleted && { actions: [{ at: `${DELETED_AT}s`, do: 'delete' }] }),
  };
  const { scenarios, diagnostics } = loadScenarios([
    { file: 'test.json', text: JSON.stringify(written) },
  ]);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const featureGates = Object.fromEntries(gates.map((name) => [name, true]));
  const lines: TraceLine[] = [];
  const kubelet = { version, featureGates };
  await simulate({ ...scenarios[0]!, kubelet }, (line) => lines.push(line));
  return lines;
}

function expectHolds({ expected, isDeleted }: ContainerTest, lines: readonly TraceLine[]): void {
  switch (expected.kind) {
    case 'restarted':
      return expectRestarted(expected, lines);
    case 'phase':
      return expectPhase(expected, lines);
    case 'hook': {
      const done = lines.find(
        (line) =>
          line.kind === 'hookDone' && line.hook === expected.hook && line.container === 'app',
      );
      expect(done).toMatchObject({ kind: 'hookDone', hook: expected.hook });
      expect(done).not.toHaveProperty('error');
      if (isDeleted) expect(done!.t).toBeLessThanOrEqual(endOf(lines)!.t);
      return;
    }
    case 'ends': {
      const end = endOf(lines)!.t;
      const begin = end < DELETED_AT ? startOf(lines) : DELETED_AT;
      expect(end - begin).toBeGreaterThanOrEqual(expected.after);
      expect(end - begin).toBeLessThanOrEqual(expected.before);
    }
  }
}

const endOf = (lines: readonly TraceLine[]) =>
  lines.find((line) => line.kind === 'exited' && line.container === 'app');

function startOf(lines: readonly TraceLine[]): number {
  return lines.find((line) => line.kind === 'started' && line.container === 'app')?.t ?? NaN;
}

function expectRestarted(
  { containers, running = [] }: Expected & { kind: 'restarted' },
  lines: readonly TraceLine[],
): void {
  const restarted = statusesOf(lines).find(({ statuses }) =>
    containers.every((name) => {
      const { restartCount, lastTerminationState } = statusOf(statuses, name);
      return restartCount > 0 && lastTerminationState.terminated !== undefined;
    }),
  );
  expect(restarted?.statuses.map(({ name }) => name)).toEqual(
    expect.arrayContaining([...containers]),
  );
  const { statuses } = statusesOf(lines).at(-1)!;
  for (const name of running) expect(statusOf(statuses, name).state.running).toBeDefined();
}

function expectPhase(
  { phase, restarts = {}, initialized, initDone = [], waiting = [] }: Expected & { kind: 'phase' },
  lines: readonly TraceLine[],
): void {
  const all = statusesOf(lines);
  const last = all.at(-1)!;
  expect(last.phase).toBe(phase);
  for (const [name, count] of Object.entries(restarts)) {
    // The test waits for that many restarts.
    expect(all.map(({ statuses }) => statusOf(statuses, name).restartCount)).toContain(count);
    if (phase !== 'Pending') expect(statusOf(last.statuses, name).restartCount).toBe(count);
  }
  if (initialized !== undefined) expect(last.initialized?.startsWith(initialized)).toBe(true);
  for (const name of initDone) {
    expect(statusOf(last.statuses, name)).toMatchObject({
      ready: true,
      state: { terminated: { exitCode: 0 } },
    });
  }
  for (const { statuses } of waiting.length > 0 ? all : []) {
    for (const name of waiting) expect(statusOf(statuses, name).state.waiting).toBeDefined();
  }
}

const statusOf = (statuses: readonly ContainerStatus[], name: string): ContainerStatus =>
  statuses.find((status) => status.name === name)!;

function statusesOf(lines: readonly TraceLine[]) {
  return lines.flatMap((line) => {
    if (line.kind !== 'status') return [];
    const { containerStatuses = [], initContainerStatuses = [] } = line.podStatus;
    const initialized = line.conditions['Initialized'];
    const statuses = [...initContainerStatuses, ...containerStatuses];
    return [{ phase: line.phase, initialized, statuses }];
  });
}
