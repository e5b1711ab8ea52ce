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

/** Milliseconds until a failed stop is repeated. */
const RETRY = 1000;

export interface AttachedContainerOptions {
  readonly cli: EngineCli;
  readonly clock: Clock;
  readonly execs: EngineExecs;
  /** Name or id in the engine. */
  readonly name: string;
  /** Restart the container itself; otherwise simulate. */
  readonly restarts: boolean;
  /** Inspects all containers now. */
  readonly refresh: () => Promise<void>;
  /** Takes what a timed-out command left behind. */
  readonly onLeftovers: (name: string, commands: readonly string[]) => void;
}

/** A container that kprobe did not make, and its runs. */
export class AttachedContainer implements EngineStandIn {
  readonly #options: AttachedContainerOptions;
  #seen: Inspected | undefined;
  #run: AttachedRun | undefined;
  /** Its last end by an event: an inspection may come too late. */
  #died: { readonly id: string; readonly exitCode: number } | undefined;
  #isLaunching = false;
  readonly #ids = new Map<string, number>();

  constructor(options: AttachedContainerOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.name;
  }

  /** The last inspection; undefined when it did not exist. */
  get seen(): Inspected | undefined {
    return this.#seen;
  }

  /** Takes an inspection. Returns true when it was started by somebody else. */
  observe(seen: Inspected | undefined): boolean {
    this.#seen = seen;
    const run = this.#run;
    if (run === undefined) return false;
    if (!run.hasEnded && (seen === undefined || lifeOf(seen) !== run.life))
      this.#endUnseen(run, seen);
    else if (!run.hasEnded && seen !== undefined && !isAlive(seen)) run.endAs(seen);
    // A start of our own is no news.
    return (
      !this.#isLaunching &&
      run.hasEnded &&
      seen !== undefined &&
      isAlive(seen) &&
      lifeOf(seen) !== run.life
    );
  }

  /** Takes the end that an event reported. */
  onDied(id: string, exitCode: number): void {
    this.#died = { id, exitCode };
  }

  /** Returns a new id for each run: a container keeps its id over restarts. */
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
    const { cli, clock, name, restarts, refresh } = this.#options;
    if (this.#seen === undefined || !isAlive(this.#seen)) {
      if (!restarts) throw new RuntimeError(this.#whyNotRunning());
      const end = await cli.call(['start', name]);
      if (end.kind !== 'exited' || end.exitCode !== 0) throw engineError(cli.kind, end);
      await refresh();
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
    // It may have ended right after its start.
    if (!isAlive(seen)) run.endAs(seen);
    return run;
  }

  readonly exec = (
    command: readonly string[],
    { timeoutSeconds, signal }: LocalExecOptions,
  ): Promise<ExecResult> => {
    const { execs, onLeftovers, name } = this.#options;
    const id = this.#seen?.id ?? name;
    return execs.run({
      ...{ id, command, timeoutSeconds, signal },
      onLeftovers: (commands) => {
        if (commands.length > 0) onLeftovers(name, commands);
      },
    });
  };

  /** Ends a run whose end was not seen, with what an event reported. */
  #endUnseen(run: AttachedRun, seen: Inspected | undefined): void {
    const died =
      this.#died !== undefined && run.life.startsWith(this.#died.id) ? this.#died : undefined;
    const message =
      seen === undefined ? 'the container was removed' : 'the container was restarted';
    const finishedAt =
      seen !== undefined && run.life.startsWith(seen.id) ? seen.finishedAt : undefined;
    run.endUnseen(died === undefined ? message : '', died?.exitCode, finishedAt);
  }

  async #stop(run: AttachedRun, gracePeriodSeconds: number): Promise<void> {
    const { cli, clock, name, refresh } = this.#options;
    const grace = Math.max(0, Math.ceil(gracePeriodSeconds));
    for (;;) {
      const end = await cli.call(['stop', '-t', String(grace), name], { limit: 0 });
      await refresh().catch(() => undefined);
      if (end.kind === 'exited' && end.exitCode === 0) return;
      if (run.hasEnded) return;
      await sleep(clock, RETRY);
    }
  }

  #whyNotRunning(): string {
    const { cli, name } = this.#options;
    if (this.#seen === undefined) return `no container "${name}"`;
    const { state, exitCode } = this.#seen;
    const how = state === 'exited' ? `ended with exit code ${exitCode}` : `is ${state}`;
    return `container ${name} ${how}: ${cli.kind.binary} start ${name}, or --restart real`;
  }
}

/** Exit code of an unseen end: it was restarted or removed between two inspections. */
const UNKNOWN_EXIT = 137;

/** Returns the identity of one run of a container: a restart changes it. */
export function lifeOf({ id, startedAt }: Inspected): string {
  return `${id} ${startedAt ?? ''}`;
}

export interface AttachedRunOptions {
  readonly clock: Clock;
  /** Identity of the container's run. */
  readonly life: string;
  readonly startedAt: number;
  /** Stops the container itself; simulated when absent. */
  readonly stop?: ((gracePeriodSeconds: number) => Promise<void>) | undefined;
}

/** A run of a container that kprobe did not make: it ends with the container, or in simulation when the kubelet would end it. */
export class AttachedRun implements Run {
  readonly #options: AttachedRunOptions;
  readonly ended: Promise<RunEnd>;
  readonly startedAt: number;
  readonly life: string;
  #end: (end: RunEnd) => void = () => undefined;
  #hasEnded = false;

  constructor(options: AttachedRunOptions) {
    this.#options = options;
    this.life = options.life;
    this.startedAt = options.startedAt;
    this.ended = new Promise((resolve) => {
      this.#end = (end) => {
        this.#hasEnded = true;
        resolve(end);
      };
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  stop(gracePeriodSeconds: number): void {
    const { clock, stop } = this.#options;
    if (stop === undefined) {
      this.#end({ exitCode: TERMINATED, finishedAt: clock.now(), message: '' });
      return;
    }
    // The next inspection shows how it ended.
    void stop(gracePeriodSeconds);
  }

  /** Leaves the container running, as it was before kprobe. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Ends the run as its container did. */
  endAs({ exitCode, oomKilled, finishedAt, error }: Inspected): void {
    const reason = oomKilled ? { reason: 'OOMKilled' } : {};
    const at = finishedAt ?? this.#options.clock.now();
    this.#end({ exitCode, finishedAt: at, message: error, ...reason });
  }

  /** Ends the run without knowing how its container ended. */
  endUnseen(
    message: string,
    exitCode = UNKNOWN_EXIT,
    finishedAt = this.#options.clock.now(),
  ): void {
    this.#end({ exitCode, finishedAt, message });
  }
}
