import { constants } from 'node:fs';
import { access } from 'node:fs/promises';

import { orTimeout, sleep } from '../../clock/clock.js';
import type { ExecResult, FailureReason, RuntimeError } from '../../kubelet/ports.js';
import { Mark } from '../mark.js';
import type { EngineCli } from './engine-cli.js';
import { type CallEnd, engineError, isUnreachable } from './engine-error.js';
import { foreignProcess } from './engine-place.js';
import { engineTrouble, inspectContainers } from './engine-queries.js';
import { endExecLeftovers, markedAge } from './exec-leftovers.js';

/** Milliseconds to wait for a killed command, and between two searches. */
const END_LIMIT = 3000;
const POLL_PERIOD = 50;
/** Milliseconds for an engine to answer. */
const ANSWER_LIMIT = 2000;
/** Milliseconds after its timeout in which a command may still begin, or its end be reported. */
const START_LIMIT = 10_000;

type FirstEnd = 'done' | 'timeout' | 'aborted';

export interface Exec {
  /** The container. */
  readonly id: string;
  /** Its name in notes. */
  readonly name: string;
  readonly command: readonly string[];
  /** 0 is none. */
  readonly timeoutSeconds: number;
  /** Aborted when the container has ended. */
  readonly signal?: AbortSignal;
  /** Takes the note about processes that a timed-out command left. */
  readonly onLeftovers: (note: string) => void;
}

/** Runs commands in containers; what they start ends with them, also when kprobe ends first. */
export class EngineExecs {
  readonly #cli: EngineCli;
  readonly #mark = new Mark('KPROBE_EXEC');
  #next = 0;
  readonly #endings = new Set<Promise<void>>();
  readonly #over = new AbortController();

  constructor(cli: EngineCli) {
    this.#cli = cli;
  }

  /** Resolves with how the command ended, at the timeout at the latest; what it leaves is ended after that. */
  async run(exec: Exec): Promise<ExecResult> {
    const { timeoutSeconds, signal } = exec;
    const cli = this.#cli;
    const { clock } = cli;
    const begin = clock.now();
    const mark = this.#mark.of(String(this.#next++));
    const kill = new AbortController();
    const running = execInContainer(cli, exec, mark, kill.signal);
    const over =
      signal === undefined ? this.#over.signal : AbortSignal.any([signal, this.#over.signal]);
    const wait = (seconds: number): Promise<FirstEnd> => this.#firstEnd(running, over, seconds);
    const first = await wait(timeoutSeconds);
    const how = first === 'timeout' ? await this.#untilDue(exec, mark, wait) : first;
    if (how === 'done') return { ...(await running), elapsed: clock.now() - begin };
    const elapsed = clock.now() - begin;
    const ending = this.#end(exec, mark, running, kill);
    this.#endings.add(ending);
    void ending.then(() => this.#endings.delete(ending));
    if (how === 'aborted') {
      return { kind: 'error', message: 'the container or kprobe has stopped' };
    }
    // An engine that hangs says nothing of the command: it is not the command that took too long.
    const trouble = await engineTrouble(cli, ANSWER_LIMIT);
    if (trouble !== undefined) return { kind: 'error', message: trouble.message };
    if (how === 'timeout') return { kind: 'timedOut', elapsed };
    const seconds = (elapsed / 1000).toFixed(1);
    return {
      kind: 'error',
      message: `${cli.kind.name} did not run the command to its end in ${seconds} s, and it is not running`,
    };
  }

  /** Waits until the command itself has run for its time: an engine starts it later than its CLI. */
  async #untilDue(
    { id, timeoutSeconds }: Exec,
    mark: string,
    wait: (seconds: number) => Promise<FirstEnd>,
  ): Promise<FirstEnd | 'notRunning'> {
    const { clock } = this.#cli;
    const giveUp = clock.now() + START_LIMIT;
    let isVisible: boolean | undefined;
    for (;;) {
      const age = await markedAge(mark);
      const left = age === undefined ? POLL_PERIOD : timeoutSeconds * 1000 - age;
      if (left <= 0) return 'timeout';
      isVisible ??= age !== undefined || (await this.#seesProcesses(id));
      if (!isVisible) return 'timeout';
      const how = await wait(left / 1000);
      if (how !== 'timeout') return how;
      if (age === undefined && clock.now() >= giveUp) return 'notRunning';
    }
  }

  /** Returns true where the processes of a container can be seen from here. */
  async #seesProcesses(id: string): Promise<boolean> {
    const inspecting = inspectContainers(this.#cli, [id]).catch(() => []);
    if ((await orTimeout(this.#cli.clock, inspecting, ANSWER_LIMIT)) === 'timeout') return false;
    const [seen] = await inspecting;
    if (seen === undefined || foreignProcess(seen) !== undefined) return false;
    return access(`/proc/${seen.pid}/environ`, constants.R_OK).then(
      () => true,
      () => false,
    );
  }

  /** Ends what is under way; resolves when nothing of it is left. */
  async close(): Promise<void> {
    this.#over.abort();
    await sleep(this.#cli.clock, 0);
    await Promise.all(this.#endings);
  }

  async #firstEnd(
    running: Promise<unknown>,
    over: AbortSignal,
    timeoutSeconds: number,
  ): Promise<FirstEnd> {
    const heard = new AbortController();
    const aborted = new Promise<'aborted'>((resolve) => {
      const options = { once: true, signal: heard.signal };
      over.addEventListener('abort', () => resolve('aborted'), options);
      if (over.aborted) resolve('aborted');
    });
    const done =
      timeoutSeconds === 0
        ? running.then(() => 'done' as const)
        : orTimeout(this.#cli.clock, running, timeoutSeconds * 1000);
    const first = await Promise.race([done, aborted]);
    heard.abort();
    return first;
  }

  /** Repeats until the CLI has seen the command end: the engine may only just have started it. */
  async #end(
    { id, name, onLeftovers }: Exec,
    mark: string,
    running: Promise<unknown>,
    kill: AbortController,
  ): Promise<void> {
    const { clock } = this.#cli;
    const due = clock.now() + END_LIMIT;
    const left: string[] = [];
    do {
      left.push(...(await endExecLeftovers(this.#cli, id, mark)));
    } while ((await orTimeout(clock, running, POLL_PERIOD)) === 'timeout' && clock.now() < due);
    kill.abort();
    // The first is the command itself.
    if (left.length < 2) return;
    const what = left.slice(1).join(', ');
    onLeftovers(
      `a timed-out command left processes in ${name}, now killed (the kubelet would leave them): ${what}`,
    );
  }
}

type Exited = Extract<CallEnd, { kind: 'exited' }>;

/**
 * Runs a command in a container to its end as ExecSync does: its arguments as they are, its output cut. `mark` is
 * `NAME=value`, in the command's environment; `signal` ends the CLI, not the command.
 */
async function execInContainer(
  cli: EngineCli,
  { id, command }: Exec,
  mark: string,
  signal: AbortSignal,
): Promise<ExecResult> {
  if (command.length === 0) return { kind: 'error', message: startError(mark, 'no command') };
  const end = await cli.call(['exec', '--env', mark, id, ...command], { limit: 0, signal });
  switch (end.kind) {
    case 'timedOut':
      return { kind: 'timedOut' };
    case 'notStarted':
      return { kind: 'error', message: engineError(cli.kind, end).message };
    case 'exited':
      return exited(cli, id, mark, end);
  }
}

async function exited(cli: EngineCli, id: string, mark: string, end: Exited): Promise<ExecResult> {
  const { exitCode, stdout, stderr } = end;
  if (exitCode === 0) return { kind: 'exited', exitCode, stdout, stderr };
  const why = startErrorIn(cli, end);
  if (why !== undefined) {
    return { kind: 'error', message: startError(mark, why), reason: reasonIn(why) };
  }
  const trouble = await troubleIn(cli, id, end);
  if (trouble !== undefined) return { kind: 'error', message: trouble.message };
  return { kind: 'exited', exitCode, stdout, stderr };
}

/** Reads the texts of runc and crun. */
function reasonIn(why: string): FailureReason | undefined {
  if (/executable file .*not found|no such file or directory/i.test(why)) return 'notFound';
  return /permission denied/i.test(why) ? 'notPermitted' : undefined;
}

/** Returns why the command could not start. A command that prints the same with that exit code is mistaken for it. */
function startErrorIn(
  { kind }: EngineCli,
  { exitCode, stdout, stderr }: Exited,
): string | undefined {
  if (!kind.execStartCodes.includes(exitCode)) return undefined;
  const said = new TextDecoder().decode(Buffer.concat([stdout, stderr]));
  return kind.execStartError.exec(said)?.[1];
}

/**
 * Returns the engine's failure, or undefined when the command failed. A command could print the same text: the engine is
 * asked, unless the text names our container. A CLI that loses its engine ends with 255 and prints nothing; a command
 * whose engine goes, with 137.
 */
async function troubleIn(
  cli: EngineCli,
  id: string,
  end: Exited,
): Promise<RuntimeError | undefined> {
  const said = new TextDecoder().decode(end.stderr);
  const quiet = end.stdout.length === 0;
  const daemon = quiet && /^(?:Error response from daemon: |Error: )/.test(said);
  if (daemon && said.includes(id)) return engineError(cli.kind, end);
  const isCut = end.exitCode === 137 || (end.exitCode === 255 && quiet && said === '');
  if (!isCut && !daemon && !isUnreachable(cli.kind, end)) return undefined;
  return engineTrouble(cli);
}

/** As containerd says it. */
function startError(mark: string, why: string): string {
  const id = mark.slice(mark.indexOf('=') + 1);
  return `rpc error: code = Unknown desc = failed to exec in container: failed to start exec ${JSON.stringify(id)}: ${why}`;
}
