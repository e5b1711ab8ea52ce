import { type Clock, sleep } from '../../../clock/clock.js';
import { type ExecResult, RuntimeError } from '../../../kubelet/ports.js';
import {
  type AttachedRun,
  attachedRun,
  type EngineStandIn,
  type LocalExecOptions,
  type Run,
} from '../../stand-in.js';
import type { EngineCli } from '../engine-cli.js';
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
  /** Takes the note about processes that a timed-out command left. */
  readonly onLeftovers: (note: string) => void;
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
  readonly #ids = new Map<string, number>();

  constructor(options: AttachedContainerOptions) {
    this.#options = options;
    this.name = options.name;
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
    const isSame = seen !== undefined && lifeOf(seen) === run.life;
    if (!run.hasEnded && !isSame) this.#endUnseen(run, seen);
    else if (!run.hasEnded && isSame && !isAlive(seen)) this.#endAs(run, seen);
    // A start of our own is no news.
    return !this.#isLaunching && run.hasEnded && seen !== undefined && isAlive(seen) && !isSame;
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
      await cli.run(['start', this.#seen?.id ?? name]);
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
    this.#run = run;
    // It may have ended right after its start.
    if (!isAlive(seen)) this.#endAs(run, seen);
    return run;
  }

  readonly exec = (
    command: readonly string[],
    { timeoutSeconds, signal }: LocalExecOptions,
  ): Promise<ExecResult> => {
    const { execs, name, onLeftovers } = this.#options;
    const id = this.#seen?.id ?? name;
    return execs.run({ id, name, command, timeoutSeconds, signal, onLeftovers });
  };

  /** Ends a run as its container did. */
  #endAs(run: AttachedRun, { exitCode, oomKilled, finishedAt, error }: Inspected): void {
    const reason = oomKilled ? { reason: 'OOMKilled' } : {};
    const at = finishedAt ?? this.#options.clock.now();
    run.end({ exitCode, finishedAt: at, message: error, ...reason });
  }

  /** Ends a run whose end was not seen, with what an event reported. */
  #endUnseen(run: AttachedRun & { readonly life: string }, seen: Inspected | undefined): void {
    const died =
      this.#died !== undefined && run.life.startsWith(this.#died.id) ? this.#died : undefined;
    const change = seen === undefined ? 'removed' : 'restarted';
    const isSame = seen !== undefined && run.life.startsWith(seen.id);
    run.end({
      exitCode: died?.exitCode ?? UNKNOWN_EXIT,
      finishedAt: (isSame ? seen.finishedAt : undefined) ?? this.#options.clock.now(),
      message: died === undefined ? `the container was ${change}` : '',
    });
  }

  async #stop(run: AttachedRun, gracePeriodSeconds: number): Promise<void> {
    const { cli, clock, name, refresh } = this.#options;
    const grace = Math.max(0, Math.ceil(gracePeriodSeconds));
    for (;;) {
      const id = this.#seen?.id ?? name;
      const end = await cli.call(['stop', '-t', String(grace), id], { limit: 0 });
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
function lifeOf({ id, startedAt }: Inspected): string {
  return `${id} ${startedAt ?? ''}`;
}
