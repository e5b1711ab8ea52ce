import type { PodStatus } from '../../api/index.js';
import { AT_REST, type Clock, goLater, type Timer } from '../../clock/clock.js';
import { Later } from '../../clock/later.js';
import { Ticker } from '../../clock/ticker.js';
import type { EmitEvent, Event, Result, WorkerState } from '../event.js';
import type { ProbeAnswer, Prober } from './prober.js';
import type { ProberMetrics } from './prober-metrics.js';
import type { ResultsManager } from './results-manager.js';
import {
  afterProbe,
  beforeProbe,
  initialDelayEnd,
  type ResultChange,
  thresholdOf,
  type Worker,
} from './worker.js';

export interface WorkerLoopOptions {
  readonly worker: Worker;
  readonly clock: Clock;
  /** When the kubelet began, in the clock's milliseconds. */
  readonly kubeletStart: number;
  readonly prober: Prober;
  readonly results: ResultsManager;
  readonly metrics: ProberMetrics;
  readonly getPodStatus: (uid: string) => PodStatus | undefined;
  readonly emit: EmitEvent;
  /** Called once, when the worker has ended. */
  readonly onEnd: () => void;
}

export type Trigger = 'kubelet' | 'user';

/** What a worker that waits is woken by. */
type Wake = 'stop' | 'tick' | 'trigger';

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
type Attempt = Writable<Extract<Event, { kind: 'attempt' }>>;
type AttemptDone = Writable<Extract<Event, { kind: 'attemptDone' }>>;

/**
 * Runs a worker: at once, then at each tick, or when triggered by hand, which begins the period anew. Ports worker.run
 * (pkg/kubelet/prober/worker.go).
 */
export class WorkerLoop {
  private worker: Worker;
  private ticker: Ticker | undefined;
  /** What was said of it last. */
  private noted: { readonly state: WorkerState; readonly until: number | undefined } | undefined;
  private attempts = 0;
  /** The attempt under way began then, with that status. */
  private probing = false;
  private startTime = 0;
  private status: PodStatus | undefined;
  /** As long as that is the pod's status, each look comes to the same: to an attempt, or to rest. */
  private settledWith: PodStatus | undefined;
  private settled: 'probe' | 'rest' = 'rest';
  private stopped = false;
  private ended = false;
  private manualTrigger: Trigger | undefined;
  private jitter: Timer | undefined;
  /** It was woken, and has yet to run. */
  private woken = false;
  private wokenBy: Wake = 'tick';

  constructor(private readonly options: WorkerLoopOptions) {
    this.worker = options.worker;
  }

  /** Begins; a young kubelet's worker after a part of its period at random, so that not all begin at once. */
  start(): void {
    const { clock, kubeletStart } = this.options;
    const period = this.worker.spec.periodSeconds * 1000;
    const begin = (): void => {
      if (this.ended) return;
      this.ticker = new Ticker(clock, period, () => this.wake('tick'));
      // It looks once before it listens, also when it was stopped meanwhile.
      void this.look(undefined);
      void this.goOn(this.select());
    };
    if (period > clock.now() - kubeletStart) {
      this.jitter = goLater(clock, begin, clock.random() * period);
    } else clock.go(begin);
  }

  /** Asks the worker to end after what it is doing. */
  stop(): void {
    this.stopped = true;
    this.wake('stop');
  }

  /** Ends the worker now: what is under way comes to nothing. */
  halt(): void {
    this.jitter?.cancel();
    this.end();
  }

  /** Asks for a look before the next tick; one request waits at a time. */
  trigger(by: Trigger): void {
    this.manualTrigger ??= by;
    this.wake('trigger');
  }

  /** Has a worker that waits go on, by itself. */
  private wake(by: Wake): void {
    if (this.ticker === undefined || this.woken || this.probing || this.ended) return;
    this.woken = true;
    this.wokenBy = by;
    this.options.clock.go(this.onWake);
  }

  private readonly onWake = (): unknown => {
    this.woken = false;
    return this.goOn(this.wokenBy);
  };

  /** Does what it was woken by, and then what has come meanwhile; AT_REST when nothing asynchronous came of it. */
  private goOn(wake: Wake | undefined): unknown {
    let came: unknown = AT_REST;
    for (let by = wake; by !== undefined && !this.ended; by = this.select()) {
      if (this.heed(by) !== AT_REST) came = undefined;
    }
    return came;
  }

  private heed(by: Wake): unknown {
    if (by === 'stop') {
      this.end();
      return AT_REST;
    }
    if (by === 'tick') {
      this.ticker?.take();
      return this.look(undefined);
    }
    const trigger = this.manualTrigger;
    this.manualTrigger = undefined;
    this.ticker?.reset();
    return this.look(trigger);
  }

  /** What waits to be done; of a tick and a trigger Go's select takes either. */
  private select(): Wake | undefined {
    if (this.probing) return undefined;
    if (this.stopped) return 'stop';
    const ticked = this.ticker?.pending ?? false;
    if (this.manualTrigger === undefined) return ticked ? 'tick' : undefined;
    return ticked && this.options.clock.random() < 0.5 ? 'tick' : 'trigger';
  }

  /** Ports doProbe (pkg/kubelet/prober/worker.go). */
  private look(trigger: Trigger | undefined): unknown {
    const { clock, kubeletStart, getPodStatus } = this.options;
    const status = getPodStatus(this.worker.pod.metadata.uid);
    const now = clock.now();
    if (status !== undefined && status === this.settledWith && trigger === undefined) {
      return this.settled === 'rest' ? AT_REST : this.probe(status, now, trigger);
    }
    const { kind, worker, changes, state } = beforeProbe(this.worker, status, now, kubeletStart);
    this.worker = worker;
    if (changes.length > 0) for (const change of changes) this.apply(change);
    this.settle(state, status);
    // A trigger has begun the period anew: what was said of the next look no longer holds.
    if (trigger !== undefined) this.noted = undefined;
    this.note(state, status);
    if (kind === 'stop') this.end();
    else if (kind === 'probe' && status !== undefined) return this.probe(status, now, trigger);
    return AT_REST;
  }

  private settle(state: WorkerState, status: PodStatus | undefined): void {
    const rests = state === 'onHold' || state === 'started';
    this.settledWith = rests || state === 'probing' ? status : undefined;
    this.settled = rests ? 'rest' : 'probe';
  }

  private probe(status: PodStatus, now: number, trigger: Trigger | undefined): unknown {
    const { prober, emit } = this.options;
    const { podKey, pod, container, containerID, probeType } = this.worker;
    const attempt: Attempt = {
      kind: 'attempt',
      pod: podKey,
      container: container.name,
      probe: probeType,
      attempt: ++this.attempts,
      containerID,
    };
    if (trigger !== undefined) attempt.trigger = trigger;
    emit(attempt);
    this.probing = true;
    this.status = status;
    this.startTime = now;
    const answered = prober
      .probe(probeType, pod, status, container, containerID)
      .then(this.onAnswer);
    return Later.cameOf(answered);
  }

  private readonly onAnswer = (answer: ProbeAnswer): unknown => {
    if (!this.ended) this.answered(answer);
    this.probing = false;
    return this.goOn(this.select());
  };

  private answered(answer: ProbeAnswer): void {
    const { clock, metrics, results } = this.options;
    const { containerID, pod } = this.worker;
    const latency = clock.now() - this.startTime;
    // A prober error is thrown away: it counts neither as a success nor as a failure.
    let set: Result | undefined;
    if (answer.error === undefined) {
      metrics.observe(this.worker, answer.result, latency);
      ({ worker: this.worker, set } = afterProbe(this.worker, answer.result));
    }
    this.emitAnswer(answer, latency, set);
    if (set !== undefined) results.set(containerID, set, pod.metadata.uid);
    if (!this.worker.onHold) return;
    this.settle('onHold', this.status);
    this.note('onHold', this.status);
  }

  private emitAnswer(
    { outcome, tries }: ProbeAnswer,
    latency: number,
    set: Result | undefined,
  ): void {
    const { podKey, container, probeType, containerID, spec, lastResult, resultRun, onHold } =
      this.worker;
    const threshold = thresholdOf(spec, lastResult);
    const done: AttemptDone = {
      kind: 'attemptDone',
      pod: podKey,
      container: container.name,
      probe: probeType,
      attempt: this.attempts,
      containerID,
      result: outcome.result,
      output: outcome.output,
      tries,
      latency,
      lastResult,
      // The worker forgets its run when it goes on hold; what it came to is the threshold.
      resultRun: onHold && set !== undefined ? threshold : resultRun,
      threshold,
      nextTick: this.ticker?.next ?? 0,
    };
    if (outcome.error !== undefined) done.error = outcome.error;
    if (set !== undefined) done.set = set;
    if (outcome.detail !== undefined) done.detail = outcome.detail;
    this.options.emit(done);
  }

  private apply(change: ResultChange): void {
    const { results } = this.options;
    if (change.kind === 'remove') results.remove(change.containerID);
    else results.set(change.containerID, change.result, this.worker.pod.metadata.uid);
  }

  private note(state: WorkerState, status?: PodStatus): void {
    const until = state === 'initialDelay' ? initialDelayEnd(this.worker, status) : undefined;
    if (this.noted?.state === state && this.noted.until === until) return;
    this.noted = { state, until };
    const { podKey, container, probeType } = this.worker;
    const nextTick = this.ticker?.next;
    this.options.emit({
      kind: 'worker',
      pod: podKey,
      container: container.name,
      probe: probeType,
      state,
      ...(nextTick === undefined ? {} : { nextTick }),
      ...(until === undefined ? {} : { until }),
    });
  }

  private end(): void {
    if (this.ended) return;
    this.ended = true;
    this.ticker?.stop();
    this.note('stopped');
    if (this.worker.containerID !== '') this.options.results.remove(this.worker.containerID);
    this.options.metrics.forget(this.worker);
    this.options.onEnd();
  }
}
