import { podGracePeriod } from '../../kubelet/containers/termination-grace-period.js';
import type { Behavior } from '../../sim/behavior.js';
import type { ScriptedContainer } from '../../sim/scripted-container.js';
import type { Event } from '../../trace/event.js';
import type { Change } from '../control-plane.js';
import type { EndpointConditions } from '../controllers/endpoint-slice.js';
import type { ApiPod } from '../controllers/objects.js';

/** Something that happens to a pod; `at` is in milliseconds since the simulation began. */
export type PodFact = { readonly at: number; readonly pod: string } & (
  | {
      readonly kind: 'endpoint';
      /** Absent when the endpoint is removed from its slice. */
      readonly conditions?: EndpointConditions;
    }
  | { readonly kind: 'deleted'; readonly gracePeriodSeconds: number }
  /** The container that serves requests starts. */
  | { readonly kind: 'started'; readonly behavior?: Behavior }
  | { readonly kind: 'term' }
  | { readonly kind: 'ended'; readonly killed: boolean }
  /** The container's next start waits this many milliseconds. */
  | { readonly kind: 'backOff'; readonly delay: number }
);

/** One run of the container that serves requests. Times are those of facts; one that never comes is Infinity. */
export interface ServerRun {
  readonly startedAt: number;
  readonly behavior: Behavior;
  termAt: number;
  endedAt: number;
  killed: boolean;
}

/** A pod by its facts. Times are those of facts; one that never comes is Infinity. */
export interface ServedPod {
  readonly name: string;
  deletedAt: number;
  gracePeriodSeconds: number;
  readonly runs: ServerRun[];
  /** Changes of its readiness as an endpoint. */
  readonly readiness: { readonly at: number; readonly ready: boolean }[];
}

/** Returns the pods of facts in the order of time, by name. */
export function servedPods(facts: readonly PodFact[]): ReadonlyMap<string, ServedPod> {
  const pods = new Map<string, ServedPod>();
  for (const fact of facts) {
    const { pod: name } = fact;
    const never = { deletedAt: Infinity, gracePeriodSeconds: Infinity };
    const pod = pods.get(name) ?? { name, ...never, runs: [], readiness: [] };
    pods.set(name, pod);
    apply(pod, fact);
  }
  return pods;
}

function apply(pod: ServedPod, fact: PodFact): void {
  const run = pod.runs.at(-1);
  switch (fact.kind) {
    case 'backOff':
      return;
    case 'endpoint': {
      const ready = fact.conditions?.ready ?? false;
      if (ready !== (pod.readiness.at(-1)?.ready ?? false))
        pod.readiness.push({ at: fact.at, ready });
      return;
    }
    case 'deleted':
      pod.deletedAt = fact.at;
      pod.gracePeriodSeconds = fact.gracePeriodSeconds;
      return;
    case 'started':
      pod.runs.push({
        startedAt: fact.at,
        behavior: fact.behavior ?? {},
        termAt: Infinity,
        endedAt: Infinity,
        killed: false,
      });
      return;
    case 'term':
      if (run !== undefined) run.termAt = fact.at;
      return;
    case 'ended':
      if (run === undefined) return;
      run.endedAt = fact.at;
      run.killed = fact.killed;
  }
}

/** Exit code of a killed container. */
const SIGKILL = 137;

/** Records the facts of all pods, as the control plane and the kubelets report them; times are the clock's. */
export class FactRecorder {
  readonly #facts: PodFact[] = [];
  #begin = 0;
  readonly #deleted = new Set<string>();
  /** The first Service, which gets the requests. */
  #service: string | undefined;

  /** Returns the facts with times in milliseconds since the rollout began. */
  facts(): readonly PodFact[] {
    return this.#facts.map((fact) => ({ ...fact, at: fact.at - this.#begin }));
  }

  onBegin(at: number): void {
    this.#begin = at;
  }

  onChange(change: Change, at: number): void {
    if (change.kind === 'endpoint') this.#endpoint(change, at);
    else if (change.kind !== 'event' && change.object.kind === 'Pod') {
      this.#pod(change.object, at);
    }
  }

  onEvent(pod: ApiPod, event: Event, at: number): void {
    if (!('container' in event) || event.container !== servingContainer(pod)) return;
    const base = { at, pod: pod.metadata.uid };
    if (event.kind === 'stop') this.#facts.push({ ...base, kind: 'term' });
    if (event.kind === 'backOff')
      this.#facts.push({ ...base, kind: 'backOff', delay: event.delay });
    if (event.kind === 'exited') {
      this.#facts.push({ ...base, kind: 'ended', killed: event.exitCode === SIGKILL });
    }
  }

  onStart({ config: { pod, container }, requests }: ScriptedContainer, at: number): void {
    if (container.name !== servingContainer(pod)) return;
    // Requests have a latency of their own, unlike probes.
    const { latency: _, ...behavior } = requests;
    this.#facts.push({ at, pod: pod.metadata.uid, kind: 'started', behavior });
  }

  #endpoint({ service, pod, endpoint }: Change & { readonly kind: 'endpoint' }, at: number): void {
    this.#service ??= service.metadata.uid;
    if (service.metadata.uid !== this.#service) return;
    const fact = { at, pod: pod.metadata.uid, kind: 'endpoint' } as const;
    this.#facts.push({ ...fact, ...(endpoint && { conditions: endpoint }) });
  }

  #pod(pod: ApiPod, at: number): void {
    const { uid, deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
    if (deletionTimestamp === undefined || this.#deleted.has(uid)) return;
    this.#deleted.add(uid);
    const gracePeriodSeconds = deletionGracePeriodSeconds ?? podGracePeriod(pod);
    this.#facts.push({ at, pod: uid, kind: 'deleted', gracePeriodSeconds });
  }
}

/** Returns the container that serves requests: the first one with a port, or the first one. */
function servingContainer({ spec: { containers } }: Pick<ApiPod, 'spec'>): string | undefined {
  const serving = containers.find(({ ports = [] }) => ports.length > 0) ?? containers[0];
  return serving?.name;
}
