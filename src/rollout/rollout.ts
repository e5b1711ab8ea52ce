import { omitUndefined } from '../api/index.js';
import { goLater, midpoint, type Random, seeded } from '../clock/clock.js';
import { VirtualClock } from '../clock/virtual-clock.js';
import { behaviorOf, DEFAULT_KUBELET, type KubeletConfig } from '../kubelet/release.js';
import { type Faults, NO_FAULTS, shiftFaults } from '../sim/faults.js';
import type { Scenario } from '../sim/scenario.js';
import type { ScriptedContainer } from '../sim/scripted-container.js';
import type { Event } from '../trace/event.js';
import { type Applied, type Change, ControlPlane } from './control-plane.js';
import { getDeploymentCondition } from './controllers/deployment-util.js';
import type { ApiPod, Workload } from './controllers/objects.js';
import type { Drain } from './drain.js';
import { Kubelets, longestPeriod } from './kubelets.js';
import { type RolloutLine, type RolloutPoint, RolloutRecorder, type SeenPod } from './recorder.js';
import type { TrafficLoad } from './traffic/traffic.js';
import {
  type AppliedWorkload,
  blockedBySpec,
  countsOf,
  isRolledOut,
  isWorkload,
  templateHash,
  type WorkloadCounts,
} from './workload.js';

/** A rollout to simulate. Times are milliseconds since it begins. */
export interface RolloutPlan {
  readonly workload: AppliedWorkload;
  /** Applied when the rollout begins; absent when nothing is rolled out. */
  readonly change?: AppliedWorkload | undefined;
  /** Services that select the pods, and budgets. */
  readonly related: readonly Applied[];
  readonly drains: readonly { readonly node: string; readonly at: number }[];
  readonly nodes: number;
  readonly behaviorOf: (
    pod: ApiPod,
    version: 'old' | 'new',
    random: Random,
  ) => Scenario['containers'];
  /** Times since the rollout begins. */
  readonly faults?: Faults | undefined;
  readonly traffic?: TrafficLoad | undefined;
  readonly until: number;
  /** True where it ends once the rollout is done and old pods are gone. */
  readonly endsEarly: boolean;
  /** The seed of random values; without it, random waits take their average. */
  readonly seed?: number | undefined;
  /** Release of the kubelets and controllers. */
  readonly kubelet?: KubeletConfig | undefined;
}

/** Callbacks for all events, also before the rollout; `at` is the clock's time in milliseconds. */
export interface RolloutObserver {
  readonly onChange?: (change: Change, at: number) => void;
  readonly onEvent?: (pod: ApiPod, event: Event, at: number) => void;
  readonly onStart?: (container: ScriptedContainer, at: number) => void;
  readonly onBegin?: (at: number) => void;
  readonly onLine?: (line: RolloutLine) => void;
  /** Called after each second of the rollout. */
  readonly onSecond?: (seconds: number) => void;
}

/** Times are seconds since the rollout began. */
export interface RolloutOutcome {
  readonly kind: Workload['kind'];
  readonly name: string;
  /** Absent when nothing was rolled out. */
  readonly rollout?: {
    /** When all replicas were new and available; absent when they never were. */
    readonly doneAt?: number;
    /** When the Deployment has reported ProgressDeadlineExceeded. */
    readonly deadlineAt?: number;
    readonly progressDeadlineSeconds?: number;
    /** Times that progress has started the deadline again. */
    readonly progressCount: number;
  };
  /** True where all replicas were available at the start. */
  readonly wasAvailable: boolean;
  readonly counts: WorkloadCounts;
  /** The least number of ready pods that do not terminate, and its first time. */
  readonly leastReady: { readonly count: number; readonly t: number };
  readonly length: number;
  readonly points: readonly RolloutPoint[];
  readonly pods: readonly SeenPod[];
  /** The part of the spec that keeps a change from reaching all pods. */
  readonly blocked?: string | undefined;
  readonly drains: readonly DrainOutcome[];
}

/** Times are seconds since the rollout began. */
export interface DrainOutcome {
  readonly node: string;
  readonly t: number;
  /** When its last pod was gone; absent while one is left. */
  readonly emptyAt?: number;
  /** Evictions that a budget has refused, and the last refusal. */
  readonly refused: number;
  readonly error?: string;
}

/** Milliseconds in which the old pods must become available, and between two checks. */
const WARM_UP = 3_600_000;
const STEP = 1000;

/** Simulates a rollout: first the old version, until it is available, then the change. */
export async function simulateRollout(
  plan: RolloutPlan,
  ...observers: readonly RolloutObserver[]
): Promise<RolloutOutcome> {
  return new Rollout(plan, observers).run();
}

class Rollout {
  readonly #clock: VirtualClock;
  readonly #plane: ControlPlane;
  readonly #kubelets: Kubelets;
  readonly #recorder: RolloutRecorder;
  /** Draws different starts of old pods, so that their probes are not in step. */
  readonly #random: Random;
  #begin: number | undefined;
  #faults = NO_FAULTS;
  #doneAt: number | undefined;
  #deadlineAt: number | undefined;
  #progressCount = 0;
  readonly #drains: { readonly drain: Drain; readonly t: number; emptyAt: number | undefined }[] =
    [];
  #lastProgress = 0;

  constructor(
    private readonly plan: RolloutPlan,
    private readonly observers: readonly RolloutObserver[],
  ) {
    const { seed, nodes } = plan;
    this.#random = seeded(seed ?? 1);
    this.#clock = new VirtualClock(seed === undefined ? midpoint : seeded(seed));
    this.#recorder = new RolloutRecorder(
      (pod) => this.#versionOf(pod),
      (line) => this.#notify((observer) => observer.onLine?.(line)),
    );
    this.#kubelets = new Kubelets({
      clock: this.#clock,
      seed,
      config: plan.kubelet,
      behaviorOf: (pod, random) => plan.behaviorOf(pod, this.#versionOf(pod), random),
      world: {
        faults: () => this.#faults,
        onStart: (container) => this.#notify((each, now) => each.onStart?.(container, now)),
      },
      startsAfter: (pod) => (this.#begin === undefined ? this.#random() * longestPeriod(pod) : 0),
      podChanged: (uid, status) => this.#plane.api.podChanged(uid, status),
      podGone: (uid) => this.#plane.api.podGone(uid),
      onEvent: (pod, event) => this.#onEvent(pod, event),
    });
    this.#plane = new ControlPlane({
      clock: this.#clock,
      nodes: Array.from({ length: nodes }, (_, index) => `node-${index + 1}`),
      pods: this.#kubelets,
      random: seeded(seed ?? 1),
      release: behaviorOf(plan.kubelet ?? DEFAULT_KUBELET),
      onChange: (change) => this.#onChange(change),
    });
  }

  async run(): Promise<RolloutOutcome> {
    const { workload, change, related, drains, until, endsEarly } = this.plan;
    for (const object of related) this.#plane.apply(object);
    this.#plane.apply(workload);
    await this.#advance(WARM_UP, () => isRolledOut(this.#workload));
    const wasAvailable = isRolledOut(this.#workload);
    this.#begin = this.#clock.now();
    this.#faults = shiftFaults(this.plan.faults ?? NO_FAULTS, this.#begin);
    this.#notify((observer, now) => observer.onBegin?.(now));
    this.#recorder.begin();
    if (change !== undefined) this.#plane.apply(change);
    for (const { node, at } of drains) goLater(this.#clock, () => this.#drain(node), at);
    await this.#advance(until, () => endsEarly && this.#isOver());
    this.#recorder.end();
    const outcome = this.#outcome(wasAvailable);
    for (const { drain } of this.#drains) drain.stop();
    this.#plane.stop();
    this.#kubelets.stop();
    return outcome;
  }

  #notify(call: (observer: RolloutObserver, now: number) => void): void {
    for (const observer of this.observers) call(observer, this.#clock.now());
  }

  async #advance(length: number, isDone: () => boolean): Promise<void> {
    for (let at = 0; at < length; at += STEP) {
      await this.#clock.advance(Math.min(STEP, length - at));
      if (this.#begin !== undefined) this.#notify((each) => each.onSecond?.(this.#t()));
      if (isDone()) return;
    }
  }

  #drain(node: string): void {
    const drain = this.#plane.drain(node);
    this.#drains.push({ drain, t: this.#t(), emptyAt: undefined });
    this.#followDrains();
  }

  /** Reports whether the rollout is done, and the old pods are gone. */
  #isOver(): boolean {
    if (this.#doneAt === undefined) return false;
    return this.#recorder.pods.every(({ version }) => version === 'new');
  }

  get #workload(): Workload {
    const [workload] = this.#plane.snapshot().workloads;
    if (workload === undefined) throw new Error('the workload is gone');
    return workload;
  }

  /** Seconds since the rollout began. */
  #t(): number {
    const milliseconds = this.#clock.now() - (this.#begin ?? this.#clock.now());
    return Math.round(milliseconds) / 1000;
  }

  #versionOf(pod: ApiPod): 'old' | 'new' {
    if (this.#begin === undefined) return 'old';
    return this.#oldHashes.has(templateHash(pod)) ? 'old' : 'new';
  }

  readonly #oldHashes = new Set<string>();

  #onChange(change: Change): void {
    this.#notify((observer, now) => observer.onChange?.(change, now));
    if (change.kind === 'object' && change.object.kind === 'Pod' && this.#begin === undefined) {
      this.#oldHashes.add(templateHash(change.object));
    }
    this.#recorder.change(change, this.#t());
    if (change.kind === 'gone') this.#followDrains();
    if (change.kind === 'object' && isWorkload(change.object)) this.#follow(change.object);
  }

  #onEvent(pod: ApiPod, event: Event): void {
    this.#notify((observer, now) => observer.onEvent?.(pod, event, now));
    this.#recorder.kubeletEvent(pod, event);
  }

  /** Records the end of the rollout, its deadline and its progress. */
  #follow(workload: Workload): void {
    if (this.#begin === undefined || this.plan.change === undefined) return;
    if (workload.metadata.generation > 1 && isRolledOut(workload)) this.#doneAt ??= this.#t();
    if (workload.kind !== 'Deployment') return;
    const progressing = getDeploymentCondition(workload.status, 'Progressing');
    if (progressing === undefined) return;
    if (progressing.reason === 'ProgressDeadlineExceeded') this.#deadlineAt ??= this.#t();
    if (progressing.lastUpdateTime > this.#lastProgress) this.#progressCount++;
    this.#lastProgress = progressing.lastUpdateTime;
  }

  #followDrains(): void {
    for (const entry of this.#drains) {
      if (entry.drain.pods.length === 0) entry.emptyAt ??= this.#t();
    }
  }

  #outcome(wasAvailable: boolean): RolloutOutcome {
    const { points, pods } = this.#recorder;
    const workload = this.#workload;
    return {
      kind: workload.kind,
      name: workload.metadata.name,
      ...(this.plan.change !== undefined && { rollout: this.#rolloutOutcome(workload) }),
      wasAvailable,
      counts: countsOf(workload),
      leastReady: leastReady(points),
      length: this.#t(),
      points,
      pods,
      blocked: blockedBySpec(workload),
      drains: this.#drains.map(({ drain: { node, refused, error }, t, emptyAt }) =>
        omitUndefined({ node, t, emptyAt, refused, error }),
      ),
    };
  }

  #rolloutOutcome(workload: Workload): NonNullable<RolloutOutcome['rollout']> {
    const { progressDeadlineSeconds } = workload.kind === 'Deployment' ? workload.spec : {};
    return omitUndefined({
      progressCount: this.#progressCount,
      doneAt: this.#doneAt,
      deadlineAt: this.#deadlineAt,
      progressDeadlineSeconds,
    });
  }
}

function leastReady(points: readonly RolloutPoint[]): RolloutOutcome['leastReady'] {
  let min = { count: Infinity, t: 0 };
  for (const { t, old, new: fresh } of points) {
    const count = old.ready + fresh.ready;
    if (count < min.count) min = { count, t };
  }
  return min;
}
