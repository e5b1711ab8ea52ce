import { readdir, readFile } from 'node:fs/promises';

import { orTimeout } from '../../clock/clock.js';
import { signal, statFields } from '../../process/processes.js';
import type { Host } from '../host.js';
import type { Engine } from './engine.js';

/** Rounds of the search: processes may start others while they are being killed. */
const ROUNDS = 5;
/** Milliseconds for a search from within the container. */
const SEARCH_LIMIT = 5000;

/** Prints and kills the processes with the mark `$1`, in the container's own shell. */
const SCRIPT = `for f in /proc/[0-9]*/environ; do
  grep -qF -e "$1" "$f" 2>/dev/null || continue
  p=\${f#/proc/}; p=\${p%/environ}
  tr '\\000' ' ' <"/proc/$p/cmdline" 2>/dev/null && echo
  kill -9 "$p" 2>/dev/null
done; true`;

/** Kills what a command left in its container; returns the commands: itself first, if it still ran. */
export async function endExecLeftovers(
  engine: Engine,
  id: string,
  mark: string,
): Promise<readonly string[]> {
  const here = await endFromHost(engine.cli.host, mark);
  return here.length > 0 ? here : endFromWithin(engine, id, mark);
}

/** On a machine that shares its /proc with the containers. */
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

/** Returns the milliseconds that a marked command has run, or undefined while no process of it is seen on this machine. */
export async function markedAge(mark: string): Promise<number | undefined> {
  const [first] = await findMarked(mark);
  if (first === undefined) return undefined;
  try {
    const paths = ['/proc/uptime', `/proc/${first.pid}/stat`];
    const [uptime = '', stat = ''] = await Promise.all(
      paths.map((path) => readFile(path, 'latin1')),
    );
    return (Number(uptime.split(' ')[0]) - Number(statFields(stat)[19]) / TICKS) * 1000;
  } catch {
    return undefined;
  }
}

/** Ticks a second, which Linux shows as 100 everywhere. */
const TICKS = 100;

interface Marked {
  readonly pid: number;
  readonly command: string;
}

async function findMarked(mark: string): Promise<readonly Marked[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name));
  const marked = await Promise.all(pids.map((pid) => readMarked(pid, mark)));
  return marked.filter((each) => each !== undefined).sort((a, b) => a.pid - b.pid);
}

async function readMarked(pid: string, mark: string): Promise<Marked | undefined> {
  try {
    const environ = await readFile(`/proc/${pid}/environ`, 'latin1');
    if (!environ.split('\0').includes(mark)) return undefined;
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    // The CLI that waits for the command has no mark in its environment, only among its arguments.
    return { pid: Number(pid), command: command.replaceAll('\0', ' ').trim() };
  } catch {
    // Gone by now, or another user's.
    return undefined;
  }
}

/** Searches a container elsewhere, or of another user; without a shell in the image nothing is found. */
async function endFromWithin(engine: Engine, id: string, mark: string): Promise<readonly string[]> {
  const command = ['sh', '-c', SCRIPT, 'kprobe-cleanup', mark];
  const kill = new AbortController();
  const running = engine.exec(id, command, 'KPROBE_CLEANUP=1', kill.signal);
  await orTimeout(engine.cli.clock, running, SEARCH_LIMIT);
  kill.abort();
  const end = await running;
  if (end.kind !== 'exited' || end.exitCode !== 0) return [];
  const lines = new TextDecoder().decode(end.stdout).split('\n');
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}
