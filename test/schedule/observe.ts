import { expect } from 'vitest';

import type { Container, Pod, Probe } from '../../src/api/index.js';
import type { Span } from '../../src/schedule/probe-times.js';
import { DEFAULT_RUN, type Scenario, type ScriptedRun } from '../../src/sim/scenario.js';
import { simulate } from '../../src/sim/simulate.js';
import type { TraceLine } from '../../src/trace/trace-line.js';
import { buildContainer, buildPod, buildProbe } from '../helpers/builders.js';
import { fc } from '../helpers/property.js';

/** Seconds that the simulator adds for a start or a command. */
export const SLACK = 0.05;

/** The differences between runs of the same pod: the phase of the kubelet's periodic work. */
export interface Phase {
  /** Duration of the init container in milliseconds. */
  readonly initTakes: number;
  /** Milliseconds between the last relist and the addition of the pod. */
  readonly relist: number;
  /** Duration of the container's first start in milliseconds, which sets its fraction of a second. */
  readonly startTakes: number;
  readonly seed: number;
}

export const phases = fc.record<Phase>({
  initTakes: fc.integer({ min: 1, max: 20_000 }),
  relist: fc.integer({ min: 0, max: 999 }),
  startTakes: fc.integer({ min: 1, max: 999 }),
  seed: fc.integer({ min: 1, max: 1_000_000 }),
});

/** A valid exec probe. */
export function probes(command: string, successes = 1): fc.Arbitrary<Probe> {
  return fc
    .record({
      initialDelaySeconds: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 20 })),
      periodSeconds: fc.integer({ min: 1, max: 15 }),
      timeoutSeconds: fc.integer({ min: 1, max: 20 }),
      failureThreshold: fc.integer({ min: 1, max: 5 }),
      successThreshold: fc.integer({ min: 1, max: successes }),
    })
    .map((numbers) => buildProbe({ exec: { command: [command] }, ...numbers }));
}

export interface Observed {
  /** The start of the container, in seconds of the trace. */
  readonly start: number;
  readonly lines: readonly TraceLine[];
}

/** Overrides that make the container a regular one or a sidecar. */
export const ROLES: readonly (readonly [string, Partial<Container>])[] = [
  ['container', {}],
  ['sidecar', { restartPolicy: 'Always' }],
];

export const roles = fc.constantFrom(...ROLES.map(([, role]) => role));

/** A pod with an init container and this container, which is a sidecar if its own restart policy is Always. */
export function podOf(overrides: Partial<Container>): Pod {
  const init = buildContainer({ name: 'init' });
  const app = buildContainer(overrides);
  const isSidecar = app.restartPolicy === 'Always';
  return buildPod({
    spec: {
      containers: isSidecar ? [buildContainer({ name: 'main' })] : [app],
      initContainers: isSidecar ? [init, app] : [init],
      terminationGracePeriodSeconds: 30,
    },
  });
}

/** Runs a container after an init container, in one phase of the kubelet. */
export async function observe(
  overrides: Partial<Container>,
  script: Partial<ScriptedRun>,
  { initTakes, relist, startTakes, seed }: Phase,
  seconds: number,
  change: Partial<Scenario> = {},
  name = 'app',
): Promise<Observed> {
  const scenario: Scenario = {
    name: 's',
    until: seconds * 1000,
    kubeletUp: 5000 + relist,
    kubeletAge: 3_600_000,
    pod: podOf(overrides),
    containers: {
      init: [{ ...DEFAULT_RUN, exitAfter: initTakes }],
      app: [
        { ...DEFAULT_RUN, startTakes, ...script },
        { ...DEFAULT_RUN, ...script },
      ],
    },
    actions: [],
    ...change,
  };
  const lines: TraceLine[] = [];
  await simulate(scenario, (line) => lines.push(line), seed);
  const start = lines.find((line) => line.kind === 'started' && line.container === name)?.t;
  if (start === undefined) throw new Error('the container never started');
  return { start, lines };
}

/** The time of the first status at or after `after` in which the container satisfies `is`. */
export function statusAt(
  { lines }: Observed,
  is: (app: { readonly ready: boolean; readonly started?: boolean | undefined }) => boolean,
  after = 0,
): number | undefined {
  return lines.find(
    (line) =>
      line.kind === 'status' &&
      line.t >= after &&
      [...line.containers, ...line.initContainers].some(
        (container) => container.name === 'app' && is(container),
      ),
  )?.t;
}

export function killedAt({ lines }: Observed): number | undefined {
  return lines.find((line) => line.kind === 'event' && line.reason === 'Killing')?.t;
}

/** One run of the container, in seconds of the trace. */
export interface Life {
  readonly start: number;
  readonly killed?: number;
  readonly end?: number;
}

/** Returns the runs of the container. */
export function livesOf({ lines }: Observed): Life[] {
  const lives: Life[] = [];
  const add = (more: Partial<Life>): void => {
    const last = lives.pop();
    if (last !== undefined) lives.push({ ...last, ...more });
  };
  for (const line of lines) {
    if (line.kind === 'started' && line.container === 'app') lives.push({ start: line.t });
    if (line.kind === 'exited' && line.container === 'app') add({ end: line.t });
    if (line.kind === 'event' && line.reason === 'Killing') add({ killed: line.t });
  }
  return lives;
}

/** Returns true when a time is within its bounds, and a message otherwise. */
export function within(time: number | undefined, since: number, { from, to }: Span): true | string {
  if (time === undefined) return 'it did not happen';
  const after = time - since;
  if (after >= from - SLACK && after <= to + SLACK) return true;
  return `${after} is not in ${from} – ${to}`;
}

/** The span of values seen in `runs` phases of the kubelet, always the same ones. */
export async function spread(
  see: (phase: Phase) => Promise<number | undefined | readonly number[]>,
  runs = 150,
): Promise<Span> {
  const seen: number[] = [];
  for (const phase of fc.sample(phases, { seed: 7, numRuns: runs })) {
    seen.push(...[(await see(phase)) ?? []].flat());
  }
  return spanOf(seen);
}

/** The span of values seen in random phases, and in phases near those of the least and the greatest. */
export async function searchedSpan(
  see: (phase: Phase) => Promise<number>,
  runs: number,
): Promise<Span> {
  const random = fc.sample(phases, { seed: 7, numRuns: 2 * runs });
  const seen: { readonly phase: Phase; readonly value: number }[] = [];
  const add = async (phase: Phase): Promise<void> => {
    seen.push({ phase, value: await see(phase) });
    seen.sort((a, b) => a.value - b.value);
  };
  for (const phase of random.slice(0, runs)) await add(phase);
  for (const [index, { initTakes, relist, startTakes, seed }] of random.slice(runs).entries()) {
    // One field of an extreme phase is changed: the others already make for a long, or a short, sum.
    const changes: readonly Partial<Phase>[] = [
      { initTakes },
      { relist },
      { startTakes },
      { seed },
    ];
    const near = seen.at(index % 2 === 0 ? -1 : 0)?.phase;
    if (near !== undefined) await add({ ...near, ...changes[(index >> 1) % changes.length] });
  }
  return spanOf(seen.map(({ value }) => value));
}

export function spanOf(seen: readonly number[]): Span {
  return { from: Math.min(...seen), to: Math.max(...seen) };
}

/** Expects values near both ends of the bounds, up to 15 % of their distance. */
export function expectReached(seen: Span, bounds: Span): void {
  const near = Math.max(0.1, (bounds.to - bounds.from) * 0.15);
  expect(seen.from).toBeLessThan(bounds.from + near);
  expect(seen.to).toBeGreaterThan(bounds.to - near);
}
