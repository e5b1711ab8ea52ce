import { omitUndefined, ownField } from '../api/index.js';
import { type Clock, goLater, type Random, type Timer } from '../clock/clock.js';
import {
  type ContainerConfig,
  type ExecResult,
  KILLED,
  type RuntimeContainerStatus,
} from '../kubelet/ports.js';
import { statusOf } from '../kubelet/runtime-pods.js';
import type { Exit } from '../kubelet/traced-runtime.js';
import { type Behavior, draw, type Reply, replyOf, RunDraws } from './behavior.js';
import { execEndpoint } from './endpoint.js';
import { type Faults, isDown, NO_FAULTS, slowness, workBetween } from './faults.js';
import {
  DEFAULT_ANSWER,
  EXEC_TAKES,
  NETWORK_TAKES,
  type NetworkAnswer,
  type NetworkResponse,
  type ScriptedAnswer,
  type ScriptedRun,
} from './scenario.js';

export type RequestEnd =
  | { readonly kind: 'answered'; readonly response: NetworkResponse }
  | { readonly kind: 'timedOut' }
  /** The container ended before the answer. */
  | { readonly kind: 'cutOff' };

export class ScriptedContainer {
  state: RuntimeContainerStatus['state'] = 'created';
  #script: ScriptedRun | undefined;
  #startedAt: number | undefined;
  /** Number of answers of each script whose time has passed. */
  readonly #passed = new Map<readonly unknown[], number>();
  #finishedAt: number | undefined;
  #exitCode = 0;
  #exitTimer: Timer | undefined;
  readonly #draws: RunDraws;
  /** Functions that cut off the pending requests when the container ends. */
  readonly #waiting: (() => void)[] = [];
  readonly #ended: Promise<void>;
  #end: () => void = () => undefined;

  constructor(
    readonly id: string,
    readonly config: ContainerConfig,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly onExit: (exit: Exit) => void,
    private readonly faults: () => Faults = () => NO_FAULTS,
  ) {
    this.#draws = new RunDraws(random);
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Behavior of this run toward clients' requests, with the amounts that it has drawn. */
  get requests(): Behavior {
    const behavior = this.#script?.requests ?? {};
    if (behavior.closedUntil === undefined) return behavior;
    const closedUntil = this.#draws.of(behavior.closedUntil);
    return { ...behavior, closedUntil: { from: closedUntil, to: closedUntil } };
  }

  start(script: ScriptedRun): void {
    this.#script = script;
    this.state = 'running';
    this.#startedAt = this.clock.now();
    this.#passed.clear();
    const { exitAfter, exitVaries = 0, exitCode } = script;
    if (exitAfter === undefined) return;
    const range = { from: Math.max(0, exitAfter - exitVaries), to: exitAfter + exitVaries };
    const age = draw(range, this.random);
    this.#exitTimer = goLater(this.clock, () => this.#exit(exitCode), age);
  }

  /** Resolves when it has ended, at the grace period's end at the latest. */
  async stop(gracePeriodSeconds: number): Promise<void> {
    if (this.#script === undefined || this.state !== 'running') return;
    const { stopTakes, stopExitCode } = this.#script;
    const limit = gracePeriodSeconds * 1000;
    const exitCode = stopTakes > limit ? 137 : stopExitCode;
    const timer = goLater(this.clock, () => this.#exit(exitCode), Math.min(stopTakes, limit));
    await this.#ended;
    timer.cancel();
  }

  /** Runs a command; it never resolves when `canceled` aborts before it ends. */
  exec(line: string, timeoutSeconds: number, canceled?: AbortSignal): Promise<ExecResult> {
    const answer = this.#answer(line);
    const timeout = timeoutSeconds * 1000;
    const [takes, result] =
      timeout > 0 && answer.takes > timeout
        ? [timeout, TIMED_OUT]
        : [answer.takes, execResult(answer)];
    return this.#endsWithin(takes, result, KILLED, canceled);
  }

  /** Sends a request over the network; a timeout of 0 means none. */
  request(endpoint: string, timeoutSeconds: number): Promise<RequestEnd> {
    if (this.state !== 'running') {
      return Promise.resolve({ kind: 'answered', response: { kind: 'closed' } });
    }
    const { takes, response } = this.#networkAnswer(endpoint);
    const timeout = timeoutSeconds * 1000;
    if (timeout > 0 && takes > timeout) {
      return this.#endsWithin<RequestEnd>(timeout, { kind: 'timedOut' }, CUT_OFF);
    }
    return this.#endsWithin<RequestEnd>(takes, { kind: 'answered', response }, CUT_OFF);
  }

  status(): RuntimeContainerStatus {
    const [startedAt, finishedAt, exitCode] = [this.#startedAt, this.#finishedAt, this.#exitCode];
    const ended = exitCode === 0 ? 'Completed' : 'Error';
    const reason = this.state === 'exited' ? ended : '';
    return statusOf(this, omitUndefined({ exitCode, reason, startedAt, finishedAt }));
  }

  #exit(exitCode: number): void {
    if (this.state !== 'running') return;
    this.state = 'exited';
    this.#finishedAt = this.clock.now();
    this.#exitCode = exitCode;
    this.#exitTimer?.cancel();
    this.onExit({ exitCode });
    for (const onEnd of this.#waiting.splice(0)) onEnd();
    this.#end();
  }

  #answer(line: string): ScriptedAnswer {
    const endpoint = execEndpoint(line);
    const scripted = this.#current(this.#script && ownField(this.#script.exec, line));
    const down = this.#isDown(endpoint);
    if (scripted !== undefined) {
      const takes = scripted.takes * this.#slowness();
      return { ...scripted, takes, ...(down && { exit: 1 }) };
    }
    const { kind, takes } = this.#reply(endpoint, EXEC_TAKES);
    return { ...DEFAULT_ANSWER, takes, exit: kind === 'ok' && !down ? 0 : 1 };
  }

  #networkAnswer(endpoint: string): NetworkAnswer {
    const scripted = this.#current(this.#script?.network?.[endpoint]);
    const { takes, response } =
      scripted === undefined
        ? this.#unscripted(endpoint)
        : { ...scripted, takes: scripted.takes * this.#slowness() };
    const down = response.kind !== 'closed' && this.#isDown(endpoint);
    return { takes, response: down ? { kind: 'notReady' } : response };
  }

  #unscripted(endpoint: string): NetworkAnswer {
    const reply = this.#reply(endpoint, NETWORK_TAKES);
    return { takes: reply.takes, response: reply };
  }

  #reply(endpoint: string, defaultLatency: number): Reply {
    const behavior = this.#script?.behaviors?.[endpoint] ?? {};
    const now = this.clock.now();
    const work = workBetween(this.faults(), this.#startedAt ?? 0, now);
    const progress = { age: this.#age(), work, slowness: this.#slowness() };
    return replyOf(behavior, progress, defaultLatency, this.#draws, this.random);
  }

  #isDown(endpoint: string): boolean {
    return isDown(this.faults(), this.config.container, endpoint, this.clock.now());
  }

  #slowness(): number {
    return slowness(this.faults(), this.clock.now());
  }

  /** Returns the answer for the container's age; the last one also applies after its time. */
  #current<T extends { readonly until?: number }>(answers?: readonly T[]): T | undefined {
    if (answers === undefined) return undefined;
    const age = this.#age();
    const passed = this.#passed.get(answers) ?? 0;
    let at = passed;
    for (let until = answers[at]?.until; until !== undefined && until <= age;) {
      until = answers[++at]?.until;
    }
    if (at > passed) this.#passed.set(answers, at);
    return answers[at] ?? answers.at(-1);
  }

  #age(): number {
    return this.clock.now() - (this.#startedAt ?? 0);
  }

  /** Resolves with the answer after the delay, or with `ended` when the container has ended by then. */
  #endsWithin<T>(delay: number, answer: T, ended: T, canceled?: AbortSignal): Promise<T> {
    if (this.state !== 'running') return Promise.resolve(ended);
    return new Promise((resolve) => {
      const onEnd = (): void => {
        timer.cancel();
        this.clock.go(() => resolve(ended));
      };
      const forget = (): void => {
        const place = this.#waiting.indexOf(onEnd);
        if (place !== -1) this.#waiting.splice(place, 1);
        canceled?.removeEventListener('abort', cancel);
      };
      const cancel = (): void => {
        timer.cancel();
        forget();
      };
      const onTime = (): void => {
        forget();
        resolve(this.state === 'running' ? answer : ended);
      };
      const timer = goLater(this.clock, onTime, delay);
      this.#waiting.push(onEnd);
      canceled?.addEventListener('abort', cancel);
    });
  }
}

function execResult({ error, exit, stdout, stderr }: ScriptedAnswer): ExecResult {
  if (error !== undefined) return { kind: 'error', message: error };
  return { kind: 'exited', exitCode: exit, stdout: bytesOf(stdout), stderr: bytesOf(stderr) };
}

const NOTHING = new Uint8Array();
const TIMED_OUT: ExecResult = { kind: 'timedOut' };
const CUT_OFF: RequestEnd = { kind: 'cutOff' };
const encoder = new TextEncoder();

function bytesOf(text: string): Uint8Array {
  return text === '' ? NOTHING : encoder.encode(text);
}
