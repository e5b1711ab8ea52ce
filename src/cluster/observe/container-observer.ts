import {
  type Container,
  type ContainerStateTerminated,
  type ContainerStatus,
  omitUndefined,
  type Pod,
} from '../../api/index.js';
import {
  MINIMUM_GRACE_PERIOD,
  setTerminationGracePeriod,
} from '../../kubelet/containers/termination-grace-period.js';
import { PROBE_TYPES, probeOf } from '../../kubelet/prober/probe-of.js';
import { containerShouldRestart } from '../../kubelet/restart-policy.js';
import type { Evidence, ProbeType } from '../../trace/event.js';
import type { ClusterEvent } from './decode-objects.js';
import { killDivergence, readyDivergence } from './divergence.js';
import { ProbeObserver, type WorkerFacts } from './probe-observer.js';
import {
  hasNotStarted,
  isOfRestartInPlace,
  type ObserverContext,
  type ReportedRun,
  reportedRuns,
  RestartObserver,
  type Step,
} from './restart-observer.js';

/** Milliseconds by which the status may follow a probe's worker. */
const LATE_STATUS = 5_000;
/** The beginning of the kubelet's message when it kills a whole pod. */
const STOPPING = 'Stopping container ';

/** Probe whose failure made the kubelet kill a run, in the kubelet's words. */
interface Killer {
  readonly by: ProbeType;
  readonly message: string;
}

export class ContainerObserver {
  readonly name: string;
  readonly probes = new Map<ProbeType, ProbeObserver>();
  startedAt: number | undefined;
  isRunning = false;
  /** True once a status has shown this run as started. */
  started = false;
  /** True while the latest status shows this run as not started. */
  isUnstarted = false;
  ready = false;
  containerID = '';
  readonly restarts: RestartObserver;
  #run = -1;
  /** When a status first showed the container running, which is after its start. */
  #shownAt = 0;
  #exitCode = 0;
  /** The probe for which the kubelet has killed the current run. */
  #killer: Killer | undefined;
  /** True where the kubelet has killed the current run, for whatever reason. */
  #isKilled = false;
  /** The same of the run before: its length, its exit code, and how many runs in a row have ended like this. */
  #lastKill:
    | (Killer & { readonly life: number; readonly exitCode: number; readonly times: number })
    | undefined;
  #waiting = '';
  /** The run whose postStart hook is known to have failed. */
  #hookRun = -1;
  /** A kill whose run no status has shown yet. */
  #earlyKill:
    | { readonly event: ClusterEvent; readonly now: number; readonly at: number | undefined }
    | undefined;
  /** The run was shown as not started. */
  #wasUnstarted = false;

  constructor(
    private readonly context: ObserverContext,
    private pod: Pod,
    private spec: Container,
  ) {
    this.restarts = new RestartObserver(context, spec.name);
    this.name = spec.name;
    this.update(pod, spec, 0);
  }

  update(pod: Pod, spec: Container, now: number): void {
    if (spec.image !== this.spec.image) this.restarts.imageChanged(now);
    this.pod = pod;
    this.spec = spec;
    const place = { pod: this.context.key, container: this, emit: this.context.emit };
    const isInit = pod.spec.initContainers?.includes(spec) === true;
    for (const type of PROBE_TYPES) {
      const probe = probeOf(spec, type);
      const known = this.probes.get(type);
      if (probe === undefined || (isInit && spec.restartPolicy !== 'Always')) {
        this.probes.delete(type);
      } else if (known === undefined) this.probes.set(type, new ProbeObserver(place, type, probe));
      else known.spec = probe;
    }
  }

  steps(status: ContainerStatus, now: number): Step[] {
    return reportedRuns(status, this.restarts.finishedAt)
      .filter(({ run }) => run > this.#run || (run === this.#run && this.isRunning))
      .flatMap((reported): Step[] => {
        const { run, startedAt, end } = reported;
        const begin = (hasNotStarted(end) ? end?.finishedAt : startedAt) ?? now;
        const { name: container } = this;
        const play = (): void => this.#start(reported, now);
        const start: Step = { at: begin, container, run, phase: 'start', play };
        if (end === undefined || hasNotStarted(end)) return run > this.#run ? [start] : [];
        const finish = { ...start, at: end.finishedAt ?? now, phase: 'end' } as const;
        const playEnd = (): void => {
          this.#showHookError(status);
          this.#end(end, now);
        };
        const ending = { ...finish, play: playEnd };
        return run > this.#run ? [start, ending] : [ending];
      });
  }

  #start(reported: ReportedRun, now: number): void {
    const { run, startedAt, end } = reported;
    this.restarts.started(reported, now);
    const killer = run === this.#run + 1 && !this.isRunning ? this.#killer : undefined;
    const life = (this.restarts.finishedAt ?? 0) - (this.startedAt ?? 0);
    const times = (this.#lastKill?.times ?? 0) + 1;
    this.#lastKill = killer && { ...killer, life, exitCode: this.#exitCode, times };
    this.#run = run;
    this.#killer = undefined;
    this.#isKilled = false;
    this.#wasUnstarted = false;
    this.isUnstarted = false;
    this.started = false;
    this.ready = false;
    for (const probe of this.probes.values()) probe.newRun();
    if (hasNotStarted(end)) {
      this.restarts.finishedAt = end?.finishedAt ?? this.restarts.finishedAt;
      this.isRunning = false;
      const error = end?.message ?? end?.reason ?? '';
      const at = omitUndefined({ at: startedAt });
      this.context.emit({ kind: 'startFailed', ...this.#inRun, error, ...at });
      this.restarts.backOff(false);
      return;
    }
    this.startedAt = startedAt;
    this.#shownAt = now;
    this.isRunning = true;
    if (!this.probes.has('startup')) this.#begin(startedAt ?? now);
    this.context.emit({ kind: 'started', ...this.#inRun, at: startedAt, evidence: 'seen' });
    const early = this.#earlyKill;
    if (early === undefined) return;
    const { event, at } = early;
    if (this.isBefore(event, early.now, at !== undefined)) return;
    this.#kill(event.message, now, at ?? early.now, 'seen');
  }

  /** Reports whether a late event belongs to the previous run. */
  isBefore({ lastAt, message }: ClusterEvent, now: number, isOld: boolean): boolean {
    const { startedAt = 0 } = this;
    const at = lastAt ?? now;
    // Times are whole seconds: a probe with a delay cannot have killed a run in the second of its start.
    const { initialDelaySeconds = 0 } = this.#killerOf(message)?.spec ?? {};
    const isEarlier = isOld || initialDelaySeconds > 0;
    return at < startedAt || (isEarlier && this.#run > 0 && at === startedAt);
  }

  /** Returns the probe for which the kubelet kills, as its message says. */
  #killerOf(message: string): ProbeObserver | undefined {
    const by = /^(?:Init c|C)ontainer \S+ failed (liveness|startup) probe/.exec(message)?.[1];
    return by === undefined ? this.#killerOfPod(message) : this.probes.get(by as ProbeType);
  }

  /** Returns the probe whose failure ended the pod: with restartPolicy Never, the kubelet's message names no probe. */
  #killerOfPod(message: string): ProbeObserver | undefined {
    const { spec, metadata } = this.pod;
    const isWhole = message.startsWith(STOPPING) && spec.restartPolicy === 'Never';
    if (!isWhole || metadata.deletionTimestamp !== undefined) return undefined;
    return [...this.probes.values()].find(
      ({ type, set }) => type !== 'readiness' && set === 'failure',
    );
  }

  get #inRun() {
    return { pod: this.context.key, container: this.name, run: this.#run };
  }

  #end(end: ContainerStateTerminated, now: number): void {
    if (!this.isRunning) return;
    if (isOfRestartInPlace(end) && !this.#isKilled) this.#kill('killing', now, undefined, 'seen');
    const { exitCode, reason, message = '', finishedAt } = end;
    this.restarts.finishedAt = finishedAt ?? now;
    this.#exitCode = exitCode;
    this.#inferKill(now);
    for (const text of message.split('\n').filter((line) => line !== '')) {
      this.context.emit({ kind: 'output', ...this.#inRun, stream: 'stderr', text });
    }
    this.isRunning = false;
    const exit = omitUndefined({ exitCode, reason, at: finishedAt });
    this.context.emit({ kind: 'exited', ...this.#inRun, ...exit, evidence: 'seen' });
    this.restarts.ended();
  }

  /** Infers a kill of a run that ended like earlier ones that a probe killed, once the kubelet may drop events. */
  #inferKill(now: number): void {
    const last = this.#lastKill;
    const probe = last && this.probes.get(last.by);
    if (last === undefined || probe === undefined || this.#isKilled) return;
    const isCertain = last.times >= 2 || probe.set === 'failure';
    if (!isCertain || this.pod.metadata.deletionTimestamp !== undefined) return;
    if (!this.context.mayBeSilent('Normal') || this.#exitCode !== last.exitCode) return;
    const life = (this.restarts.finishedAt ?? now) - (this.startedAt ?? now);
    if (Math.abs(life - last.life) > probe.spec.periodSeconds * 1000 + 1_000) return;
    this.#kill(last.message, now, this.restarts.finishedAt, 'inferred');
  }

  /** Applies the event of a kill. `at` is its time, if long ago. */
  killed(event: ClusterEvent, now: number, at: number | undefined): void {
    if (this.isRunning) this.#kill(event.message, now, at, 'seen');
    // No status may have shown the killed run yet.
    else this.#earlyKill = { event, now, at };
  }

  #kill(message: string, now: number, at: number | undefined, evidence: Evidence): void {
    this.#earlyKill = undefined;
    const killer = this.#killerOf(message);
    const type = killer?.type;
    const reason = type === undefined ? '' : type === 'startup' ? 'StartupProbe' : 'LivenessProbe';
    const isOfPod = message.startsWith(STOPPING);
    const grace = setTerminationGracePeriod(this.pod, this.spec, isOfPod ? '' : reason);
    killer?.complete(now, at);
    if (killer !== undefined && evidence === 'seen') this.#checkKill(killer, at ?? now);
    this.#isKilled = true;
    this.#killer = killer && { by: killer.type, message };
    const cause =
      isOfPod && type !== undefined ? `Container ${this.name} failed ${type} probe` : message;
    if (/^(?:Init c|C)ontainer /.test(cause)) {
      // A sidecar is restarted although its message does not say so.
      const restarts = cause.endsWith(', will be restarted') || cause.startsWith('Init ');
      this.restarts.plan(restarts, { name: this.name, message: cause, reason });
    }
    const gracePeriod = Math.max(MINIMUM_GRACE_PERIOD, grace);
    const stop = { gracePeriod, ...omitUndefined({ at }), evidence };
    this.context.emit({ kind: 'stop', ...this.#inRun, ...stop });
  }

  #checkKill({ spec, type, hasCarried }: ProbeObserver, killedAt: number): void {
    if (this.startedAt === undefined) return;
    // Failures before the first known run belong to a run that no status shows.
    const carries = (this.#run > 0 || hasCarried) && this.#lastKill?.by !== type;
    const run = { startedAt: Math.min(this.startedAt, this.#shownAt), probe: spec, type };
    this.context.diverge(this.name, killDivergence(run, killedAt + 1_000, carries));
  }

  /** Applies the failure of a postStart hook, for which the kubelet kills the run. */
  hookFailed(error: string): void {
    if (this.#run < 0) return;
    const { key: pod, emit } = this.context;
    emit({ kind: 'hookDone', pod, container: this.name, hook: 'postStart', error });
  }

  /** Applies the failure of a postStart hook that a status names, once for each run. */
  #showHookError({ state: { waiting } }: ContainerStatus): void {
    if (waiting?.reason !== 'PostStartHookError' || this.#hookRun === this.#run) return;
    this.#hookRun = this.#run;
    this.hookFailed(waiting.message ?? waiting.reason);
  }

  /** Applies a status beyond its runs: back-off, started, ready. `at` is when the pod turned ready, if long ago. */
  show(status: ContainerStatus, now: number, at: number | undefined, isOver: boolean): void {
    this.containerID = status.containerID ?? this.containerID;
    this.#waiting = status.state.waiting?.reason ?? '';
    this.#showHookError(status);
    if (!this.isRunning) this.restarts.show(status);
    if (isOver || !this.isRunning || status.state.running === undefined) return;
    this.isUnstarted = status.started !== true;
    if (this.isUnstarted) this.#wasUnstarted = true;
    // The kubelet shows values of the previous run until the startup probe's worker has seen the new one.
    const { periodSeconds = 0 } = this.spec.startupProbe ?? {};
    const isStale = this.#run > 0 && now - this.#shownAt < periodSeconds * 1000 + LATE_STATUS;
    const isFresh = this.#wasUnstarted || !isStale;
    const isDeleted = this.pod.metadata.deletionTimestamp !== undefined;
    if (status.started === true && isFresh && !isDeleted) this.#turn('startup', now, at);
    this.started = status.started === true && isFresh;
    if (status.ready !== this.ready) {
      if (status.ready) this.#turn('readiness', now, at);
      else this.#notReady(now);
      this.ready = status.ready;
    }
  }

  /** Infers the success without which the status would not have turned. */
  #turn(type: 'startup' | 'readiness', now: number, at: number | undefined): void {
    const probe = this.probes.get(type);
    if (probe === undefined || probe.set === 'success' || this.startedAt === undefined) return;
    const { startedAt } = this;
    const firstAttemptAt = startedAt + probe.spec.initialDelaySeconds * 1000;
    const readyChangedAt =
      at === undefined
        ? undefined
        : type === 'startup'
          ? firstAttemptAt
          : Math.max(at, firstAttemptAt);
    if (at === undefined) {
      const run = { startedAt: Math.min(startedAt, this.#shownAt), probe: probe.spec, type };
      this.context.diverge(this.name, readyDivergence(run, now));
    }
    probe.succeed(now, readyChangedAt, 'inferred');
    if (type === 'startup' && at === undefined) this.#begin(now);
  }

  /** Notes that the workers begin to make attempts, each after its initialDelaySeconds. */
  #begin(at: number): void {
    for (const probe of this.probes.values()) {
      const { initialDelaySeconds } = probe.spec;
      probe.begin(Math.max(at, (this.startedAt ?? at) + initialDelaySeconds * 1000));
    }
  }

  #notReady(now: number): void {
    const probe = this.probes.get('readiness');
    if (probe?.set === 'success') probe.complete(now, undefined);
  }

  /** Reports the states of the workers, and changes that only the passing time shows. */
  pass(now: number, isOver: boolean, isLate: boolean): void {
    for (const probe of this.probes.values()) {
      const succeededAt = this.isRunning
        ? probe.silentSuccess(now, this.context.mayBeSilent('Warning'), isLate)
        : undefined;
      if (succeededAt !== undefined) probe.succeed(now, succeededAt, 'inferred');
      probe.work(this.#worker(isOver), now);
    }
    if (!isOver && !this.isRunning && this.#mustRestart()) this.restarts.overdue(now);
  }

  #worker(isOver: boolean): WorkerFacts {
    const { startedAt, started, isRunning } = this;
    const isDeleted = this.pod.metadata.deletionTimestamp !== undefined;
    const gated = this.probes.has('startup') && !started;
    return { isOver, isDeleted, hasRun: this.#run >= 0, isRunning, startedAt, started, gated };
  }

  #mustRestart(): boolean {
    if (!this.pod.spec.containers.includes(this.spec)) return false;
    if (this.pod.metadata.deletionTimestamp !== undefined) return false;
    if (this.#waiting !== '' && this.#waiting !== 'CrashLoopBackOff') return false;
    return containerShouldRestart(this.spec, this.pod.spec, this.#exitCode);
  }
}
