import { type Clock, goLater, type Timer } from '../clock/clock.js';
import type { ContainerConfig, ExecResult, RuntimeContainerStatus } from '../kubelet/ports.js';
import type { Exit } from '../kubelet/traced-runtime.js';
import { DEFAULT_ANSWER, type ScriptedAnswer, type ScriptedRun } from './scenario.js';

/** A container that follows a script. */
export class ScriptedContainer {
  readonly createdAt: number;
  #state: RuntimeContainerStatus['state'] = 'created';
  #script: ScriptedRun | undefined;
  #startedAt: number | undefined;
  #finishedAt: number | undefined;
  #exitCode = 0;
  #exitTimer: Timer | undefined;
  readonly #ended: Promise<void>;
  #end: () => void = () => undefined;

  constructor(
    readonly id: string,
    readonly config: ContainerConfig,
    private readonly clock: Clock,
    private readonly onExit: (exit: Exit) => void,
  ) {
    this.createdAt = clock.now();
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  get state(): RuntimeContainerStatus['state'] {
    return this.#state;
  }

  start(script: ScriptedRun): void {
    this.#script = script;
    this.#state = 'running';
    this.#startedAt = this.clock.now();
    const { exitAfter, exitCode } = script;
    if (exitAfter === undefined) return;
    this.#exitTimer = goLater(this.clock, () => this.#exit(exitCode), exitAfter);
  }

  /** Resolves when it has ended, at the grace period's end at the latest. */
  async stop(gracePeriodSeconds: number): Promise<void> {
    if (this.#script === undefined || this.#state !== 'running') return;
    const { stopTakes, stopExitCode } = this.#script;
    const limit = gracePeriodSeconds * 1000;
    const killed = stopTakes > limit;
    const timer = goLater(
      this.clock,
      () => this.#exit(killed ? 137 : stopExitCode),
      killed ? limit : stopTakes,
    );
    await this.#ended;
    timer.cancel();
  }

  async exec(line: string, timeoutSeconds: number): Promise<ExecResult> {
    const answer = this.#answer(line);
    const timeout = timeoutSeconds * 1000;
    const timedOut = timeout > 0 && answer.takes > timeout;
    const ended = await this.#endsWithin(timedOut ? timeout : answer.takes);
    if (ended) return { kind: 'exited', exitCode: 137, stdout: NOTHING, stderr: NOTHING };
    if (timedOut) return { kind: 'timedOut' };
    if (answer.error !== undefined) return { kind: 'error', message: answer.error };
    const [stdout, stderr] = [encode(answer.stdout), encode(answer.stderr)];
    return { kind: 'exited', exitCode: answer.exit, stdout, stderr };
  }

  status(): RuntimeContainerStatus {
    const { config, id, createdAt } = this;
    const exited = this.#state === 'exited';
    const reason = this.#exitCode === 0 ? 'Completed' : 'Error';
    return {
      id,
      name: config.container.name,
      state: this.#state,
      sandboxID: config.sandboxID,
      image: config.container.image,
      imageRef: config.imageRef,
      hash: config.hash,
      restartCount: config.restartCount,
      createdAt,
      exitCode: this.#exitCode,
      reason: exited ? reason : '',
      message: '',
      ...(this.#startedAt === undefined ? {} : { startedAt: this.#startedAt }),
      ...(this.#finishedAt === undefined ? {} : { finishedAt: this.#finishedAt }),
    };
  }

  #exit(exitCode: number): void {
    if (this.#state !== 'running') return;
    this.#state = 'exited';
    this.#finishedAt = this.clock.now();
    this.#exitCode = exitCode;
    this.#exitTimer?.cancel();
    this.onExit({ exitCode });
    this.#end();
  }

  #answer(line: string): ScriptedAnswer {
    const age = this.clock.now() - (this.#startedAt ?? 0);
    const answers = this.#script?.exec[line] ?? [];
    const answer = answers.find(({ until }) => until === undefined || age < until);
    return answer ?? answers.at(-1) ?? DEFAULT_ANSWER;
  }

  #endsWithin(delay: number): Promise<boolean> {
    if (this.#state !== 'running') return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = goLater(this.clock, () => resolve(this.#state !== 'running'), delay);
      void this.#ended.then(() => {
        timer.cancel();
        this.clock.go(() => resolve(true));
      });
    });
  }
}

const NOTHING = new Uint8Array();
const encoder = new TextEncoder();

function encode(text: string): Uint8Array {
  return text === '' ? NOTHING : encoder.encode(text);
}
