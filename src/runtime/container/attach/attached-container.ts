import { type Clock, sleep } from '../../../clock/clock.js';
import { type ExecResult, RuntimeError } from '../../../kubelet/ports.js';
import {
  type EngineStandIn,
  type LocalExecOptions,
  type Run,
  type RunEnd,
  TERMINATED,
} from '../../stand-in.js';
import type { EngineCli } from '../engine-cli.js';
import { engineError } from '../engine-error.js';
import type { EngineExecs } from '../engine-execs.js';
import { type Inspected, isAlive } from '../inspect.js';

/** Milliseconds until an engine that could not stop a container is asked again. */
const RETRY = 1000;

export interface AttachedContainerOptions {
  readonly cli: EngineCli;
  readonly clock: Clock;
  readonly execs: EngineExecs;
  /** What the engine calls it: a name, or an id. */
  readonly name: string;
  /** Restarts are done, not simulated. */
  readonly restarts: boolean;
  /** Looks at all containers now. */
  readonly look: () => Promise<void>;
  /** What a command left behind, which the kubelet would have left there. */
  readonly onLeftovers: (name: string, commands: readonly string[]) => void;
}

/** A container that kprobe did not make, and its runs, as they are seen. */
export class AttachedContainer implements EngineStandIn {
  readonly #options: AttachedContainerOptions;
  #seen: Inspected | undefined;
  #run: AttachedRun | undefined;
  /** How its last end was told, by an event: a look may come too late. */
  #died: { readonly id: string; readonly exitCode: number } | undefined;
  #isLaunching = false;
  readonly #ids = new Map<string, number>();

  constructor(options: AttachedContainerOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.name;
  }

  /** As it was when it was last looked at; undefined when it was not there. */
  get seen(): Inspected | undefined {
    return this.#seen;
  }

  /** Takes in a look at it. True when it runs a life that no run stands for yet. */
  observe(seen: Inspected | undefined): boolean {
    this.#seen = seen;
    const run = this.#run;
    if (run === undefined) return false;
    if (!run.isOver && (seen === undefined || lifeOf(seen) !== run.life))
      this.#endUnseen(run, seen);
    else if (!run.isOver && seen !== undefined && !isAlive(seen)) run.endAs(seen);
    // A start of ours is no news.
    return (
      !this.#isLaunching &&
      run.isOver &&
      seen !== undefined &&
      isAlive(seen) &&
      lifeOf(seen) !== run.life
    );
  }

  /** An event tells of its end. */
  noteDeath(id: string, exitCode: number): void {
    this.#died = { id, exitCode };
  }

  /** A container keeps its id over its restarts; a run needs one of its own. */
  nextID(): string {
    const id = this.#seen?.id ?? this.name;
    const lives = this.#ids.get(id) ?? 0;
    this.#ids.set(id, lives + 1);
    return lives === 0 ? id : `${id}.${lives}`;
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
    const { cli, clock, name, restarts, look } = this.#options;
    if (this.#seen === undefined || !isAlive(this.#seen)) {
      if (!restarts) throw new RuntimeError(this.#whyNotRunning());
      const end = await cli.call(['start', name]);
      if (end.kind !== 'exited' || end.exitCode !== 0) throw engineError(cli.kind, end);
      await look();
    }
    const seen = this.#seen;
    if (seen === undefined) throw new RuntimeError(this.#whyNotRunning());
    const life = lifeOf(seen);
    const isNew = life !== this.#run?.life;
    const run: AttachedRun = new AttachedRun({
      clock,
      life,
      startedAt: isNew ? Math.min(seen.startedAt ?? clock.now(), clock.now()) : clock.now(),
      stop: restarts ? (grace) => this.#stop(run, grace) : undefined,
    });
    this.#run = run;
    // It may have ended as soon as it had begun.
    if (!isAlive(seen)) run.endAs(seen);
    return run;
  }

  readonly exec = (
    command: readonly string[],
    { timeoutSeconds, signal }: LocalExecOptions,
  ): Promise<ExecResult> => {
    const { execs, onLeftovers, name } = this.#options;
    const id = this.#seen?.id ?? name;
    const onLeft = (commands: readonly string[]): void => {
      if (commands.length > 0) onLeftovers(name, commands);
    };
    return execs.run({ id, command, timeoutSeconds, signal, onLeft });
  };

  /** The process that was not seen to end; what an event told of it counts. */
  #endUnseen(run: AttachedRun, seen: Inspected | undefined): void {
    const died =
      this.#died !== undefined && run.life.startsWith(this.#died.id) ? this.#died : undefined;
    const message =
      seen === undefined ? 'the container was removed' : 'the container was started anew';
    const finishedAt =
      seen !== undefined && run.life.startsWith(seen.id) ? seen.finishedAt : undefined;
    run.endUnseen(died === undefined ? message : '', died?.exitCode, finishedAt);
  }

  async #stop(run: AttachedRun, gracePeriodSeconds: number): Promise<void> {
    const { cli, clock, name, look } = this.#options;
    const grace = Math.max(0, Math.ceil(gracePeriodSeconds));
    for (;;) {
      const end = await cli.call(['stop', '-t', String(grace), name], { limit: 0 });
      await look().catch(() => undefined);
      if (end.kind === 'exited' && end.exitCode === 0) return;
      if (run.isOver) return;
      await sleep(clock, RETRY);
    }
  }

  #whyNotRunning(): string {
    const { cli, name } = this.#options;
    if (this.#seen === undefined) return `there is no container ${name}`;
    const { state, exitCode } = this.#seen;
    const how = state === 'exited' ? `ended with exit code ${exitCode}` : `is ${state}`;
    return `container ${name} ${how}: ${cli.kind.binary} start ${name}, or --restart real`;
  }
}

/** How it ended is not known: it has begun anew, or was removed, between two looks. */
const UNKNOWN_EXIT = 137;

/** What a life of a container is known by: the same container started again lives anew. */
export function lifeOf({ id, startedAt }: Inspected): string {
  return `${id} ${startedAt ?? ''}`;
}

export interface AttachedRunOptions {
  readonly clock: Clock;
  /** The life of the container that it is. */
  readonly life: string;
  readonly startedAt: number;
  /** Ends the container itself; on paper when absent. */
  readonly stop?: ((gracePeriodSeconds: number) => Promise<void>) | undefined;
}

/** A run of a container that kprobe did not make: it ends with the container, or on paper when the kubelet would end it. */
export class AttachedRun implements Run {
  readonly #options: AttachedRunOptions;
  readonly ended: Promise<RunEnd>;
  readonly startedAt: number;
  readonly life: string;
  #end: (end: RunEnd) => void = () => undefined;
  #isOver = false;

  constructor(options: AttachedRunOptions) {
    this.#options = options;
    this.life = options.life;
    this.startedAt = options.startedAt;
    this.ended = new Promise((resolve) => {
      this.#end = (end) => {
        this.#isOver = true;
        resolve(end);
      };
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  stop(gracePeriodSeconds: number): void {
    const { clock, stop } = this.#options;
    if (stop === undefined) {
      this.#end({ exitCode: TERMINATED, finishedAt: clock.now(), message: '' });
      return;
    }
    // The next look sees how it has ended.
    void stop(gracePeriodSeconds);
  }

  /** What was there before kprobe stays when it ends. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  /** The container has ended. */
  endAs({ exitCode, oomKilled, finishedAt, error }: Inspected): void {
    const reason = oomKilled ? { reason: 'OOMKilled' } : {};
    const at = finishedAt ?? this.#options.clock.now();
    this.#end({ exitCode, finishedAt: at, message: error, ...reason });
  }

  /** It is gone, and how it ended was not seen. */
  endUnseen(
    message: string,
    exitCode = UNKNOWN_EXIT,
    finishedAt = this.#options.clock.now(),
  ): void {
    this.#end({ exitCode, finishedAt, message });
  }
}
