import { setMaxListeners } from 'node:events';
import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';

import { type Clock, sleep, untilAborted, withTimeout } from '../../clock/clock.js';
import { type ExecResult, HELD_UP, MIN_LATENESS } from '../../kubelet/ports.js';
import { signal, startTicks, statFields, TICKS } from '../../process/processes.js';
import { newMark } from '../../process/watchdog.js';
import type { Host } from '../host.js';
import { processIDs } from '../process-facts.js';
import { type Engine, execStartFailure } from './engine.js';
import { foreignProcess } from './engine-place.js';

/** Milliseconds to wait for a killed command, and between two searches. */
const END_LIMIT = 3000;
const POLL_PERIOD = 50;
/** Milliseconds in which the first process of a container reaps others. */
const REAP_LIMIT = 500;
/** Milliseconds for an engine to answer. */
const ANSWER_LIMIT = 2000;
/** Milliseconds after its timeout in which a command may still begin, or its end be reported. */
const START_LIMIT = 10_000;

type FirstEnd = 'done' | 'timeout' | 'aborted';

interface Exec {
  readonly id: string;
  readonly name: string;
  readonly command: readonly string[];
  /** Seconds that it may take; 0 is no limit. */
  readonly timeoutSeconds: number;
  /** Aborted when the container has ended. */
  readonly signal?: AbortSignal;
  /** Takes the note about processes that a timed-out command left. */
  readonly onLeftovers: (note: string) => void;
}

interface EngineExecsOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly host: Host;
}

/** Runs commands in containers; what they start ends with them, also when kprobe ends first. */
export class EngineExecs {
  readonly #mark = newMark('KPROBE_MARK_EXEC');
  #next = 0;
  /** Containers whose zombies were reported. */
  readonly #withZombies = new Set<string>();
  readonly #endings = new Set<Promise<void>>();
  readonly #stopping = new AbortController();

  constructor(private readonly options: EngineExecsOptions) {
    // Each command under way listens to this signal.
    setMaxListeners(0, this.#stopping.signal);
  }

  /** Resolves with how the command ended, at the timeout at the latest; processes that it leaves are killed after that. */
  async run(exec: Exec): Promise<ExecResult> {
    const { id, command, timeoutSeconds, signal } = exec;
    const { engine, clock } = this.options;
    const begin = clock.now();
    const mark = `${this.#mark}${this.#next++}`;
    const kill = new AbortController();
    if (command.length === 0) return execStartFailure(mark, 'no command');
    const running = engine.exec(id, command, mark, kill.signal);
    let lateBy = 0;
    const wait = async (seconds: number): Promise<FirstEnd> => {
      const due = seconds === 0 ? Infinity : clock.now() + seconds * 1000;
      const end = await this.#firstEnd(running, signal, seconds);
      lateBy = Math.max(lateBy, clock.now() - due);
      return end;
    };
    const first = await wait(timeoutSeconds);
    const outcome = first === 'timeout' ? await this.#untilDue(exec, mark, wait) : first;
    const elapsed = clock.now() - begin;
    if (outcome === 'done' && lateBy < MIN_LATENESS) return { ...(await running), elapsed };
    const ending = this.#end(exec, mark, running, kill);
    this.#endings.add(ending);
    void ending.then(() => this.#endings.delete(ending));
    if (outcome === 'aborted') {
      return { kind: 'error', message: 'the container or kprobe has stopped' };
    }
    // While an engine hangs, nothing is known of the command: it may not have taken too long.
    const failure = await engine.ping(ANSWER_LIMIT);
    if (failure !== undefined) return { kind: 'error', message: failure.message };
    // The engine answered too late, and answers now.
    if (outcome === 'unanswered') {
      return { kind: 'error', message: `${engine.kind.name} did not answer in time` };
    }
    if (lateBy >= MIN_LATENESS) return { kind: 'error', message: HELD_UP };
    if (outcome === 'timeout') return { kind: 'timedOut', elapsed };
    const seconds = (elapsed / 1000).toFixed(1);
    return {
      kind: 'error',
      message: `${engine.kind.name} did not run the command to its end in ${seconds} s, and it is not running`,
    };
  }

  /** Waits until the command itself has run for its time: an engine starts it later than its CLI. */
  async #untilDue(
    { id, timeoutSeconds }: Exec,
    mark: string,
    wait: (seconds: number) => Promise<FirstEnd>,
  ): Promise<FirstEnd | 'notRunning' | 'unanswered'> {
    const { clock } = this.options;
    const giveUpAt = clock.now() + START_LIMIT;
    let isVisible: boolean | undefined;
    for (;;) {
      const age = await markedAge(mark);
      const left = age === undefined ? POLL_PERIOD : timeoutSeconds * 1000 - age;
      if (left <= 0) return 'timeout';
      isVisible ??= age !== undefined || (await this.#seesProcesses(id));
      if (isVisible === undefined) return 'unanswered';
      if (!isVisible) return 'timeout';
      const end = await wait(left / 1000);
      if (end !== 'timeout') return end;
      if (age === undefined && clock.now() >= giveUpAt) return 'notRunning';
    }
  }

  /** Returns true where the processes of a container can be seen from here, undefined while the engine does not answer. */
  async #seesProcesses(id: string): Promise<boolean | undefined> {
    const inspecting = this.options.engine.inspect([id]).catch(() => undefined);
    const waited = await withTimeout(this.options.clock, inspecting, ANSWER_LIMIT);
    const all = waited === 'timeout' ? undefined : await inspecting;
    if (all === undefined) return undefined;
    const [seen] = all;
    if (seen === undefined || foreignProcess(seen) !== undefined) return false;
    return access(`/proc/${seen.pid}/environ`, constants.R_OK).then(
      () => true,
      () => false,
    );
  }

  /** Ends what is under way; resolves when nothing of it is left. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await sleep(this.options.clock, 0);
    await Promise.all(this.#endings);
  }

  #firstEnd(
    running: Promise<unknown>,
    ended: AbortSignal | undefined,
    timeoutSeconds: number,
  ): Promise<FirstEnd> {
    const done =
      timeoutSeconds === 0
        ? running.then(() => 'done' as const)
        : withTimeout(this.options.clock, running, timeoutSeconds * 1000);
    const first = ended === undefined ? done : untilAborted(ended, done, 'aborted' as const);
    return untilAborted(this.#stopping.signal, first, 'aborted' as const);
  }

  /** Kills the command again and again until the engine reports its end: it may have started only just now. */
  async #end(
    { id, name, onLeftovers }: Exec,
    mark: string,
    running: Promise<unknown>,
    kill: AbortController,
  ): Promise<void> {
    const { clock } = this.options;
    const due = clock.now() + END_LIMIT;
    const left: string[] = [];
    do {
      left.push(...(await this.#endLeftovers(id, mark, due - clock.now())));
    } while ((await withTimeout(clock, running, POLL_PERIOD)) === 'timeout' && clock.now() < due);
    kill.abort();
    if (left.length > 0) await this.#noteZombies(id, name, onLeftovers);
    // The first is the command itself.
    if (left.length < 2) return;
    const others = left.slice(1).join(', ');
    onLeftovers(
      `a timed-out command left processes in ${name}, now killed (the kubelet would leave them): ${others}`,
    );
  }

  /** Reports, once for each container, that its first process does not reap killed processes. */
  async #noteZombies(id: string, name: string, onNote: Exec['onLeftovers']): Promise<void> {
    if (this.#withZombies.has(id)) return;
    const [seen] = await this.options.engine.inspect([id]).catch(() => []);
    if (seen === undefined || foreignProcess(seen) !== undefined) return;
    await sleep(this.options.clock, REAP_LIMIT);
    const count = await countZombies(seen.pid);
    // Another command of the container may have reported them by now.
    if (count === 0 || this.#withZombies.has(id)) return;
    this.#withZombies.add(id);
    onNote(
      `killed processes stay as zombies in ${name} (${count} now): its first process does not reap them; an init does (docker run --init, tini), and so does shareProcessNamespace: true in the pod`,
    );
  }

  /** Kills the processes of a command in its container. Resolves with their command lines, its own first if it still ran. */
  async #endLeftovers(id: string, mark: string, limit: number): Promise<readonly string[]> {
    const killed = await endFromHost(this.options.host, mark);
    return killed.length > 0 ? killed : this.#endFromWithin(id, mark, limit);
  }

  /** Kills them by a command in the container, where this machine's /proc does not show them; this needs a shell there. */
  async #endFromWithin(id: string, mark: string, limit: number): Promise<readonly string[]> {
    const command = ['sh', '-c', SCRIPT, 'kprobe-cleanup', mark];
    const kill = new AbortController();
    const running = this.options.engine.exec(id, command, 'KPROBE_CLEANUP=1', kill.signal);
    await withTimeout(this.options.clock, running, limit);
    kill.abort();
    const end = await running;
    if (end.kind !== 'exited' || end.exitCode !== 0) return [];
    const lines = new TextDecoder().decode(end.stdout).split('\n');
    return lines.map((line) => line.trim()).filter((line) => line !== '');
  }
}

/** Rounds of the search: processes may start others while they are being killed. */
const ROUNDS = 5;

/** Prints and kills the processes with the mark `$1`, in the container's own shell. */
const SCRIPT = `for f in /proc/[0-9]*/environ; do
  grep -qF -e "$1" "$f" 2>/dev/null || continue
  p=\${f#/proc/}; p=\${p%/environ}
  tr '\\000' ' ' <"/proc/$p/cmdline" 2>/dev/null && echo
  kill -9 "$p" 2>/dev/null
done; true`;

/** Kills the processes with a mark, where the containers' processes are seen in this machine's /proc. */
async function endFromHost(host: Host, mark: string): Promise<readonly string[]> {
  const ended: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const found = await findMarked(mark);
    if (found.length === 0) break;
    for (const { pid, command } of found) {
      signal(host, pid, 'SIGKILL');
      ended.push(command);
    }
  }
  // A process that is just ending has no command any more.
  return [...new Set(ended)].filter((command) => command !== '');
}

/** Returns the number of ended processes that their parent has not reaped. */
async function countZombies(parent: number): Promise<number> {
  const stats = await Promise.all(
    processIDs().map((pid) => readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')),
  );
  return stats.map(statFields).filter(([state, ppid]) => state === 'Z' && Number(ppid) === parent)
    .length;
}

/** Returns the milliseconds that a marked command has run, or undefined while no process of it is seen on this machine. */
async function markedAge(mark: string): Promise<number | undefined> {
  const [first] = await findMarked(mark);
  if (first === undefined) return undefined;
  try {
    const paths = ['/proc/uptime', `/proc/${first.pid}/stat`];
    const [uptime = '', stat = ''] = await Promise.all(
      paths.map((path) => readFile(path, 'latin1')),
    );
    return (Number(uptime.split(' ')[0]) - startTicks(statFields(stat)) / TICKS) * 1000;
  } catch {
    return undefined;
  }
}

async function findMarked(mark: string) {
  const marked = await Promise.all(processIDs().map((pid) => readMarked(pid, mark)));
  return marked.filter((each) => each !== undefined).sort((a, b) => a.pid - b.pid);
}

async function readMarked(pid: number, mark: string) {
  try {
    const environ = await readFile(`/proc/${pid}/environ`, 'latin1');
    // The CLI that waits for the command has the mark among its arguments, not in its environment.
    if (!environ.split('\0').includes(mark)) return undefined;
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    return { pid, command: command.replaceAll('\0', ' ').trim() };
  } catch {
    // Gone by now, or another user's.
    return undefined;
  }
}
