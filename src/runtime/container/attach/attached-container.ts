import { type ContainerStateWaiting, ownField, type Time } from '../../../api/index.js';
import { type Clock, sleep, withTimeout } from '../../../clock/clock.js';
import { type ExecResult, type Inspection, RuntimeError } from '../../../kubelet/ports.js';
import type { EngineListener } from '../../../kubelet/traced-runtime.js';
import {
  type AttachedRun,
  attachedRun,
  type ExternalContainer,
  type LocalExecOptions,
  LOST,
  type Run,
  type RunExit,
} from '../../backing.js';
import {
  type ContainerOutput,
  type Engine,
  type EngineEvent,
  followOutput,
  pauseMessage,
  sentByEngine,
} from '../engine.js';
import type { EngineExecs } from '../engine-execs.js';
import { type Inspected, isAlive } from '../inspect.js';
import { inspectContainer } from '../listening.js';

/** Milliseconds until a failed stop is repeated. */
const RETRY = 1000;
/** Milliseconds that a stop under way, and a start, may take when kprobe ends. */
const CLOSE_LIMIT = 10_000;
/** Lines of output from before kprobe's start that are shown. */
const FIRST_LINES = 10;

export interface AttachedContainerOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly execs: EngineExecs;
  /** Name or id in the engine. */
  readonly name: string;
  /** The container itself is restarted; otherwise restarts are simulated. */
  readonly restarts: boolean;
  /** Inspects all attached containers now. */
  readonly refresh: () => Promise<void>;
  /** Number of runs by engine id; two containers of a pod may be one container of the engine. */
  readonly runs: Map<string, number>;
  readonly listener: () => Pick<EngineListener, 'onMessage' | 'onOutput'>;
}

export class AttachedContainer implements ExternalContainer {
  readonly name: string;
  #seen: Inspected | undefined;
  /** The last run, with the identity of the container's start that it belongs to. */
  #run: (AttachedRun & { readonly start: string }) | undefined;
  #endedAt: number | undefined;
  /** The last end that an event reported: after a quick restart, no inspection shows it. */
  #died: { readonly id: string; readonly exitCode: number } | undefined;
  /** The last signal that its engine sent to it since its start. */
  #signal: number | undefined;
  #isPaused = false;
  /** An inspection that began before the last event of a pause may not know of it. */
  #pauseReportedAt = -Infinity;
  #isLaunching = false;
  /** Present while kprobe stops the container. */
  #stopping: Promise<void> | undefined;
  #wasAlive: boolean | undefined;
  /** The id of the last run. */
  #runID = '';
  #output: ContainerOutput | undefined;
  #isClosed = false;

  constructor(private readonly options: AttachedContainerOptions) {
    this.name = options.name;
  }

  /** The last inspection; undefined when there was no such container. */
  get seen(): Inspected | undefined {
    return this.#seen;
  }

  /** Takes an inspection and the time when it began. Returns true when somebody else has started the container. */
  async observe(seen: Inspected | undefined, begun: number): Promise<boolean> {
    this.#seen = seen;
    if (seen === undefined || !isAlive(seen)) this.#isPaused = false;
    else if (begun > this.#pauseReportedAt) this.#setPaused(seen.state === 'paused');
    this.#wasAlive ??= seen !== undefined && isAlive(seen);
    const run = this.#run;
    if (run === undefined) return false;
    const isSame = seen !== undefined && startOf(seen) === run.start;
    if (!run.hasEnded && !isSame) await this.#endUnseen(run, seen);
    else if (!run.hasEnded && isSame && !isAlive(seen)) await this.#endAs(run, seen);
    // kprobe's own starts are not reported.
    return !this.#isLaunching && run.hasEnded && seen !== undefined && isAlive(seen) && !isSame;
  }

  onEvent({ id, action, exitCode, signal }: EngineEvent): void {
    if (id !== this.#seen?.id) return;
    if (action === 'start' || action === 'kill') this.#signal = signal;
    if (exitCode !== undefined) this.#died = { id, exitCode };
    if (action !== 'pause' && action !== 'unpause') return;
    this.#pauseReportedAt = this.options.clock.now();
    this.#setPaused(action === 'pause');
  }

  #setPaused(isPaused: boolean): void {
    if (isPaused === this.#isPaused) return;
    this.#isPaused = isPaused;
    this.options.listener().onMessage(this.#runID, pauseMessage(isPaused, this.name));
  }

  /** Returns a new id for each run: a container keeps its id over restarts. */
  nextID(): string {
    const id = this.#seen?.id ?? this.name;
    const runs = this.options.runs.get(id) ?? 0;
    this.options.runs.set(id, runs + 1);
    this.#runID = runs === 0 ? id : `${id}.${runs}`;
    return this.#runID;
  }

  /** Returns undefined after a simulated end; after others, the restart policy or a user starts the next run. */
  waitingState(): ContainerStateWaiting | undefined {
    const [run, seen] = [this.#run, this.#seen];
    if (this.options.restarts || run === undefined) return undefined;
    const isSame = seen !== undefined && isAlive(seen) && startOf(seen) === run.start;
    return isSame && run.hasEnded ? undefined : {};
  }

  get startedAt(): Time | undefined {
    const seen = this.#seen;
    if (seen?.startedAt === undefined || startOf(seen) === this.#run?.start) return undefined;
    return Math.min(seen.startedAt, this.options.clock.now());
  }

  async launch(): Promise<Run> {
    this.#isLaunching = true;
    try {
      return await this.#launch();
    } finally {
      this.#isLaunching = false;
    }
  }

  async #launch(): Promise<Run> {
    const { engine, clock, name, restarts, refresh } = this.options;
    if (this.#seen === undefined || !isAlive(this.#seen)) {
      if (restarts) {
        await engine.commands.start(this.#seen?.id ?? name);
        await refresh();
      } else if (!ENDED.has(this.#seen?.state ?? 'dead'))
        throw new RuntimeError(this.#notRunningText());
    }
    const seen = this.#seen;
    if (seen === undefined) throw new RuntimeError(this.#notRunningText());
    const { startedAt } = this;
    const start = startOf(seen);
    const isNew = start !== this.#run?.start;
    const inspect = (): Inspection => inspectContainer({ engine, clock }, seen);
    const run = Object.assign(attachedRun(clock), { start, startedAt, inspect });
    // A stopped run ends when an inspection shows its end.
    if (restarts) run.stop = (grace) => this.#stop(run, grace);
    // `finishedAt` of a container that has ended again is the end of this run, not of the one before.
    const lastEnd = isAlive(seen) ? seen.finishedAt : this.#endedAt;
    this.#follow(seen, isNew ? this.#run && lastEnd : clock.now());
    this.#run = run;
    // The container may have ended right after its start, or before kprobe began.
    if (!isAlive(seen)) clock.go(() => void this.#endAs(run, seen));
    return run;
  }

  /** Starts a container again that ran at first and that kprobe has stopped. Resolves with the error when that fails. */
  async close(): Promise<string | undefined> {
    const { engine, clock, name, restarts, refresh } = this.options;
    this.#isClosed = true;
    this.#output?.stop();
    if (!restarts || this.#wasAlive !== true) return undefined;
    if (this.#stopping !== undefined) await withTimeout(clock, this.#stopping, CLOSE_LIMIT);
    else if (this.#seen !== undefined && isAlive(this.#seen)) return undefined;
    const starting = engine.commands.start(this.#seen?.id ?? name).then(refresh);
    const failed = starting.then(
      () => undefined,
      (error: unknown) => (error instanceof RuntimeError ? error.message : String(error)),
    );
    const first = await withTimeout(clock, failed, CLOSE_LIMIT);
    return first === 'timeout' ? `${engine.kind.name} does not answer` : failed;
  }

  /** Passes on the output: the first run's from its last lines on, a later run's from its start. */
  #follow(seen: Inspected, since: number | undefined): void {
    const id = this.#runID;
    const { engine, clock, listener } = this.options;
    if (this.#isClosed) return;
    const from =
      this.#run === undefined ? { tail: FIRST_LINES } : since === undefined ? {} : { since };
    this.#output?.stop();
    this.#output = followOutput({ engine, clock }, seen, from, (stream, text) =>
      listener().onOutput(id, stream, text),
    );
  }

  readonly exec = (
    command: readonly string[],
    { timeoutSeconds, signal }: LocalExecOptions,
  ): Promise<ExecResult> => {
    const { execs, name, listener } = this.options;
    const id = this.#seen?.id ?? name;
    const run = this.#runID;
    const onLeftovers = (message: string): void => listener().onMessage(run, message);
    return execs.run({ id, name, command, timeoutSeconds, signal, onLeftovers });
  };

  #endAs(run: AttachedRun, seen: Inspected): Promise<void> {
    const { exitCode, oomKilled, finishedAt, error, restartPolicy: policy } = seen;
    const { engine, name, restarts, listener } = this.options;
    if (!restarts) {
      listener().onMessage(
        this.#runID,
        policy === undefined
          ? `${this.#notRunningText()}; its restart counts when it is started`
          : `${name} has ended: ${engine.kind.name} starts it again (restart policy ${policy})`,
      );
    }
    return this.#end(run, {
      exitCode,
      message: error,
      ...(oomKilled && { reason: 'OOMKilled', oomKilled }),
      ...(!restarts && { restartedBy: policy === undefined ? 'user' : 'engine' }),
      finishedAt: finishedAt ?? this.options.clock.now(),
    });
  }

  /** Ends a run after its last output. */
  async #end(run: AttachedRun, end: RunExit): Promise<void> {
    run.hasEnded = true;
    await this.#output?.drain();
    this.#endedAt = end.finishedAt;
    run.end({ ...end, ...sentByEngine(this.options.engine, this.#signal, end.exitCode) });
  }

  /** Ends a run whose end was not seen, with what an event reported. */
  #endUnseen(
    run: AttachedRun & { readonly start: string },
    seen: Inspected | undefined,
  ): Promise<void> {
    const died =
      this.#died !== undefined && run.start.startsWith(this.#died.id) ? this.#died : undefined;
    const isRemoved = seen === undefined;
    const isSame = seen !== undefined && run.start.startsWith(seen.id);
    return this.#end(run, {
      ...(died === undefined ? LOST : { exitCode: died.exitCode }),
      finishedAt: (isSame ? seen.finishedAt : undefined) ?? this.options.clock.now(),
      message: died === undefined && !isRemoved ? 'the container was restarted' : '',
      ...(isRemoved && { reason: 'Removed', removed: true }),
      ...(!isRemoved && !this.options.restarts && { restartedBy: 'engine' }),
    });
  }

  #stop(run: AttachedRun, gracePeriodSeconds: number): void {
    // The end of kprobe leaves the container as it is.
    if (this.#isClosed) return;
    const stopping = this.#stopInEngine(run, gracePeriodSeconds);
    this.#stopping = stopping;
    void stopping.then(() => (this.#stopping = undefined));
  }

  async #stopInEngine(run: AttachedRun, gracePeriodSeconds: number): Promise<void> {
    const { engine, clock, name, refresh } = this.options;
    for (;;) {
      const id = this.#seen?.id ?? name;
      const isStopped = await engine.commands.stop([id], gracePeriodSeconds).then(
        () => true,
        () => false,
      );
      await refresh().catch(() => undefined);
      if (isStopped || run.hasEnded || this.#isClosed) return;
      await sleep(clock, RETRY);
    }
  }

  #notRunningText(): string {
    const { engine, name } = this.options;
    if (this.#seen === undefined) return `no container "${name}"`;
    const { state, exitCode } = this.#seen;
    const states = { exited: `ended with exit code ${exitCode}`, created: 'was never started' };
    const stateText = ownField(states, state) ?? `is ${state}`;
    const { name: program } = engine.kind;
    return `container ${name} ${stateText}: ${program} start ${name}, or --restart real`;
  }
}

/** States of a container that has run; a `restarting` one is about to be started again by its engine. */
const ENDED: ReadonlySet<Inspected['state']> = new Set(['exited', 'restarting']);

/** Returns the identity of one run of a container: a restart changes it. */
function startOf({ id, startedAt }: Inspected): string {
  return `${id} ${startedAt ?? ''}`;
}
