import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

import { type Clock, type Timer, withTimeout } from '../clock/clock.js';
import { errnoText, isOwnLimit } from '../go/io-error.js';
import { type Inspection, RuntimeError } from '../kubelet/ports.js';
import { isRunnable, lookPath } from '../process/look-path.js';
import {
  endLeftovers,
  exitCodeOf,
  signal,
  signalNumber,
  type Started,
} from '../process/processes.js';
import type { Watchdog } from '../process/watchdog.js';
import type { Argv, ContainerContext, Run, RunExit } from './backing.js';
import type { Host } from './host.js';
import {
  cgroupFile,
  commandOf,
  daemonsOf,
  type Executable,
  executableOf,
  factsOf,
  oomKills,
  processTree,
} from './process-facts.js';
import { type OnLine, ProcessOutput } from './process-output.js';

/** Milliseconds to wait for the last output once all writers are gone. */
const DRAIN_LIMIT = 500;

type Child = ChildProcessByStdio<null, Readable, Readable>;

interface ProcessRunOptions {
  readonly clock: Clock;
  readonly host: Host;
  readonly watchdog: Watchdog;
  readonly argv: Argv;
  readonly context: ContainerContext;
  /** The mark of its processes, which the context's environment has. */
  readonly mark: string;
  /** Use the end of the output as termination message of a failed run. */
  readonly fallbackToLogsOnError: boolean;
  readonly stopSignal: string | undefined;
  readonly onLine: OnLine;
}

/** Starts a process in a session of its own, or rejects with a container runtime's error. */
export async function startProcess(options: ProcessRunOptions): Promise<Run> {
  const { argv, context, watchdog } = options;
  const [name, ...args] = argv;
  const file = findExecutable(name, context);
  watchdog.start();
  let child: Child;
  try {
    child = spawn(file, args, {
      ...context,
      argv0: name,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    throw startError(name, error);
  }
  // No await from here to the run's first listener: events would be missed.
  if (child.pid !== undefined) return processRun(child, child.pid, file, options);
  const [error] = (await once(child, 'error')) as [unknown];
  throw startError(name, error);
}

/** Returns the file of a command, found in its container's directory and PATH; throws runc's text. */
function findExecutable(name: string, { env, cwd }: ContainerContext): string {
  const found = lookPath(name, env['PATH'], cwd);
  if (!found.ok) {
    const isOfNpm = lookPath(`./node_modules/.bin/${name}`, undefined, cwd).ok;
    const hint = isOfNpm ? ' (npm alone adds node_modules/.bin, which has it)' : '';
    throw new RuntimeError(`${found.error}${hint}`);
  }
  const { file, shown } = found.value;
  // The C library would hand a file that the kernel rejects to a shell; a container runtime does not.
  if (!isRunnable(file)) throw new RuntimeError(`exec ${shown}: exec format error`);
  return file;
}

/** Returns the run of a process that acts as the PID 1 of a container. */
function processRun(child: Child, pid: number, file: string, options: ProcessRunOptions): Run {
  const { clock, host, watchdog, mark, fallbackToLogsOnError, stopSignal = 'SIGTERM' } = options;
  const output = new ProcessOutput(clock, child, options.onLine);
  const closed = new Promise((resolve) => child.once('close', resolve));
  const timers: Timer[] = [];
  let isStopping = false;
  let isGone = false;
  // A program that goes to the background at once may have ended already.
  const executable = executableOf(pid, file);
  const memoryFile = cgroupFile(pid, 'memory');
  const killsBefore = oomKills(memoryFile);
  const onExit = async (code: number | null, name: NodeJS.Signals | null): Promise<RunExit> => {
    isGone = true;
    const finishedAt = clock.now();
    const exitCode = exitCodeOf(code, name);
    const isDaemonized = exitCode === 0 && !isStopping;
    const left = isDaemonized ? leftBehind({ pid, mark }, executable) : [];
    const isOutOfMemory = exitCode === 137 && oomKills(memoryFile) > killsBefore;
    const processEnd = {
      ...(name !== null && { signal: name }),
      ...(isOutOfMemory && { oomKilled: true as const }),
      ...(left.length > 0 && { left }),
    };
    for (const timer of timers) timer.cancel();
    output.drain();
    await endLeftovers(clock, host, { pid, mark });
    const daemons = isDaemonized ? daemonsOf(executable) : [];
    watchdog.remove(pid);
    await withTimeout(clock, closed, DRAIN_LIMIT);
    output.end();
    const message = fallbackToLogsOnError && exitCode !== 0 ? output.tail() : '';
    return { exitCode, finishedAt, message, ...processEnd, ...(daemons.length > 0 && { daemons }) };
  };
  const kill = (): void => {
    if (!isGone) signal(host, -pid, 'SIGKILL');
  };
  const stop = (gracePeriodSeconds: number): void => {
    if (isGone) return;
    if (gracePeriodSeconds <= 0) return kill();
    if (!isStopping) signal(host, pid, signalNumber(stopSignal));
    isStopping = true;
    timers.push(clock.setTimeout(kill, gracePeriodSeconds * 1000));
  };
  watchdog.add(pid);
  child.on('error', () => undefined);
  const ended = new Promise<RunExit>((resolve) => {
    child.once('exit', (code, name) => resolve(onExit(code, name)));
  });
  const inspect = (): Inspection => factsOf({ pid, mark }, oomKills(memoryFile) - killsBefore);
  return { ended, inspect, stop, close: (grace) => (stop(grace), ended) };
}

/** Returns the command lines of processes that outlive the one that started them. */
function leftBehind(started: Started, executable: Executable): readonly string[] {
  const tree = processTree(started).filter((pid) => pid !== started.pid);
  const pids = [...tree, ...daemonsOf(executable)];
  return [...new Set(pids.map(commandOf))].filter((command) => command !== '');
}

/** Returns runc's error for an existing executable that could not start; ENOENT means that its interpreter is missing. */
function startError(name: string, error: unknown): unknown {
  const problem = error as NodeJS.ErrnoException;
  if (isOwnLimit(problem)) return error;
  return new RuntimeError(`exec ${name}: ${errnoText(problem)}`);
}
