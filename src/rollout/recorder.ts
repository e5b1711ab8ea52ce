import type { Event } from '../trace/event.js';
import type { Change } from './control-plane.js';
import type { EndpointChange, EndpointConditions } from './controllers/endpoint-slice.js';
import type { ApiObject, ApiPod, Deployment } from './controllers/objects.js';
import { isPodReady, isPodTerminal, isTerminating } from './controllers/pod-util.js';

type PodState = 'pending' | 'starting' | 'ready' | 'notReady' | 'terminating' | 'ended';

export type Counts = Readonly<Record<PodState, number>>;

/** All pods at a point in time, in seconds since the rollout began. */
export interface RolloutPoint {
  readonly t: number;
  readonly old: Counts;
  readonly new: Counts;
  /** Endpoints of the first Service that are ready. */
  readonly endpoints: number;
}

/** Lines of `-o json`; `t` is in seconds since the rollout began. */
export type RolloutLine = { readonly t: number } & (
  | {
      readonly kind: 'pod';
      readonly pod: string;
      readonly version: 'old' | 'new';
      readonly node: string;
      readonly state: PodState | 'gone';
      readonly restarts: number;
    }
  /** The conditions are absent when the endpoint is gone. */
  | ({
      readonly kind: 'endpoint';
      readonly service: string;
      readonly pod: string;
    } & Partial<EndpointConditions>)
  | {
      readonly kind: 'event';
      readonly object: string;
      readonly reason: string;
      readonly message: string;
    }
  | {
      readonly kind: 'condition';
      readonly object: string;
      readonly type: string;
      readonly status: string;
      readonly reason: string;
    }
  | ({ readonly kind: 'replicas' } & Omit<RolloutPoint, 't'>)
);

export interface SeenPod {
  readonly pod: ApiPod;
  readonly version: 'old' | 'new';
  readonly state: PodState;
  readonly restarts: number;
  /** True where the pod was ready before. */
  readonly wasReady: boolean;
  /** The last Unhealthy event's message. */
  readonly lastFailure?: string | undefined;
}

const NO_PODS = { pending: 0, starting: 0, ready: 0, notReady: 0, terminating: 0, ended: 0 };

export class RolloutRecorder {
  readonly #pods = new Map<string, SeenPod>();
  readonly #counts = { old: { ...NO_PODS }, new: { ...NO_PODS } };
  readonly #ready = new Set<string>();
  readonly #conditions = new Map<string, string>();
  readonly #points: RolloutPoint[] = [];
  #service: string | undefined;
  #isRecording = false;

  constructor(
    private readonly versionOf: (pod: ApiPod) => 'old' | 'new',
    private readonly write: (line: RolloutLine) => void,
  ) {}

  /** Starts to record points: the rollout begins. */
  begin(): void {
    this.#isRecording = true;
    this.#point(0);
  }

  end(): void {
    this.#writePoint();
    this.#isRecording = false;
  }

  get points(): readonly RolloutPoint[] {
    return this.#points;
  }

  get pods(): readonly SeenPod[] {
    return [...this.#pods.values()];
  }

  change(change: Change, t: number): void {
    switch (change.kind) {
      case 'object':
        if (change.object.kind === 'Pod') this.#podChanged(change.object, t);
        else if (change.object.kind === 'Deployment') this.#conditionsOf(change.object, t);
        return;
      case 'gone':
        if (change.object.kind === 'Pod') this.#podGone(change.object, t);
        return;
      case 'endpoint':
        return this.#endpointChanged(change, t);
      case 'event': {
        const { object, reason, message } = change;
        this.#writeLine({ t, kind: 'event', object: nameOf(object), reason, message });
      }
    }
  }

  kubeletEvent({ metadata: { uid } }: ApiPod, event: Event): void {
    const seen = this.#pods.get(uid);
    if (seen === undefined || event.kind !== 'event' || event.reason !== 'Unhealthy') return;
    const { podIP = '' } = seen.pod.status;
    // Equal failures of several pods are counted together.
    const lastFailure = podIP === '' ? event.message : event.message.replaceAll(podIP, '<pod IP>');
    this.#pods.set(uid, { ...seen, lastFailure });
  }

  #podChanged(pod: ApiPod, t: number): void {
    const { uid, name } = pod.metadata;
    const before = this.#pods.get(uid);
    const version = before?.version ?? this.versionOf(pod);
    const wasReady = before?.wasReady === true || isPodReady(pod);
    const state = stateOf(pod, wasReady);
    const { containerStatuses = [] } = pod.status;
    const restarts = containerStatuses.reduce((sum, { restartCount }) => sum + restartCount, 0);
    this.#pods.set(uid, { ...before, pod, version, state, restarts, wasReady });
    if (before?.state === state && before.restarts === restarts) return;
    if (before !== undefined) this.#counts[version][before.state]--;
    this.#counts[version][state]++;
    const node = pod.spec.nodeName ?? '';
    this.#writeLine({ t, kind: 'pod', pod: name, version, node, state, restarts });
    this.#point(t);
  }

  #endpointChanged({ service, pod, endpoint }: EndpointChange, t: number): void {
    this.#service ??= service.metadata.uid;
    if (service.metadata.uid === this.#service) {
      if (endpoint?.ready === true) this.#ready.add(pod.metadata.uid);
      else this.#ready.delete(pod.metadata.uid);
      this.#point(t);
    }
    const subject = { service: service.metadata.name, pod: pod.metadata.name };
    this.#writeLine({ t, kind: 'endpoint', ...subject, ...endpoint });
  }

  #podGone(
    { metadata: { uid, name: pod }, spec: { nodeName: node = '' } }: ApiPod,
    t: number,
  ): void {
    const seen = this.#pods.get(uid);
    if (seen === undefined) return;
    this.#pods.delete(uid);
    this.#ready.delete(uid);
    const { version, state, restarts } = seen;
    this.#counts[version][state]--;
    this.#writeLine({ t, kind: 'pod', pod, version, node, state: 'gone', restarts });
    this.#point(t);
  }

  #conditionsOf(workload: Deployment, t: number): void {
    for (const { type, status, reason } of workload.status.conditions) {
      const key = `${workload.metadata.uid} ${type}`;
      if (this.#conditions.get(key) === reason) continue;
      this.#conditions.set(key, reason);
      this.#writeLine({ t, kind: 'condition', object: nameOf(workload), type, status, reason });
    }
  }

  #writeLine(line: RolloutLine): void {
    if (this.#isRecording) this.write(line);
  }

  /** Keeps the state at the end of an instant. */
  #point(t: number): void {
    if (!this.#isRecording) return;
    if (this.#points.at(-1)?.t === t) this.#points.pop();
    else this.#writePoint();
    const { old, new: fresh } = this.#counts;
    this.#points.push({ t, old: { ...old }, new: { ...fresh }, endpoints: this.#ready.size });
  }

  /** Writes the last point once its instant is over. */
  #writePoint(): void {
    const point = this.#points.at(-1);
    if (point !== undefined) this.#writeLine({ kind: 'replicas', ...point });
  }
}

function nameOf({ kind, metadata }: ApiObject): string {
  return `${kind} ${metadata.name}`;
}

function stateOf(pod: ApiPod, wasReady: boolean): PodState {
  if (isTerminating(pod)) return 'terminating';
  if (isPodTerminal(pod)) return 'ended';
  if ((pod.spec.nodeName ?? '') === '') return 'pending';
  if (isPodReady(pod)) return 'ready';
  return wasReady ? 'notReady' : 'starting';
}

/** The least number of ready endpoints that lasted, and for how many seconds. */
export interface LeastEndpoints {
  readonly count: number;
  readonly seconds: number;
}

/** Returns the least number of ready endpoints from the first point to the end, both in seconds. */
export function leastEndpoints(
  points: readonly { readonly t: number; readonly endpoints: number }[],
  end: number,
): LeastEndpoints {
  const secondsBy = new Map<number, number>();
  points.forEach(({ t, endpoints }, index) => {
    const seconds = (points[index + 1]?.t ?? end) - t;
    if (seconds > 0) secondsBy.set(endpoints, (secondsBy.get(endpoints) ?? 0) + seconds);
  });
  const count = Math.min(...secondsBy.keys());
  return { count, seconds: secondsBy.get(count) ?? 0 };
}
