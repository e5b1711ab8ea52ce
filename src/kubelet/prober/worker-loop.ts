import type { Container, Pod, PodStatus, Probe } from '../../api/index.js';
import { type Clock, goLater, type Timer } from '../../clock/clock.js';
import { Ticker } from '../../clock/ticker.js';
import type { EmitEvent, EventOf, Result, WorkerState } from '../../trace/event.js';
import { podKey } from '../pod-name.js';
import { attemptOutcome, MIN_LATENESS } from '../ports.js';
import type { ReleaseBehavior } from '../release.js';
import { OBSOLETE, type ProbeAnswer, type Prober } from './prober.js';
import { thresholdOf } from './result-run.js';
import type { ResultsManager } from './results-manager.js';
import {
  afterProbe,
  type BeforeProbe,
  beforeProbe,
  initialDelayEnd,
  type Worker,
} from './worker.js';

export interface WorkerLoopOptions {
  readonly worker: Worker;
  readonly clock: Clock;
  /** Start of the kubelet, in the clock's milliseconds. */
  readonly kubeletStart: number;
  readonly behavior?: ReleaseBehavior;
  readonly prober: Prober;
  readonly results: ResultsManager;
  readonly getPodStatus: (uid: string) => PodStatus | undefined;
  readonly emit: EmitEvent;
  /** Called once, when the worker has ended. */
  readonly onEnd: () => void;
}

export type Trigger = 'kubelet' | 'user';

/** Answer of an attempt whose probe was changed while it ran. */
const CHANGED: ProbeAnswer = {
  result: 'failure',
  error: 'canceled: the probe was changed',
  outcome: { result: 'unknown', output: '', error: 'canceled: the probe was changed' },
  tries: 1,
};

type Wake = 'stop' | 'tick' | 'trigger';

/** Runs a worker at once, at each tick, and when triggered, which restarts the period. Ports worker.run (worker.go). */
export class WorkerLoop {
  #worker: Worker;
  readonly #subject: Pick<EventOf<'attempt'>, 'pod' | 'container' | 'probe'>;
  #ticker: Ticker | undefined;
  /** State and initial delay of the last `worker` event. */
  #emitted: { readonly state: WorkerState; readonly until: number | undefined } | undefined;
  #attempts = 0;
  /** Number of skipped ticks that attempts have reported. */
  #reportedSkips = 0;
  #stopped = false;
  #ended = false;
  #manualTrigger: Trigger | undefined;
  #jitter: Timer | undefined;
  /** Set while an attempt runs that a changed probe ends. */
  #invalidate: ((answer: ProbeAnswer) => void) | undefined;
  /** The last attempt that has ended. */
  #completed: { readonly containerID: string; readonly at: number } | undefined;
  /** The context of the attempts. */
  #context = new AbortController();
  /** Set while the loop waits in `select`. */
  #resume: ((wake: Wake) => void) | undefined;

  constructor(private readonly options: WorkerLoopOptions) {
    this.#worker = options.worker;
    const { pod, container, probeType } = options.worker;
    this.#subject = { pod: podKey(pod), container: container.name, probe: probeType };
  }

  /** Starts the worker; after a start of the kubelet it first waits a random part of its period to spread the load. */
  start(): void {
    const { clock, kubeletStart } = this.options;
    const run = (): void => void this.#run();
    if (this.#period > clock.now() - kubeletStart) {
      this.#jitter = goLater(clock, run, clock.random() * this.#period);
    } else clock.go(run);
  }

  /** Ends the worker after its current attempt. */
  stop(): void {
    this.#stopped = true;
    this.#wake('stop');
  }

  /** Ends the worker now, without waiting for its attempt. */
  halt(): void {
    this.#jitter?.cancel();
    this.#end();
  }

  /** Cancels the attempt that runs, and those to come. */
  cancel(): void {
    this.#context.abort();
  }

  /** Requests an attempt before the next tick; one request is pending at a time. */
  trigger(by: Trigger): void {
    this.#manualTrigger ??= by;
    this.#wake('trigger');
  }

  /** Takes a changed probe: the count, and the time of the next attempt, follow the table of KEP-6318. */
  update(pod: Pod, container: Container, spec: Probe): void {
    const old = this.#worker;
    const isChanged = (...fields: readonly (keyof Probe)[]): boolean =>
      fields.some((field) => JSON.stringify(old.spec[field]) !== JSON.stringify(spec[field]));
    const isOther = isChanged('exec', 'httpGet', 'tcpSocket', 'grpc', 'timeoutSeconds');
    const startsOver = isOther || isChanged('successThreshold', 'failureThreshold');
    const isRescheduled = isChanged('periodSeconds') && this.#invalidate === undefined;
    // The delay of a container that was probed is over.
    const isProbed = this.#completed?.containerID === old.containerID;
    const { initialDelaySeconds } = isProbed ? old.spec : spec;
    const resultRun = startsOver ? 0 : old.resultRun;
    this.#worker = { ...old, pod, container, spec: { ...spec, initialDelaySeconds }, resultRun };
    if (this.#ticker === undefined) return;
    this.#ticker.period = this.#period;
    const now = this.options.clock.now();
    const from = this.#completed?.at ?? now;
    if (isOther) this.#cancelObsolete();
    if (isOther || (isRescheduled && from + this.#period <= now)) this.trigger('kubelet');
    else if (isRescheduled) this.#ticker.reset(from);
  }

  /** Ends the worker of a removed probe. */
  remove(): void {
    this.#cancelObsolete();
    this.halt();
  }

  #cancelObsolete(): void {
    this.#context.abort(OBSOLETE);
    this.#context = new AbortController();
    this.#invalidate?.(CHANGED);
  }

  get #period(): number {
    return this.#worker.spec.periodSeconds * 1000;
  }

  async #run(): Promise<void> {
    if (this.#ended) return;
    const ticker = new Ticker(this.options.clock, this.#period, () => this.#wake('tick'));
    this.#ticker = ticker;
    // As in the kubelet, the first probe is made even when the worker was stopped before it began.
    let trigger: Trigger | undefined;
    for (;;) {
      const status = this.options.getPodStatus(this.#worker.pod.metadata.uid);
      const decision = this.#beforeProbe(status, trigger);
      if (decision === 'probe' && status !== undefined) await this.#attempt(status, trigger);
      if (decision === 'stop') break;
      const wake = await this.#select(ticker);
      if (wake === 'stop') break;
      trigger = this.#handleWake(wake, ticker);
    }
    this.#end();
  }

  #handleWake(wake: 'tick' | 'trigger', ticker: Ticker): Trigger | undefined {
    if (wake === 'tick') {
      ticker.take();
      return undefined;
    }
    const trigger = this.#manualTrigger;
    this.#manualTrigger = undefined;
    ticker.reset();
    return trigger;
  }

  /** Waits for a tick, a trigger or the stop. When a tick and a trigger wait, it takes either, as Go's select does. */
  #select({ pending }: Ticker): Wake | Promise<Wake> {
    if (this.#stopped || this.#ended) return 'stop';
    if (this.#manualTrigger !== undefined) {
      return pending && this.options.clock.random() < 0.5 ? 'tick' : 'trigger';
    }
    if (pending) return 'tick';
    return new Promise((resolve) => {
      this.#resume = resolve;
    });
  }

  #wake(by: Wake): void {
    const resume = this.#resume;
    this.#resume = undefined;
    if (resume !== undefined) this.options.clock.go(() => resume(by));
  }

  /** Ports the first half of doProbe (pkg/kubelet/prober/worker.go). */
  #beforeProbe(status: PodStatus | undefined, trigger: Trigger | undefined): BeforeProbe['kind'] {
    if (this.#ended) return 'stop';
    const { clock, kubeletStart, behavior, results } = this.options;
    const { kind, state, worker, changes } = beforeProbe(
      this.#worker,
      status,
      clock.now(),
      kubeletStart,
      behavior,
    );
    this.#worker = worker;
    for (const change of changes) {
      if (change.kind === 'remove') results.remove(change.containerID);
      else results.set(change.containerID, change.result, worker.pod.metadata.uid);
    }
    // A trigger restarts the period, and with it the time of the next tick.
    if (trigger !== undefined) this.#emitted = undefined;
    this.#emitState(state, status);
    return kind;
  }

  /** Ports the attempt and the second half of doProbe. */
  async #attempt(status: PodStatus, trigger: Trigger | undefined): Promise<void> {
    const { clock, emit, prober, results, behavior } = this.options;
    const { containerID } = this.#worker;
    const attempt = ++this.#attempts;
    const period = this.#period;
    const { late = 0, skipped = 0 } = this.#ticker ?? {};
    const newSkips = skipped - this.#reportedSkips;
    this.#reportedSkips = skipped;
    emit({
      kind: 'attempt',
      ...this.#subject,
      attempt,
      containerID,
      trigger,
      late: reportedLateness(late),
      skipped: newSkips > 0 ? newSkips : undefined,
    });
    const start = clock.now();
    const latenessOf = clock.measureLateness?.();
    const { probeType, pod, container } = this.#worker;
    const { signal } = this.#context;
    const probed = prober.probe(probeType, pod, status, container, containerID, signal);
    const answer = await (behavior?.updatesProbes === true ? this.#unlessChanged(probed) : probed);
    const lateness = Math.max(latenessOf?.() ?? 0, answer.outcome.late ?? 0);
    if (this.#ended) return;
    this.#completed = { containerID, at: clock.now() };
    if (this.#period !== period) this.#ticker?.reset();
    let set: Result | undefined;
    // The result of an attempt that errored does not count.
    if (answer.error === undefined) {
      ({ worker: this.#worker, set } = afterProbe(this.#worker, answer.result));
    }
    this.#emitAnswer(
      answer,
      { latency: clock.now() - start, late: reportedLateness(lateness) },
      set,
    );
    if (set !== undefined) results.set(containerID, set, pod.metadata.uid);
    if (this.#worker.onHold) this.#emitState('onHold', status);
  }

  async #unlessChanged(probed: Promise<ProbeAnswer>): Promise<ProbeAnswer> {
    const changed = new Promise<ProbeAnswer>((resolve) => (this.#invalidate = resolve));
    const answer = await Promise.race([probed, changed]);
    this.#invalidate = undefined;
    return answer;
  }

  #emitAnswer(
    { outcome, tries }: ProbeAnswer,
    times: { readonly latency: number; readonly late: number | undefined },
    set: Result | undefined,
  ): void {
    const { containerID, spec, lastResult, resultRun, onHold } = this.#worker;
    const threshold = thresholdOf(spec, lastResult);
    this.options.emit({
      kind: 'attemptDone',
      ...this.#subject,
      attempt: this.#attempts,
      containerID,
      ...attemptOutcome(outcome),
      tries,
      ...times,
      lastResult,
      // A worker that goes on hold has reset its run, which had reached the threshold.
      resultRun: onHold && set !== undefined ? threshold : resultRun,
      threshold,
      nextTick: this.#ticker?.next ?? 0,
      set,
    });
  }

  #emitState(state: WorkerState, status?: PodStatus): void {
    const until = state === 'initialDelay' ? initialDelayEnd(this.#worker, status) : undefined;
    if (this.#emitted?.state === state && this.#emitted.until === until) return;
    this.#emitted = { state, until };
    const nextTick = this.#ticker?.next;
    this.options.emit({ kind: 'worker', ...this.#subject, state, nextTick, until });
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#ticker?.stop();
    this.#emitState('stopped');
    if (this.#worker.containerID !== '') this.options.results.remove(this.#worker.containerID);
    this.options.onEnd();
  }
}

function reportedLateness(late: number): number | undefined {
  return late >= MIN_LATENESS ? Math.round(late) : undefined;
}
