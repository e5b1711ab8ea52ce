import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';

import { type Clock, withTimeout } from '../clock/clock.js';

/** Number of times that the watchdog's process is started when it dies. */
const MAX_STARTS = 5;
/** Milliseconds that its last round may take. */
const CLOSE_LIMIT = 2000;

/**
 * Kills the processes of a runtime that died before it could: a shell script in a session of its own,
 * whose input ends when kprobe ends. It starts with the first process.
 */
export class Watchdog {
  readonly #groups = new Set<number>();
  #child: ChildProcess | undefined;
  #starts = 0;
  #closed = false;

  /** `markPrefix`: the beginning of the mark of processes that it kills also outside the known groups; empty for none. */
  constructor(
    private readonly clock: Clock,
    private readonly markPrefix = '',
  ) {}

  /** Starts it unless it runs. Call this before a process starts: it misses none then. */
  start(): void {
    if (this.#child !== undefined || this.#closed || this.#starts === MAX_STARTS) return;
    this.#starts++;
    const child = spawnShell(this.markPrefix);
    if (child?.pid === undefined) return;
    this.#child = child;
    child.stdin?.on('error', () => undefined);
    child.once('exit', () => this.#onExit());
    child.unref();
    for (const group of this.#groups) this.#send(`+${group}`);
  }

  add(group: number): void {
    this.#groups.add(group);
    this.#send(`+${group}`);
  }

  remove(group: number): void {
    this.#groups.delete(group);
    this.#send(`-${group}`);
  }

  /** Ends it, after it has killed what is left. */
  async close(): Promise<void> {
    this.#closed = true;
    const child = this.#child;
    if (child === undefined) return;
    child.ref();
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.stdin?.end();
    await withTimeout(this.clock, exited, CLOSE_LIMIT);
  }

  /** Writes a line, which is so short that the pipe takes it at once. */
  #send(line: string): void {
    this.#child?.stdin?.write(`${line}\n`);
  }

  #onExit(): void {
    this.#child = undefined;
    if (this.#groups.size > 0) this.start();
  }
}

/** Returns undefined without a shell: kprobe works without a watchdog. */
function spawnShell(markPrefix: string): ChildProcess | undefined {
  try {
    const child = spawn('/bin/sh', ['-c', WATCHDOG_SCRIPT, 'kprobe-watchdog', markPrefix], {
      cwd: '/',
      detached: true,
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    return child.on('error', () => undefined);
  } catch {
    return undefined;
  }
}

/**
 * `$1` is the mark of all our processes, or empty. Input: `+ID` for each process group that has started, `-ID` for
 * each that is gone; at its end, what is left is killed. Neither `grep -z` nor /proc exists everywhere.
 */
const WATCHDOG_SCRIPT = `# kprobe: ends the processes that it started, should it die before them
trap '' HUP INT QUIT TERM
groups=' '
while read -r line; do
  id=\${line#?}
  case $line in
    +*) groups="$groups$id " ;;
    -*) case $groups in
          *" $id "*) groups="\${groups%%" $id "*} \${groups#*" $id "}" ;;
        esac ;;
  esac
done
for id in $groups; do kill -s KILL -- "-$id"; done
[ -n "$1" ] && [ -r /proc/self/environ ] || exit 0
rounds=20
while [ $rounds -gt 0 ]; do
  files=$(grep -lzF -e "$1" /proc/[0-9]*/environ)
  [ -n "$files" ] || files=$(grep -lF -e "$1" /proc/[0-9]*/environ)
  [ -n "$files" ] || break
  for file in $files; do
    id=\${file#/proc/}
    kill -s KILL -- "\${id%/environ}"
  done
  rounds=$((rounds - 1))
done
`;

/**
 * Returns the beginning of the marks of one runtime, to which ids are added. A mark is a variable in the environment of
 * all that a container or a command starts: a process that leaves its process group and its session still carries it.
 */
export function newMark(variable: 'KPROBE_MARK_CONTAINER' | 'KPROBE_MARK_EXEC'): string {
  return `${variable}=${randomUUID()}/`;
}

export function markVariable(mark: string): Readonly<Record<string, string>> {
  const [name = '', ...value] = mark.split('=');
  return { [name]: value.join('=') };
}
