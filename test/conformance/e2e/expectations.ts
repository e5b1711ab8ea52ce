import { expect } from 'vitest';

import type { ContainerStatus } from '../../../src/api/index.js';
import type { TraceLine } from '../../../src/trace/trace-line.js';
import type { Expected as ExpectedOfContainers } from './containers.js';
import type { Expected as ExpectedOfProbes, ProbeTest } from './probes.js';

type Lines = readonly TraceLine[];

export function expectProbes(expected: ExpectedOfProbes, lines: Lines, max = Infinity): void {
  const statuses = statusesOf(lines).map(({ statuses, ...rest }) => ({
    ...rest,
    app: statuses.find(({ name }) => name === 'app'),
  }));
  const readyAt = statuses.find(({ isReady }) => isReady)?.t ?? NaN;
  const counts = statuses.map(({ app }) => app?.restartCount ?? 0);
  switch (expected.kind) {
    case 'restarts':
      expect(counts).toEqual(counts.toSorted((a, b) => a - b));
      if (expected.count === 0) expect(counts.at(-1)).toBe(0);
      else expect(counts.at(-1)).toBeGreaterThanOrEqual(Math.min(expected.count, max));
      return;
    case 'readyAfterDelay':
      expect(readyAt - startOf(lines)).toBeGreaterThanOrEqual(expected.delay);
      expect(counts.at(-1)).toBe(0);
      return;
    case 'neverReady':
      expect(readyAt).toBeNaN();
      expect(counts.at(-1)).toBe(0);
      return;
    case 'readySoonAfterStarted': {
      const startedAt = statuses.find(({ app }) => app?.started === true)?.t ?? NaN;
      expect(readyAt).toBeGreaterThanOrEqual(startedAt);
      expect(readyAt - startedAt).toBeLessThanOrEqual(expected.soon);
    }
  }
}

export function expectEvent({ reason, message }: NonNullable<ProbeTest['event']>, lines: Lines) {
  const events = lines.flatMap((line) => (line.kind === 'event' ? [line] : []));
  const containing = expect.stringContaining(message) as string;
  expect(events).toContainEqual(expect.objectContaining({ reason, message: containing }));
}

export function expectContainers(expected: ExpectedOfContainers, lines: Lines, max = Infinity) {
  switch (expected.kind) {
    case 'restarted': {
      expectRestarted(expected, lines);
      return;
    }
    case 'phase': {
      expectPhase(expected, lines, max);
      return;
    }
    case 'hook': {
      const done = lines.find((line) => line.kind === 'hookDone' && line.hook === expected.hook);
      expect(done).toMatchObject({ container: 'app' });
      expect(done).not.toHaveProperty('error');
      if (expected.hook === 'preStop') expect(done?.t).toBeLessThanOrEqual(endOf(lines));
      return;
    }
    case 'ends': {
      const deletion = lines.find((line) => line.kind === 'action' && line.do === 'delete');
      const seconds = endOf(lines) - (deletion?.t ?? startOf(lines));
      expect(seconds).toBeGreaterThanOrEqual(expected.after);
      expect(seconds).toBeLessThanOrEqual(expected.before);
    }
  }
}

const timeOf = (lines: Lines, kind: 'started' | 'exited'): number =>
  lines.find((line) => line.kind === kind && line.container === 'app')?.t ?? NaN;
const startOf = (lines: Lines) => timeOf(lines, 'started');
const endOf = (lines: Lines) => timeOf(lines, 'exited');

function expectRestarted(
  { containers, running = [] }: ExpectedOfContainers & { kind: 'restarted' },
  lines: Lines,
): void {
  const all = statusesOf(lines).map(({ statuses }) => statuses);
  const restarted = all.find((statuses) =>
    containers.every((name) => {
      const { restartCount = 0, lastTerminationState } = statusOf(statuses, name) ?? {};
      return restartCount > 0 && lastTerminationState?.terminated !== undefined;
    }),
  );
  expect(restarted?.map(({ name }) => name)).toEqual(expect.arrayContaining([...containers]));
  for (const name of running) {
    expect(statusOf(all.at(-1) ?? [], name)?.state.running).toBeDefined();
  }
}

function expectPhase(
  expected: ExpectedOfContainers & { kind: 'phase' },
  lines: Lines,
  max: number,
): void {
  const { phase, restarts = {}, initialized, initDone = [], waiting = [] } = expected;
  const all = statusesOf(lines);
  const last = all.at(-1);
  expect(last?.phase).toBe(phase);
  for (const [name, count] of Object.entries(restarts)) {
    const counts = all.map(({ statuses }) => statusOf(statuses, name)?.restartCount);
    // The test waits for that many restarts.
    expect(counts).toContain(Math.min(count, max));
    if (phase !== 'Pending') expect(counts.at(-1)).toBe(count);
  }
  if (initialized !== undefined) expect(last?.initialized?.startsWith(initialized)).toBe(true);
  for (const name of initDone) {
    expect(statusOf(last?.statuses ?? [], name)).toMatchObject({
      ready: true,
      state: { terminated: { exitCode: 0 } },
    });
  }
  for (const { statuses } of all) {
    for (const name of waiting) expect(statusOf(statuses, name)?.state.waiting).toBeDefined();
  }
}

function statusOf(statuses: readonly ContainerStatus[], name: string): ContainerStatus | undefined {
  return statuses.find((status) => status.name === name);
}

function statusesOf(lines: Lines) {
  return lines.flatMap((line) => {
    if (line.kind !== 'status') return [];
    const { containerStatuses = [], initContainerStatuses = [] } = line.podStatus;
    const { Initialized: initialized, Ready: ready } = line.conditions;
    const statuses = [...initContainerStatuses, ...containerStatuses];
    return [{ t: line.t, phase: line.phase, initialized, isReady: ready === 'True', statuses }];
  });
}
