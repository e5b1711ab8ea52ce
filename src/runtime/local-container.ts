import { omitUndefined, type Time } from '../api/index.js';
import { type Clock, withTimeout } from '../clock/clock.js';
import {
  type ContainerConfig,
  type ExecResult,
  type Inspection,
  KILLED,
  type RuntimeContainerStatus,
  RuntimeError,
} from '../kubelet/ports.js';
import { statusOf } from '../kubelet/runtime-pods.js';
import type { Exit } from '../kubelet/traced-runtime.js';
import {
  type ContainerContext,
  type Run,
  type RunCommand,
  type RunExit,
  START_ERROR,
} from './backing.js';

export interface LocalContainerOptions {
  readonly id: string;
  readonly config: ContainerConfig;
  readonly clock: Clock;
  /** Starts a run of the container; rejects with a RuntimeError when that fails. */
  readonly launch: () => Promise<Run>;
  readonly context: () => Promise<ContainerContext>;
  readonly exec: RunCommand | undefined;
  /** True if others start and stop the container, and kprobe leaves it as it is. */
  readonly isExternal?: boolean;
  readonly onExit: (id: string, exit: Exit) => void;
}

/** A container on this machine: created, started once, ended. */
export class LocalContainer {
  readonly #commands = new Set<Promise<unknown>>();
  readonly #stopping = new AbortController();
  #starting: Promise<void> | undefined;
  #run: Run | undefined;
  #ended: Promise<void> | undefined;
  #startedAt: number | undefined;
  #end: (RunExit & { readonly reason: string }) | undefined;

  constructor(private readonly options: LocalContainerOptions) {}

  get id(): string {
    return this.options.id;
  }

  get config(): ContainerConfig {
    return this.options.config;
  }

  /** When its run began, where that was before kprobe took it over. */
  get startedAt(): Time | undefined {
    return this.#run?.startedAt;
  }

  get state(): RuntimeContainerStatus['state'] {
    if (this.#end !== undefined) return 'exited';
    return this.#run === undefined ? 'created' : 'running';
  }

  start(): Promise<void> {
    if (this.#starting !== undefined) {
      return Promise.reject(new RuntimeError(`container ${this.id} was already started`));
    }
    this.#starting = this.#start();
    return this.#starting;
  }

  /** Resolves when the container has ended, after a start that is under way. */
  async stop(gracePeriodSeconds: number): Promise<void> {
    await this.#starting?.catch(() => undefined);
    // The container of a run that has ended may run again by now.
    if (this.#end === undefined) this.#run?.stop(gracePeriodSeconds);
    await this.#ended;
  }

  /** Stops everything in the container that would outlive kprobe. */
  async close(gracePeriodSeconds: number): Promise<void> {
    // A start by others may take any time.
    if (this.options.isExternal !== true) await this.#starting?.catch(() => undefined);
    this.#stopping.abort();
    // The watchdog kills a command that does not end by then.
    const commands = Promise.allSettled(this.#commands);
    const commandsEnded = withTimeout(this.options.clock, commands, gracePeriodSeconds * 1000);
    await Promise.all([this.#run?.close(gracePeriodSeconds), commandsEnded]);
  }

  /** Runs a command; it is killed when the container ends, as with PID 1 of a container. */
  async exec(command: readonly string[], timeoutSeconds: number): Promise<ExecResult> {
    const { exec, context } = this.options;
    if (this.state !== 'running') return { kind: 'error', message: 'container not running' };
    if (exec === undefined) {
      return { kind: 'error', message: 'commands are not allowed to run on this machine' };
    }
    const { signal } = this.#stopping;
    const result = context().then(
      (found) => (signal.aborted ? KILLED : exec(command, { ...found, timeoutSeconds, signal })),
      (error: unknown): ExecResult => ({ kind: 'error', message: errorText(error) }),
    );
    this.#commands.add(result);
    const done = (): boolean => this.#commands.delete(result);
    void result.then(done, done);
    const end = await Promise.race([result, this.#ended]);
    return end === undefined || this.#end !== undefined ? KILLED : end;
  }

  inspect(): Inspection {
    return this.state === 'running' ? this.#run?.inspect?.() : undefined;
  }

  status(): RuntimeContainerStatus {
    const { exitCode, reason, message, finishedAt } = this.#end ?? {};
    const end = { exitCode, reason, message, finishedAt };
    const run = { startedAt: this.#startedAt, started: this.#run?.started };
    return statusOf(this, omitUndefined({ ...end, ...run }));
  }

  async #start(): Promise<void> {
    const { clock, launch } = this.options;
    try {
      const run = await launch();
      this.#run = run;
      this.#startedAt = run.startedAt ?? clock.now();
      this.#ended = run.ended.then((end) => this.#onEnded(end));
    } catch (error) {
      this.#end = { ...START_ERROR, finishedAt: clock.now(), message: errorText(error) };
      throw error;
    }
  }

  #onEnded(end: RunExit): void {
    const { finishedAt: _, message: __, ...exit } = end;
    const { exitCode, reason } = exit;
    this.#end = { ...end, reason: reason ?? (exitCode === 0 ? 'Completed' : 'Error') };
    this.options.onExit(this.id, exit);
    this.#stopping.abort();
  }
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
