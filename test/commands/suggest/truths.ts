import type { Container, Pod, Probe } from '../../../src/api/index.js';
import { type Random, seeded } from '../../../src/clock/clock.js';
import type { BehaviorSpec, Range } from '../../../src/sim/behavior.js';
import { EMPTY_BEHAVIOR, podScenario } from '../../../src/sim/pod-scenario.js';
import type { Scenario } from '../../../src/sim/scenario.js';
import { simulate } from '../../../src/sim/simulate.js';
import type { Trace } from '../../../src/trace/read-trace.js';
import { fold } from '../../../src/trace/summary/fold.js';
import { type PodNumbers, podNumbers } from '../../../src/trace/summary/pod-numbers.js';
import { EMPTY_SUMMARY } from '../../../src/trace/summary/summary.js';
import type { TraceLine } from '../../../src/trace/trace-line.js';
import { buildContainer, buildPod, buildProbe } from '../../helpers/builders.js';
import { buildEnd, HEADER } from '../../helpers/traces.js';

/** Seconds of a recording, and of each run that follows. */
const LENGTH = 300;

/** A container whose behavior is known, and the settings that it has. */
export interface Truth {
  readonly kind: (typeof KINDS)[number];
  readonly pod: Pod;
  readonly behavior: BehaviorSpec;
}

const KINDS = [
  'killed before the first answer',
  'killed at some starts',
  'latency around the timeout',
  'random failures',
  'hangs that end',
  'sufficient settings',
] as const;

/** Draws the truths, each kind as often as the others. */
export function truths(count: number, seed: number): readonly Truth[] {
  const random = seeded(seed);
  return Array.from({ length: count }, (_, index) => {
    const kind = KINDS[index % KINDS.length] ?? KINDS[0];
    return { kind, ...truthOf(kind, random) };
  });
}

function truthOf(kind: Truth['kind'], random: Random): Omit<Truth, 'kind'> {
  const between = (from: number, to: number): number => from + (to - from) * random();
  const whole = (from: number, to: number): number => Math.floor(between(from, to + 1));
  const periodSeconds = whole(1, 10);
  const failureThreshold = whole(3, 4);
  const budget = periodSeconds * failureThreshold;
  const probes = { periodSeconds, failureThreshold };
  const start = (seconds: number, share = 0.05): Range => around(seconds * 1000, share);
  const quick = { readyAfter: start(between(1, 4)), latency: { from: 5, to: 80 } };
  switch (kind) {
    case 'killed before the first answer':
      return {
        pod: podOf(probes),
        behavior: { ...quick, readyAfter: start(budget * between(1.5, 3)) },
      };
    case 'killed at some starts':
      return { pod: podOf(probes), behavior: { ...quick, readyAfter: start(budget, 0.2) } };
    case 'latency around the timeout': {
      const from = between(200, 800);
      const latency = { from, to: between(1100, 2500) };
      return { pod: podOf(probes), behavior: { ...quick, latency } };
    }
    case 'random failures':
      return {
        pod: podOf({ periodSeconds, failureThreshold: whole(1, 2) }),
        behavior: { ...quick, failRate: between(0.02, 0.12) },
      };
    case 'hangs that end': {
      const from = between(40, 100) * 1000;
      const hangsAt = [{ from, to: from + budget * between(1.2, 2) * 1000 }];
      return { pod: podOf(probes), behavior: { ...quick, hangsAt } };
    }
    case 'sufficient settings':
      return {
        pod: podOf({ periodSeconds, failureThreshold }, { periodSeconds, failureThreshold: 40 }),
        behavior: quick,
      };
  }
}

function around(center: number, share: number): Range {
  return { from: center * (1 - share), to: center * (1 + share) };
}

function podOf(settings: Partial<Probe>, startup?: Partial<Probe>): Pod {
  const probe = buildProbe({ timeoutSeconds: 1, ...settings });
  const container = buildContainer({
    livenessProbe: probe,
    readinessProbe: probe,
    ...(startup && { startupProbe: buildProbe({ timeoutSeconds: 1, ...startup }) }),
  });
  return buildPod({ spec: { containers: [container] } });
}

function scenarioOf(pod: Pod, behavior: BehaviorSpec): Scenario {
  const given = <T>(value: T | undefined) => (value === undefined ? [] : [{ value }]);
  const spec = {
    ...EMPTY_BEHAVIOR,
    readyAfter: given(behavior.readyAfter),
    latency: given(behavior.latency),
    failRate: given(behavior.failRate),
    hangsAt: (behavior.hangsAt ?? []).map((value) => ({ value })),
  };
  return podScenario(pod, spec, { until: LENGTH * 1000 }).scenario;
}

async function linesOf(scenario: Scenario, seed: number): Promise<readonly TraceLine[]> {
  const lines: TraceLine[] = [];
  await simulate(scenario, (line) => lines.push(line), seed);
  return lines;
}

function traceOf(lines: readonly TraceLine[]): Trace {
  const end = buildEnd({ t: LENGTH, at: LENGTH });
  return { header: { ...HEADER, target: 'simulated' }, lines, end, unknown: 0 };
}

export async function record({ pod, behavior }: Truth, seed: number): Promise<Trace> {
  return traceOf(await linesOf(scenarioOf(pod, behavior), seed));
}

/** Records a process that lives on through the restarts of its container, as with `--restart simulated`. */
export async function recordLiving({ pod, behavior }: Truth, seed: number): Promise<Trace> {
  const random = seeded(seed);
  const { readyAfter = { from: 0, to: 0 }, hangsAt = [] } = behavior;
  const ready = readyAfter.from + random() * (readyAfter.to - readyAfter.from);
  const runAt = (elapsed: number) => {
    const left = (time: number): number => Math.max(0, time - elapsed);
    const aged: BehaviorSpec = {
      ...behavior,
      readyAfter: { from: left(ready), to: left(ready) },
      hangsAt: hangsAt.map(({ from, to }) => ({ from: left(from), to: left(to) })),
    };
    return scenarioOf(pod, aged).containers['app'] ?? [];
  };
  const scenario = scenarioOf(pod, behavior);
  for (let runs = runAt(0); ;) {
    const lines = await linesOf({ ...scenario, containers: { app: runs } }, seed);
    const starts = lines.filter(({ kind }) => kind === 'started').map(({ t }) => t);
    const next = starts[runs.length];
    if (next === undefined) {
      const marked = lines.map((line) =>
        line.kind === 'exited' ? { ...line, simulated: true as const } : line,
      );
      return traceOf(marked);
    }
    runs = [...runs, ...runAt((next - (starts[0] ?? 0)) * 1000)];
  }
}

export interface Outcome {
  readonly restarts: number;
  readonly readyAfter: number;
  readonly readyFor: number;
}

export function outcomeOf(numbers: PodNumbers | undefined): Outcome {
  const { restarts = {}, readyAfter = LENGTH, readyFor = 0 } = numbers ?? {};
  return { restarts: restarts['app'] ?? 0, readyAfter, readyFor };
}

/** Whether there are fewer restarts, or with as many more ready time; a few seconds are chance. */
export function isBetter(one: Outcome, other: Outcome): boolean {
  if (Math.abs(one.restarts - other.restarts) > 0.25) return one.restarts < other.restarts;
  return 0.97 * one.readyFor - 3 > other.readyFor;
}

export function isNear(forecast: number, happened: number, slack: number): boolean {
  return Math.abs(forecast - happened) <= Math.max(slack, 0.1 * happened);
}

/** Returns the means of runs with other seeds. */
export async function meanOutcome(
  pod: Pod,
  behavior: BehaviorSpec,
  seeds: readonly number[],
): Promise<Outcome> {
  const all: Outcome[] = [];
  for (const seed of seeds) {
    const lines = await linesOf(scenarioOf(pod, behavior), seed);
    const [summary] = lines.reduce(fold, EMPTY_SUMMARY).pods;
    if (summary !== undefined) all.push(outcomeOf(podNumbers(summary, LENGTH)));
  }
  const mean = (of: (one: Outcome) => number): number =>
    all.reduce((sum, one) => sum + of(one), 0) / all.length;
  return {
    restarts: mean(({ restarts }) => restarts),
    readyAfter: mean(({ readyAfter }) => readyAfter),
    readyFor: mean(({ readyFor }) => readyFor),
  };
}

/** Returns the pod with settings under which nothing is killed early: what a change can achieve. */
export function patient({ spec, ...pod }: Pod): Pod {
  const patientProbe = (probe: Probe): Probe => ({
    ...probe,
    timeoutSeconds: Math.max(5, probe.timeoutSeconds),
    failureThreshold: 3 * probe.failureThreshold,
  });
  const containers = spec.containers.map((container): Container => {
    const { livenessProbe, readinessProbe } = container;
    if (livenessProbe === undefined || readinessProbe === undefined) return container;
    return {
      ...container,
      startupProbe: {
        ...livenessProbe,
        timeoutSeconds: 5,
        periodSeconds: 1,
        failureThreshold: 600,
      },
      livenessProbe: patientProbe(livenessProbe),
      readinessProbe: patientProbe(readinessProbe),
    };
  });
  return { ...pod, spec: { ...spec, containers } };
}
