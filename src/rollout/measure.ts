import { seeded } from '../clock/clock.js';
import type { Distribution } from '../sim/many-runs.js';
import type { Outage } from '../sim/surroundings.js';
import {
  type RolloutObserver,
  type RolloutOutcome,
  type RolloutPlan,
  simulateRollout,
} from './rollout.js';
import { FactRecorder, type PodFact } from './traffic/pod-fact.js';
import { simulateTraffic, type TrafficResult } from './traffic/traffic.js';

/** A simulated rollout with the results of its requests and outages. */
export interface MeasuredRollout {
  readonly outcome: RolloutOutcome;
  /** Absent without requests. */
  readonly traffic?: TrafficResult;
  readonly outages: readonly OutageResult[];
}

/** Figures of many simulated rollouts. */
export interface RolloutRuns {
  readonly runs: number;
  /** Seconds, of the runs that were rolled out. */
  readonly rolledOut: Distribution | null;
  readonly leastReady: Distribution | null;
  /** Share of the runs that lost requests, from 0 to 1, and the numbers of those runs. */
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
  const { traffic: load, surroundings, seed = 1, nodes } = plan;
  const facts = recorder.facts();
  const outages = (surroundings?.outages ?? []).map((outage) => outageResult(outage, facts));
  if (load === undefined) return { outcome, outages };
  const to = outcome.length * 1000;
  const traffic = simulateTraffic(facts, {
    ...load,
    from: 0,
    to,
    nodes,
    random: seeded(seed),
    surroundings,
  });
  return { outcome, outages, traffic };
}

/** Effects of an outage on the pods. Times are in milliseconds since the simulation began. */
export interface OutageResult {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** Ready endpoints when it began, and the least of them until all were back. */
  readonly readyBefore: number;
  readonly leastReady: number;
  /** Pods that lost their readiness. */
  readonly hit: number;
  /** When the first and the last of them were ready after its end. */
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

/** A pod's readiness as an endpoint: each change. */
interface Readiness {
  readonly changes: { readonly at: number; readonly ready: boolean }[];
  starts: number[];
  deletedAt: number;
}

/** Returns the effects of an outage on pods whose facts are in the order of time. */
export function outageResult({ name, window }: Outage, facts: readonly PodFact[]): OutageResult {
  const pods = readinessOf(facts);
  const { from, to } = window;
  const hit = [...pods.values()].filter((pod) => isHit(pod, from, to));
  const backs = hit.map((pod) => backAt(pod, to));
  const known = backs.filter((at) => at !== undefined).sort((a, b) => a - b);
  const [firstBack, lastBack] = [known[0], known.at(-1)];
  const end = backs.includes(undefined) ? Infinity : (lastBack ?? to);
  const restarts = hit.map(({ starts }) => starts.slice(1).filter((at) => at > from && at <= end));
  const delays = backOffsIn(facts, from, end);
  return {
    name,
    from,
    to,
    readyBefore: readyAt(pods, from),
    leastReady: leastReady(pods, from, end),
    hit: hit.length,
    ...(firstBack !== undefined && { firstBack }),
    ...(lastBack !== undefined && { lastBack }),
    stillOut: backs.filter((at) => at === undefined).length,
    restarts: restarts.reduce((sum, { length }) => sum + length, 0),
    restartedPods: restarts.filter(({ length }) => length > 0).length,
    backOffs: delays.length,
    longestBackOff: Math.max(0, ...delays),
    herd: largestGroup(
      known.filter((at) => at > to),
      1000,
    ),
  };
}

function readinessOf(facts: readonly PodFact[]): ReadonlyMap<string, Readiness> {
  const pods = new Map<string, Readiness>();
  for (const fact of facts) {
    const pod = pods.get(fact.pod) ?? { changes: [], starts: [], deletedAt: Infinity };
    pods.set(fact.pod, pod);
    if (fact.kind === 'started') pod.starts.push(fact.at);
    if (fact.kind === 'deleted') pod.deletedAt = fact.at;
    if (fact.kind !== 'endpoint') continue;
    const ready = fact.conditions?.ready ?? false;
    if (ready !== (pod.changes.at(-1)?.ready ?? false)) pod.changes.push({ at: fact.at, ready });
  }
  return pods;
}

function isReady({ changes }: Readiness, at: number): boolean {
  return changes.findLast((change) => change.at <= at)?.ready ?? false;
}

/** Returns true where a pod that was ready lost its readiness in the outage, though nobody deleted it. */
function isHit({ changes, deletedAt }: Readiness, from: number, to: number): boolean {
  return changes.some(({ at, ready }) => !ready && at >= from && at <= to && at < deletedAt);
}

/** Returns when a pod was ready for the first time from the end of the outage on. */
function backAt(pod: Readiness, to: number): number | undefined {
  if (isReady(pod, to)) return to;
  return pod.changes.find(({ at, ready }) => ready && at >= to)?.at;
}

function readyAt(pods: ReadonlyMap<string, Readiness>, at: number): number {
  return [...pods.values()].filter((pod) => isReady(pod, at)).length;
}

function leastReady(pods: ReadonlyMap<string, Readiness>, from: number, to: number): number {
  const changes = [...pods.values()]
    .flatMap((pod) => pod.changes)
    .filter(({ at }) => at > from && at <= to)
    .sort((a, b) => a.at - b.at);
  let ready = readyAt(pods, from);
  let least = ready;
  for (const change of changes) {
    ready += change.ready ? 1 : -1;
    least = Math.min(least, ready);
  }
  return least;
}

function backOffsIn(facts: readonly PodFact[], from: number, to: number): number[] {
  return facts.flatMap((fact) =>
    fact.kind === 'backOff' && fact.at > from && fact.at <= to ? fact.delay : [],
  );
}

/** Returns the largest number of sorted times within a span. */
function largestGroup(times: readonly number[], span: number): number {
  return times.reduce(
    (most, from) => Math.max(most, times.filter((at) => at >= from && at < from + span).length),
    0,
  );
}
