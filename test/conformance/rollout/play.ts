import type { Pod } from '../../../src/api/index.js';
import { seeded, sleep } from '../../../src/clock/clock.js';
import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { ControlPlane } from '../../../src/rollout/control-plane.js';
import type { ApiPod, Workload } from '../../../src/rollout/controllers/objects.js';
import { type Action, User, withDefaults } from './actions.js';

/** A line of the oracle's, as bench/rollout-oracle/README.md describes it. */
export interface Scenario {
  readonly name: string;
  readonly object: Record<string, unknown>;
  readonly service?: Record<string, unknown>;
  readonly pdb?: Record<string, unknown>;
  readonly nodes: number;
  readonly pods: Readonly<Record<string, readonly PodScript[]>>;
  readonly actions: readonly Action[];
  readonly until: number;
  readonly facts: readonly { readonly at: number; readonly fields: Fields }[];
}

interface PodScript {
  readonly ready?: readonly (readonly [at: number, ready: 0 | 1])[];
  readonly fails?: number;
  readonly gone: number;
}

export type Fields = Readonly<Record<string, string | number | boolean | null>>;

/** Milliseconds. */
const HALF = 500;
/** Milliseconds by which a pod's change takes longer to reach a controller than the controller's own timer. */
const BRIEF = 2 ** -7;

/** Returns the fields at the end of each half second; the seed draws the UIDs, by which equal pods are ordered. */
export async function play(scenario: Scenario, seed: number): Promise<readonly Fields[]> {
  const clock = new VirtualClock(1);
  const start = clock.now();
  const plane = planeOf(scenario, clock, seed);
  const { service, pdb, object, actions, until } = scenario;
  if (service !== undefined) plane.apply(withDefaults(service));
  if (pdb !== undefined) plane.apply(withDefaults(pdb));
  const user = new User(plane, object);
  const states: Fields[] = [];
  for (let at = 0; at <= until * 1000; at += HALF) {
    for (const action of actions.filter((each) => each.at * 1000 === at)) user.act(action);
    await clock.runUntil(start + at + HALF - 50);
    states.push(stateOf(plane, start, service !== undefined));
    await clock.runUntil(start + at + HALF);
  }
  plane.stop();
  return states;
}

function planeOf({ nodes, pods }: Scenario, clock: VirtualClock, seed: number): ControlPlane {
  const created = new Map<string, number>();
  const gone = new Map<string, number>();
  const start = clock.now();
  const secondOf = (time: number): number => start + Math.floor((time - start) / 1000) * 1000;
  /** Waits until so many seconds after the second that began before `from`. */
  const until = (seconds: number, from: number): Promise<void> =>
    sleep(clock, secondOf(from) + seconds * 1000 + BRIEF - clock.now());
  const run = async (pod: ApiPod): Promise<void> => {
    const scripts = pods[pod.spec.containers[0]!.image]!;
    const script = scripts[indexOf(pod, created) % scripts.length]!;
    const { uid } = pod.metadata;
    gone.set(uid, script.gone);
    const from = clock.now();
    let status = statusOf('Running', false, secondOf(from));
    plane.api.podChanged(uid, status);
    for (const [at, ready] of script.ready ?? []) {
      if (script.fails !== undefined && script.fails <= at) break;
      await until(at, from);
      if (isReady(status) !== (ready === 1))
        status = statusOf('Running', ready === 1, secondOf(clock.now()));
      plane.api.podChanged(uid, status);
    }
    if (script.fails === undefined) return;
    await until(script.fails, from);
    plane.api.podChanged(uid, statusOf('Failed', false, secondOf(clock.now())));
  };
  const plane = new ControlPlane({
    clock,
    random: seeded(seed),
    nodes: Array.from({ length: nodes }, (_, index) => `node-${index + 1}`),
    pods: {
      start: (pod) => void run(pod),
      terminate: ({ metadata: { uid } }) =>
        void until(gone.get(uid)!, clock.now()).then(() => plane.api.podGone(uid)),
    },
  });
  return plane;
}

/** Returns the index of a new pod's script, as `next` of the oracle's host.go. */
function indexOf({ metadata, spec }: ApiPod, created: Map<string, number>): number {
  const { name, owner } = metadata;
  const key = { StatefulSet: name, DaemonSet: spec.nodeName }[owner!.kind];
  const first = key === undefined ? 0 : ordinalOf(key) - (owner!.kind === 'DaemonSet' ? 1 : 0);
  const counter = `${spec.containers[0]!.image} ${key ?? ''}`;
  const count = created.get(counter) ?? 0;
  created.set(counter, count + 1);
  return first + count;
}

function ordinalOf(name: string): number {
  return Number(name.slice(name.lastIndexOf('-') + 1));
}

function isReady({ conditions }: Pod['status']): boolean {
  return conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
}

function statusOf(phase: 'Running' | 'Failed', ready: boolean, now: number): Pod['status'] {
  const status = ready ? 'True' : 'False';
  const conditions = [{ type: 'Ready', status, lastTransitionTime: now } as const];
  return { phase, podIP: '10.0.0.1', conditions };
}

/** Flattens what can be seen of the workload, as `state` of the oracle's run.go. */
function stateOf(plane: ControlPlane, start: number, hasService: boolean): Fields {
  const fields: Record<string, string | number | boolean> = {};
  const { workloads, replicaSets, pods, endpoints } = plane.snapshot();
  Object.assign(fields, statusFields(workloads[0]!, start));
  for (const rs of replicaSets) {
    const { replicas, readyReplicas, availableReplicas } = rs.status;
    fields[`rs${rs.metadata.annotations['deployment.kubernetes.io/revision']}`] =
      `${rs.spec.replicas}/${replicas}/${readyReplicas}/${availableReplicas}`;
  }
  for (const pod of pods) {
    if (workloads[0]!.kind === 'StatefulSet') {
      fields[`pod ${pod.metadata.name}`] = `${pod.spec.containers[0]!.image} ${wordOf(pod)}`;
      continue;
    }
    const key = `pods ${pod.spec.containers[0]!.image} ${wordOf(pod)}`;
    fields[key] = Number(fields[key] ?? 0) + 1;
  }
  if (hasService) {
    const all = endpoints.flatMap((each) => each.endpoints);
    const count = (field: 'ready' | 'serving' | 'terminating'): number =>
      all.filter((endpoint) => endpoint[field]).length;
    fields['endpoints'] = `${count('ready')}/${count('serving')}/${count('terminating')}`;
  }
  for (const { status } of plane.api.store.list('PodDisruptionBudget')) {
    const { disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods } = status;
    fields['pdb'] = `${disruptionsAllowed}/${currentHealthy}/${desiredHealthy}/${expectedPods}`;
  }
  return fields;
}

function statusFields(
  workload: Workload,
  start: number,
): Record<string, string | number | boolean> {
  const { metadata, kind } = workload;
  const observed = workload.status.observedGeneration === metadata.generation;
  if (kind === 'DaemonSet') {
    const { status } = workload;
    return {
      observed,
      desired: status.desiredNumberScheduled,
      current: status.currentNumberScheduled,
      ready: status.numberReady,
      updated: status.updatedNumberScheduled,
      available: status.numberAvailable,
      unavailable: status.numberUnavailable,
    };
  }
  const { replicas, updatedReplicas, readyReplicas, availableReplicas } = workload.status;
  const common = {
    observed,
    replicas,
    updated: updatedReplicas,
    ready: readyReplicas,
    available: availableReplicas,
  };
  if (kind === 'StatefulSet') {
    const { currentReplicas, currentRevision, updateRevision } = workload.status;
    return { ...common, current: currentReplicas, settled: currentRevision === updateRevision };
  }
  const { terminatingReplicas, conditions } = workload.status;
  const fields: Record<string, string | number | boolean> = { ...common };
  if (terminatingReplicas !== undefined) fields['terminating'] = terminatingReplicas;
  for (const { type, status: value, reason, lastUpdateTime } of conditions) {
    fields[type] = `${value} ${reason}`;
    if (type === 'Progressing') fields['progressed'] = (lastUpdateTime - start) / 1000;
  }
  return fields;
}

function wordOf({ status, metadata }: ApiPod): string {
  const word = status.phase === 'Failed' ? 'failed' : isReady(status) ? 'ready' : 'starting';
  return metadata.deletionTimestamp === undefined ? word : `${word} terminating`;
}

/** Half seconds: the EndpointSlice controller tries again after a second when its informer lags; ours never waits. */
const ENDPOINTS_LAG = 2;

/** Compares with the facts; returns the differences as texts. Null: runs of the oracle disagree. */
export function differences({ facts }: Scenario, states: readonly Fields[]): readonly string[] {
  const expected = new Map<string, Fields[string]>();
  let next = 0;
  const found: string[] = [];
  for (const [index, state] of states.entries()) {
    const at = index / 2;
    for (; facts[next]?.at === at; next++) {
      for (const [field, value] of Object.entries(facts[next]!.fields)) expected.set(field, value);
    }
    for (const field of new Set([...expected.keys(), ...Object.keys(state)])) {
      const want = expected.get(field) === undefined ? 'absent' : expected.get(field);
      const have = state[field] ?? 'absent';
      const lag = field === 'endpoints' ? ENDPOINTS_LAG : 0;
      const recent = states.slice(Math.max(0, index - lag), index + 1);
      const isHeld = recent.some((each) => (each[field] ?? 'absent') === want);
      if (want !== null && !isHeld) {
        found.push(`${at} s: ${field} is ${have}, ${String(want)} in Kubernetes`);
      }
    }
  }
  return found;
}
