import { type ChildProcess, spawn } from 'node:child_process';

import { type Clock, orTimeout } from '../clock/clock.js';

/** A watchdog that dies on us is replaced, but not for ever. */
const MAX_STARTS = 5;
/** Milliseconds that its last round may take. */
const CLOSE_LIMIT = 2000;

/**
 * Ends the processes of a runtime that could not do so itself: a shell with a script of ours, in a session of its own,
 * whose input ends when kprobe does, however that comes about. It starts with the first process.
 */
export class Watchdog {
  readonly #clock: Clock;
  readonly #markPrefix: string;
  readonly #groups = new Set<number>();
  #child: ChildProcess | undefined;
  #starts = 0;
  #closed = false;

  /** `markPrefix`: what a process of ours has in its environment, whether its group is known or not. */
  constructor(clock: Clock, markPrefix: string) {
    this.#clock = clock;
    this.#markPrefix = markPrefix;
  }

  /** Comes before the start of any process: from then on, none is missed. */
  start(): void {
    if (this.#child !== undefined || this.#closed || this.#starts === MAX_STARTS) return;
    this.#starts++;
    const child = spawnShell(this.#markPrefix);
    if (child?.pid === undefined) return;
    this.#child = child;
    child.stdin?.on('error', () => undefined);
    child.once('exit', () => this.#onExit());
    child.unref();
    for (const group of this.#groups) this.#tell(`+${group}`);
  }

  add(group: number): void {
    this.#groups.add(group);
    this.#tell(`+${group}`);
  }

  remove(group: number): void {
    this.#groups.delete(group);
    this.#tell(`-${group}`);
  }

  /** Has it end what is left of ours, and itself. */
  async close(): Promise<void> {
    this.#closed = true;
    const child = this.#child;
    if (child === undefined) return;
    child.ref();
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.stdin?.end();
    await orTimeout(this.#clock, exited, CLOSE_LIMIT);
  }

  /** A pipe takes this much at once: it is known when this returns. */
  #tell(line: string): void {
    this.#child?.stdin?.write(`${line}\n`);
  }

  #onExit(): void {
    this.#child = undefined;
    if (this.#groups.size > 0) this.start();
  }
}

/** Without a shell there is no watchdog; all else goes on. */
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
 * `$1` is the mark that all processes of ours carry. Input: `+ID` for each process group that has started, `-ID` for
 * each that is gone; at its end, what is left is killed. `grep -z` is not to be had everywhere, nor is /proc.
 */
export const WATCHDOG_SCRIPT = `# kprobe: ends the processes that it started, should it die before them
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
[ -r /proc/self/environ ] || exit 0
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
