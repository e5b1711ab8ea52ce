import { omitUndefined } from '../api/index.js';
import { seeded } from '../clock/clock.js';
import type { Outage } from '../sim/faults.js';
import type { Distribution } from '../sim/many-runs.js';
import {
  type RolloutObserver,
  type RolloutOutcome,
  type RolloutPlan,
  simulateRollout,
} from './rollout.js';
import { FactRecorder, type PodFact, type ServedPod, servedPods } from './traffic/pod-fact.js';
import { simulateTraffic, type TrafficResult } from './traffic/traffic.js';

export interface MeasuredRollout {
  readonly outcome: RolloutOutcome;
  /** Absent without requests. */
  readonly traffic?: TrafficResult;
  readonly outages: readonly OutageResult[];
}

export interface RolloutRuns {
  readonly runs: number;
  /** Seconds, of the runs that were rolled out. */
  readonly rolledOut: Distribution | null;
  readonly leastReady: Distribution | null;
  /** Share of the runs that lost requests, from 0 to 1, and the numbers of failed requests in them. */
  readonly losing: number;
  readonly failed: Distribution | null;
  /** Seconds, of the runs in which all replicas were back. */
  readonly backAt: Distribution | null;
}

/** Simulates a rollout, then the requests to its pods. */
export async function measureRollout(
  plan: RolloutPlan,
  ...observers: readonly RolloutObserver[]
): Promise<MeasuredRollout> {
  const recorder = new FactRecorder();
  const outcome = await simulateRollout(plan, recorder, ...observers);
  const { traffic: load, faults, seed = 1, nodes } = plan;
  const facts = recorder.facts();
  const outages = (faults?.outages ?? []).map((outage) => outageResult(outage, facts));
  if (load === undefined) return { outcome, outages };
  const span = { from: 0, to: outcome.length * 1000 };
  const more = { nodes, random: seeded(seed), faults };
  const traffic = simulateTraffic(facts, { ...load, ...span, ...more });
  return { outcome, outages, traffic };
}

/** Effects of an outage on the pods. Times are in milliseconds since the simulation began. */
export interface OutageResult {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** Ready endpoints at its begin, and the least number until all were back. */
  readonly readyBefore: number;
  readonly leastReady: number;
  /** Pods that lost their readiness. */
  readonly hit: number;
  /** When the first and the last of these pods were ready after its end. */
  readonly firstBack?: number;
  readonly lastBack?: number;
  /** Pods that were not ready again at the end of the simulation. */
  readonly stillOut: number;
  readonly restarts: number;
  readonly restartedPods: number;
  /** Starts that waited, and the longest wait. */
  readonly backOffs: number;
  readonly longestBackOff: number;
  /** The most pods that became ready within a second, after its end. */
  readonly herd: number;
}

/** Returns the effects of an outage; `facts` are in the order of time. */
export function outageResult({ name, window }: Outage, facts: readonly PodFact[]): OutageResult {
  const pods = [...servedPods(facts).values()];
  const { from, to } = window;
  // A ready pod that lost its readiness in the outage without being deleted.
  const hit = pods.filter(({ readiness, deletedAt }) =>
    readiness.some(({ at, ready }) => !ready && at >= from && at <= to && at < deletedAt),
  );
  const backs = hit.map((pod) => backAt(pod, to));
  const known = backs.filter((at) => at !== undefined).sort((a, b) => a - b);
  const [firstBack, lastBack] = [known[0], known.at(-1)];
  const end = backs.includes(undefined) ? Infinity : (lastBack ?? to);
  const restarts = hit.map(({ runs }) =>
    runs.slice(1).filter(({ startedAt: at }) => at > from && at <= end),
  );
  const delays = facts.flatMap((fact) =>
    fact.kind === 'backOff' && fact.at > from && fact.at <= end ? fact.delay : [],
  );
  return {
    name,
    from,
    to,
    readyBefore: readyAt(pods, from),
    leastReady: leastReady(pods, from, end),
    hit: hit.length,
    ...omitUndefined({ firstBack, lastBack }),
    stillOut: backs.filter((at) => at === undefined).length,
    restarts: restarts.reduce((sum, { length }) => sum + length, 0),
    restartedPods: restarts.filter(({ length }) => length > 0).length,
    backOffs: delays.length,
    longestBackOff: Math.max(0, ...delays),
    herd: largestGroup(known.filter((at) => at > to)),
  };
}

function isReady({ readiness }: ServedPod, at: number): boolean {
  return readiness.findLast((change) => change.at <= at)?.ready ?? false;
}

/** Returns when a pod was first ready from the end of the outage on. */
function backAt(pod: ServedPod, to: number): number | undefined {
  if (isReady(pod, to)) return to;
  return pod.readiness.find(({ at, ready }) => ready && at >= to)?.at;
}

function readyAt(pods: readonly ServedPod[], at: number): number {
  return pods.filter((pod) => isReady(pod, at)).length;
}

function leastReady(pods: readonly ServedPod[], from: number, to: number): number {
  const changes = pods
    .flatMap((pod) => pod.readiness)
    .filter(({ at }) => at > from && at <= to)
    .sort((a, b) => a.at - b.at);
  let ready = readyAt(pods, from);
  let min = ready;
  for (const change of changes) {
    ready += change.ready ? 1 : -1;
    min = Math.min(min, ready);
  }
  return min;
}

/** Returns the largest number of times within one second. */
function largestGroup(times: readonly number[]): number {
  const within = (from: number) => times.filter((at) => at >= from && at < from + 1000).length;
  return Math.max(0, ...times.map(within));
}
