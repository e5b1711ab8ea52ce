import { expect } from 'vitest';

import { planRollout } from '../../../src/rollout/plan-rollout.js';
import { type RolloutOutcome, simulateRollout } from '../../../src/rollout/rollout.js';
import { EMPTY_BEHAVIOR } from '../../../src/sim/pod-scenario.js';
import type { TraceLine } from '../../../src/trace/trace-line.js';

/** A rollout of the cluster tests; times are seconds. */
export interface RealRollout {
  readonly name: string;
  readonly replicas: number;
  /** From a new container's start; never when absent. Old ones are up at once. */
  readonly upAfter?: number;
  readonly maxSurge?: number | string;
  readonly maxUnavailable?: number | string;
  readonly recreate?: true;
  readonly minReadySeconds?: number;
  readonly progressDeadlineSeconds?: number;
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  /** The Deployment's status after its change, as `kprobe watch` recorded it. */
  readonly record: readonly StatusLine[];
}

export type StatusLine = readonly [
  /** Seconds since the change. */
  at: number,
  current: number,
  updated: number,
  ready: number,
  available: number,
  failed: boolean,
];

/** Reads the statuses of the only Deployment in a trace of `kprobe watch` that began before the change. */
export function statusLines(trace: string): StatusLine[] {
  const lines = trace
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text) as TraceLine)
    .filter((line) => line.kind === 'workload');
  const changed = lines.findIndex(({ done }) => !done);
  const begin = lines[changed]?.t ?? 0;
  const statuses = lines.slice(changed + 1).map(({ t, failed, replicas }): StatusLine => {
    const { current, updated = 0, ready, available } = replicas!;
    return [Math.round((t - begin) * 10) / 10, current, updated, ready, available, failed];
  });
  const textOf = (line: StatusLine | undefined) => line?.slice(1).join();
  return statuses.filter((line, index) => textOf(line) !== textOf(statuses[index - 1]));
}

/** Returns the Deployment in its first or second version, for `local/box:1` of .ci/cluster. */
export function manifestOf(real: RealRollout, version: 1 | 2): object {
  const { name, replicas, maxSurge = '25%', maxUnavailable = '25%', recreate } = real;
  const { minReadySeconds = 0, progressDeadlineSeconds = 600 } = real;
  const { initialDelaySeconds = 0, periodSeconds = 1 } = real;
  const up = version === 1 ? 0 : real.upAfter;
  const wait = up === undefined ? '' : `sleep ${up}; touch /tmp/ready; `;
  const container = {
    name: 'app',
    image: 'local/box:1',
    imagePullPolicy: 'Never',
    env: [{ name: 'VERSION', value: String(version) }],
    command: ['sh', '-c', `${wait}exec sleep 10000`],
    readinessProbe: {
      exec: { command: ['test', '-f', '/tmp/ready'] },
      initialDelaySeconds,
      periodSeconds,
      timeoutSeconds: 60,
    },
  };
  const spec = { hostNetwork: true, terminationGracePeriodSeconds: 1, containers: [container] };
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas,
      minReadySeconds,
      progressDeadlineSeconds,
      selector: { matchLabels: labels },
      strategy: recreate
        ? { type: 'Recreate' }
        : { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
      template: { metadata: { labels }, spec },
    },
  };
}

/** The result of a rollout. */
interface Result {
  /** Seconds until all replicas were new and available; absent when the deadline passed. */
  readonly doneAt: number | undefined;
  readonly leastReady: number;
  readonly mostReplicas: number;
  /** The progress deadline was exceeded. */
  readonly failed: boolean;
}

function resultOf({ replicas, record }: RealRollout): Result {
  const done = record.find(([, ...counts]) =>
    counts.slice(0, 4).every((count) => count === replicas),
  );
  return {
    doneAt: done?.[0],
    leastReady: Math.min(...record.map(([, , , ready]) => ready)),
    mostReplicas: Math.max(...record.map(([, count]) => count)),
    failed: record.some(([, , , , , failed]) => failed),
  };
}

/** Share of the simulated time that a real rollout takes at least: it begins between two whole seconds, and statuses lose their fractions. */
const SOONER = 0.75;
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];

/** A rollout on the cluster, and simulated ones of the same. */
export interface Compared {
  readonly seen: Result;
  readonly simulated: readonly Result[];
  /** Both times, as text. */
  readonly text: string;
}

/** Holds a recorded rollout against simulated ones: both end or neither does, and the cluster's is not faster. */
export async function compare(real: RealRollout): Promise<Compared> {
  const seen = resultOf(real);
  const results = await Promise.all(SEEDS.map((seed) => simulated(real, seed)));
  const times = results.flatMap(({ doneAt }) => doneAt ?? []);
  const { doneAt } = seen;
  if (doneAt === undefined) {
    expect(times).toEqual([]);
    return { seen, simulated: results, text: `${real.name}: never, as simulated` };
  }
  expect(times).toHaveLength(SEEDS.length);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  expect(doneAt).toBeGreaterThan(SOONER * first);
  const text = `${real.name}: ${doneAt} s on the cluster, ${first.toFixed(1)} to ${last.toFixed(1)} s simulated`;
  return { seen, simulated: results, text };
}

/** Simulates the rollout with a seed. */
async function simulated(real: RealRollout, seed: number): Promise<Result> {
  const source = (version: 1 | 2) => [
    { file: `v${version}.json`, text: JSON.stringify(manifestOf(real, version)) },
  ];
  const up = 1000 * (real.upAfter ?? 3600);
  const { plan } = planRollout({
    sources: source(1),
    to: source(2),
    load: {},
    behavior: {
      ...EMPTY_BEHAVIOR,
      stopTakes: [{ value: 1000 }],
      readyAfter: [{ value: { from: up, to: up } }],
    },
    nodes: 1,
    isUnchanged: false,
    drains: [],
    until: 60_000,
    endsEarly: false,
    seed,
  });
  const { rollout, leastReady, points }: RolloutOutcome = await simulateRollout(plan!);
  const replicas = points.map(({ old, new: changed }) =>
    [old, changed].reduce(
      (sum, { pending, starting, ready, notReady }) => sum + pending + starting + ready + notReady,
      0,
    ),
  );
  return {
    doneAt: rollout?.doneAt,
    leastReady: leastReady.count,
    mostReplicas: Math.max(...replicas),
    failed: rollout?.deadlineAt !== undefined,
  };
}
