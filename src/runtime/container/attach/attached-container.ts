import { type Clock, sleep } from '../../../clock/clock.js';
import { type ExecResult, RuntimeError } from '../../../kubelet/ports.js';
import type { EngineListener } from '../../../kubelet/traced-runtime.js';
import {
  type AttachedRun,
  attachedRun,
  type EngineStandIn,
  type LocalExecOptions,
  type Run,
  type RunEnd,
} from '../../stand-in.js';
import {
  type ContainerOutput,
  type Engine,
  type EngineEvent,
  followOutput,
  pauseMessage,
} from '../engine.js';
import type { EngineExecs } from '../engine-execs.js';
import { type Inspected, isAlive } from '../inspect.js';

/** Milliseconds until a failed stop is repeated. */
const RETRY = 1000;
/** Lines that a container wrote before kprobe came. */
const FIRST_LINES = 10;

export interface AttachedContainerOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly execs: EngineExecs;
  /** Name or id in the engine. */
  readonly name: string;
  /** Restart the container itself; otherwise simulate. */
  readonly restarts: boolean;
  /** Inspects all containers now. */
  readonly refresh: () => Promise<void>;
  /** Number of runs of each id, also of other containers of the pod that are the same one. */
  readonly runs: Map<string, number>;
  readonly listener: () => Pick<EngineListener, 'onMessage' | 'onOutput'>;
}

/** A container that kprobe did not make, and its runs. */
export class AttachedContainer implements EngineStandIn {
  readonly #options: AttachedContainerOptions;
  readonly name: string;
  #seen: Inspected | undefined;
  /** The last run, and the identity of the container's start that it belongs to. */
  #run: (AttachedRun & { readonly life: string }) | undefined;
  /** Its last end by an event: an inspection may come too late. */
  #died: { readonly id: string; readonly exitCode: number } | undefined;
  #isLaunching = false;
  /** Of the last run. */
  #runID = '';
  #output: ContainerOutput | undefined;

  constructor(options: AttachedContainerOptions) {
    this.#options = options;
    this.name = options.name;
  }

  /** The last inspection; undefined when it did not exist. */
  get seen(): Inspected | undefined {
    return this.#seen;
  }

  /** Takes an inspection. Returns true when it was started by somebody else. */
  async observe(seen: Inspected | undefined): Promise<boolean> {
    this.#seen = seen;
    const run = this.#run;
    if (run === undefined) return false;
    const isSame = seen !== undefined && lifeOf(seen) === run.life;
    if (!run.hasEnded && !isSame) await this.#endUnseen(run, seen);
    else if (!run.hasEnded && isSame && !isAlive(seen)) await this.#endAs(run, seen);
    // kprobe's own starts are not reported.
    return !this.#isLaunching && run.hasEnded && seen !== undefined && isAlive(seen) && !isSame;
  }

  onEvent({ id, action, exitCode }: EngineEvent): void {
    if (id !== this.#seen?.id) return;
    if (exitCode !== undefined) this.#died = { id, exitCode };
    const message = pauseMessage(action, this.name);
    if (message !== undefined) this.#options.listener().onMessage(this.#runID, message);
  }

  /** Returns a new id for each run: a container keeps its id over restarts. */
  nextID(): string {
    const id = this.#seen?.id ?? this.name;
    const lives = this.#options.runs.get(id) ?? 0;
    this.#options.runs.set(id, lives + 1);
    this.#runID = lives === 0 ? id : `${id}.${lives}`;
    return this.#runID;
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
    const { engine, clock, name, restarts, refresh } = this.#options;
    if (this.#seen === undefined || !isAlive(this.#seen)) {
      if (!restarts) throw new RuntimeError(this.#whyNotRunning());
      await engine.cli.run(['start', this.#seen?.id ?? name]);
      await refresh();
    }
    const seen = this.#seen;
    if (seen === undefined) throw new RuntimeError(this.#whyNotRunning());
    const life = lifeOf(seen);
    const isNew = life !== this.#run?.life;
    const startedAt = isNew ? Math.min(seen.startedAt ?? clock.now(), clock.now()) : clock.now();
    const run = Object.assign(attachedRun(clock), { life, startedAt });
    // The next inspection shows how it ended.
    if (restarts) run.stop = (grace) => void this.#stop(run, grace);
    run.close = () => Promise.resolve(this.#output?.stop());
    this.#follow(seen, isNew ? this.#run && seen.finishedAt : clock.now());
    this.#run = run;
    // It may have ended right after its start.
    if (!isAlive(seen)) await this.#endAs(run, seen);
    return run;
  }

  /** Passes on its output: of the first run from the last lines on, of later ones from their start. */
  #follow(seen: Inspected, since: number | undefined): void {
    const id = this.#runID;
    const { engine, listener } = this.#options;
    const from =
      this.#run === undefined ? { tail: FIRST_LINES } : since === undefined ? {} : { since };
    this.#output?.stop();
    this.#output = followOutput(engine, seen, from, (...line) => listener().onOutput(id, ...line));
  }

  readonly exec = (
    command: readonly string[],
    { timeoutSeconds, signal }: LocalExecOptions,
  ): Promise<ExecResult> => {
    const { execs, name, listener } = this.#options;
    const id = this.#seen?.id ?? name;
    const run = this.#runID;
    const onLeftovers = (message: string): void => listener().onMessage(run, message);
    return execs.run({ id, name, command, timeoutSeconds, signal, onLeftovers });
  };

  /** Ends a run as its container did. */
  #endAs(run: AttachedRun, seen: Inspected): Promise<void> {
    const { exitCode, oomKilled, finishedAt, error } = seen;
    const reason = oomKilled ? { reason: 'OOMKilled' } : {};
    const at = finishedAt ?? this.#options.clock.now();
    return this.#end(run, { exitCode, finishedAt: at, message: error, ...reason });
  }

  /** Ends a run after its last output. */
  async #end(run: AttachedRun, end: RunEnd): Promise<void> {
    run.hasEnded = true;
    await this.#output?.drain();
    run.end(end);
  }

  /** Ends a run whose end was not seen, with what an event reported. */
  #endUnseen(
    run: AttachedRun & { readonly life: string },
    seen: Inspected | undefined,
  ): Promise<void> {
    const died =
      this.#died !== undefined && run.life.startsWith(this.#died.id) ? this.#died : undefined;
    const change = seen === undefined ? 'removed' : 'restarted';
    const isSame = seen !== undefined && run.life.startsWith(seen.id);
    return this.#end(run, {
      exitCode: died?.exitCode ?? UNKNOWN_EXIT,
      finishedAt: (isSame ? seen.finishedAt : undefined) ?? this.#options.clock.now(),
      message: died === undefined ? `the container was ${change}` : '',
    });
  }

  async #stop(run: AttachedRun, gracePeriodSeconds: number): Promise<void> {
    const { engine, clock, name, refresh } = this.#options;
    const grace = Math.max(0, Math.ceil(gracePeriodSeconds));
    for (;;) {
      const id = this.#seen?.id ?? name;
      const end = await engine.cli.call(['stop', '-t', String(grace), id], { limit: 0 });
      await refresh().catch(() => undefined);
      if (end.kind === 'exited' && end.exitCode === 0) return;
      if (run.hasEnded) return;
      await sleep(clock, RETRY);
    }
  }

  #whyNotRunning(): string {
    const { engine, name } = this.#options;
    if (this.#seen === undefined) return `no container "${name}"`;
    const { state, exitCode } = this.#seen;
    const how = state === 'exited' ? `ended with exit code ${exitCode}` : `is ${state}`;
    return `container ${name} ${how}: ${engine.cli.kind.name} start ${name}, or --restart real`;
  }
}

/** Exit code of an unseen end: it was restarted or removed between two inspections. */
const UNKNOWN_EXIT = 137;

/** Returns the identity of one run of a container: a restart changes it. */
function lifeOf({ id, startedAt }: Inspected): string {
  return `${id} ${startedAt ?? ''}`;
}
