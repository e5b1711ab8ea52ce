import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';

import { type Clock, sleep } from '../clock/clock.js';

/** Sends signals; Node's `process` can serve as one. */
export interface Signaller {
  /** Sends a signal like process.kill: a negative id is a process group; throws when there is no such process. */
  readonly kill: (pid: number, signal: NodeJS.Signals | number) => unknown;
}

/** Sends a signal to a process that may have ended already. */
export function signal(signaller: Signaller, pid: number, sent: NodeJS.Signals | number): void {
  try {
    signaller.kill(pid, sent);
  } catch {
    // The process has ended, or belongs to another user.
  }
}

/** Returns the number of one of Kubernetes' signals; container runtimes have real-time signals from 34 to 64. */
export function signalNumber(name: string): number {
  const [, base, offset = 0] = /^SIGRT(MIN|MAX)([+-]\d+)?$/.exec(name) ?? [];
  if (base !== undefined) return (base === 'MIN' ? 34 : 64) + Number(offset);
  return constants.signals[name.replace('SIGCLD', 'SIGCHLD') as NodeJS.Signals];
}

/** Returns the exit code that a runtime reports: the process's own, or 128 plus the number of its signal. */
export function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  if (signal === null) return code ?? 0;
  return 128 + constants.signals[signal];
}

/** Number of searches for leftovers: processes may start others while they are being killed. */
const ROUNDS = 20;
/** Milliseconds by which the wait grows each round, 2 s in all: a killed process ends only when it gets the CPU. */
const ROUND_STEP = 10;

/** A process that kprobe started, in a session of its own, with its descendants. */
export interface Started {
  readonly pid: number;
  /** The variable in the environment of all of them: `NAME=value`. */
  readonly mark: string;
  /** True for a process that was started just now: its descendants have higher process ids, unless the ids have wrapped around. */
  readonly isRecent?: boolean;
}

/**
 * Kills the processes that a process has left behind, as the end of PID 1 does in a container: its process group, and,
 * where there is a /proc, its session and all processes with its mark. A process that has left group and session and
 * overwritten its environment (a daemon that sets its title) is not found. The group ends at once, the others soon.
 */
export async function endLeftovers(
  clock: Clock,
  signaller: Signaller,
  started: Started,
): Promise<void> {
  signal(signaller, -started.pid, 'SIGKILL');
  const killed = new Set<number>();
  for (let round = 0; round < ROUNDS; round++) {
    const left = await findLeftovers(started);
    // A process that is about to end has no environment any more: nothing shows its mark.
    if (left.length === 0 && ![...killed].map(statOf).some(isRunning)) return;
    for (const pid of left) {
      signal(signaller, pid, 'SIGKILL');
      killed.add(pid);
    }
    await sleep(clock, round * ROUND_STEP);
  }
}

async function findLeftovers(started: Started): Promise<readonly number[]> {
  const names = await readdir('/proc').catch(() => []);
  const first = started.isRecent === true && newestPid() >= started.pid ? started.pid : 0;
  const pids = names.map(Number).filter((pid) => pid >= first);
  return pids.filter((pid) => belongs(pid, started));
}

/** Returns the id of the process that was started last (the last field of /proc/loadavg), or 0 where it is not known. */
function newestPid(): number {
  const load = readOr(() => readFileSync('/proc/loadavg', 'latin1'), '');
  return Number(load.trim().split(' ').at(-1));
}

/** Reads what the kernel shows, such as a file of /proc; returns the other value where this user may not, or nothing is there. */
export function readOr<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

export function belongs(pid: number, { pid: leader, mark }: Started): boolean {
  const stat = statOf(pid);
  if (!isRunning(stat)) return false;
  if (Number(stat[3]) === leader) return true;
  // The process may have ended meanwhile, or belong to another user.
  const environ = readOr(() => readFileSync(`/proc/${pid}/environ`, 'latin1'), '');
  return environ.split('\0').includes(mark);
}

function isRunning([state = 'X']: readonly string[]): boolean {
  return state !== 'Z' && state !== 'X';
}

/** Returns the fields of a process, or none once it is gone. */
export function statOf(pid: number): readonly string[] {
  return readOr(() => statFields(readFileSync(`/proc/${pid}/stat`, 'latin1')), []);
}

/** Returns the fields of /proc/ID/stat after `pid (name)`, where the name may hold anything: state, parent, group, session … */
export function statFields(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Ticks per second: Linux shows 100 on every machine. */
export const TICKS = 100;

/** Returns a process's start in ticks since boot. */
export function startTicks(fields: readonly string[]): number {
  return Number(fields[19] ?? 0);
}

/** Returns the seconds of CPU that a process has used, with those of its ended children. */
export function cpuTime(fields: readonly string[]): number {
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
}

/** Bytes kept of each stream of a command's output, by default. */
const MAX_OUTPUT = 16 * 1024;

/** The first bytes of a stream; the rest is read and dropped. */
export class FirstBytes {
  readonly #chunks: Buffer[] = [];
  #room: number;

  constructor(stream?: Readable, max = MAX_OUTPUT) {
    this.#room = max;
    stream?.on('data', (chunk: Buffer) => this.push(chunk));
  }

  push(chunk: Buffer): void {
    if (this.#room > 0) this.#chunks.push(chunk.subarray(0, this.#room));
    this.#room -= chunk.length;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}
