import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from './free-port.js';
import { kprobe, ROOT } from './kprobe.js';
import { waitForPort } from './wait-for-port.js';

const FOLDER = join(ROOT, 'examples');
/** The ports of the examples. */
const PORT = /\b180\d\d\b/g;

/** What the README of an example holds: its first console session, and the text around that. */
export interface ExampleReadme {
  readonly before: string;
  readonly session: readonly string[];
  readonly after: string;
}

export const exampleNames = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Those that need a container engine say so, and are run by the container tests. */
export function needsEngine(name: string): boolean {
  return readFileSync(readmeFile(name), 'utf8').includes('container engine');
}

export function readExample(name: string): ExampleReadme {
  const text = readFileSync(readmeFile(name), 'utf8');
  const start = text.indexOf('```console\n') + '```console\n'.length;
  const [before, rest] = [text.slice(0, start), text.slice(start)];
  const end = rest.indexOf('\n```');
  return { before, session: rest.slice(0, end).split('\n'), after: rest.slice(end + 1) };
}

/** Puts what an example printed into its README. */
export function writeExample(name: string, printed: readonly string[]): void {
  const { before, after } = readExample(name);
  writeFileSync(readmeFile(name), [before.trimEnd(), ...printed, after].join('\n'));
}

/** A copy of an example whose servers listen at ports that are free, so that tests can run side by side. */
export class StagedExample {
  readonly #background: ChildProcess[] = [];

  private constructor(
    readonly cwd: string,
    readonly ports: ReadonlyMap<string, string>,
  ) {}

  static async create(name: string): Promise<StagedExample> {
    const cwd = mkdtempSync(join(tmpdir(), 'kprobe-example-'));
    const folder = join(cwd, 'examples', name);
    cpSync(FOLDER, join(cwd, 'examples'), { recursive: true });
    const ports = new Map<string, string>();
    for (const file of readdirSync(folder)) {
      const text = readFileSync(join(folder, file), 'utf8');
      for (const [port] of text.matchAll(PORT)) {
        if (!ports.has(port)) ports.set(port, `${await freePort()}`);
      }
      writeFileSync(join(folder, file), withPorts(text, ports));
    }
    return new StagedExample(cwd, ports);
  }

  /** Runs the commands of a session, and gives the session with what they print. */
  async run(session: readonly string[]): Promise<string[]> {
    const printed: string[] = [];
    for (const command of session.filter((line) => line.startsWith('$ '))) {
      printed.push(command, ...(await this.#run(withPorts(command.slice(2), this.ports))));
    }
    return printed;
  }

  /** Ends the servers, and removes the copy. */
  async end(): Promise<void> {
    for (const child of this.#background.splice(0)) {
      child.kill('SIGKILL');
      await once(child, 'close');
    }
    rmSync(this.cwd, { recursive: true });
  }

  async #run(command: string): Promise<string[]> {
    const words = command.split(' ');
    if (words.at(-1) === '&') {
      await this.#startServer(words.slice(1, -1));
      return [];
    }
    if (words[0] !== 'kprobe') {
      execFileSync('sh', ['-c', command], { cwd: this.cwd, stdio: 'ignore' });
      return [];
    }
    const { stdout, stderr } = await kprobe(words.slice(1), { cwd: this.cwd });
    const original = new Map([...this.ports].map(([from, to]) => [to, from]));
    const text = `${stderr}${stdout}`.trimEnd();
    return text.replace(/\b\d{4,5}\b/g, (port) => original.get(port) ?? port).split('\n');
  }

  /** Starts a server of the example, and waits until it listens at the ports that its text names. */
  async #startServer(args: readonly string[]): Promise<void> {
    const { cwd } = this;
    this.#background.push(spawn(process.execPath, args, { cwd, stdio: 'ignore' }));
    const source = readFileSync(join(cwd, args[0] ?? ''), 'utf8');
    for (const [, port] of source.matchAll(/listen\((\d+)/g)) await waitForPort(Number(port));
  }
}

/**
 * What a session tells, for comparison: without times, spans and generated ids, in any order, and once for what happened
 * several times; how often something is seen in a run, and what comes first, hangs on how busy the machine is.
 */
export function gist(session: readonly string[]): string[] {
  const lines = session.filter((line) => !isOfBusyMachine(line));
  return [...new Set(lines.map(timeless))].sort();
}

/** The gists of what was printed and of what a page says: without causes where they weigh that the machine was busy. */
export function gists(printed: readonly string[], session: readonly string[]): string[][] {
  const wasBusy = printed.some((line) => isCause(line) && BUSY.test(line));
  return [printed, session].map((lines) =>
    gist(wasBusy ? lines.filter((line) => !isCause(line)) : lines),
  );
}

/** What a cause says of a busy machine; a process that waits for a core is busy too. */
const BUSY = /kprobe itself was|the process is busy/;

function isCause(line: string): boolean {
  return /^ *\d+\.\d{3}s .* Cause /.test(line);
}

/** Reports whether a line is there on a busy machine alone: how long a simulation still takes, or that kprobe was behind. */
export function isOfBusyMachine(line: string): boolean {
  return /^kprobe: \d+ of .* left$| kprobe was .* behind: the machine was busy/.test(line);
}

function timeless(line: string): string {
  return (
    line
      .replace(/^ *\d+\.\d{3}s/, '<time>')
      .replace(/(?:\d+(?:\.\d+)? – )?\d+(?:\.\d+)? (?:ms|s)\b/g, '<span>')
      .replace(/\d+ answered, (\d+) lost.*/, '<n> answered, $1 lost')
      .replace(/\d+ attempts, \d+ succeeded/g, '<n> attempts, <n> succeeded')
      // Whether the threshold is reached is one more or less of them.
      .replace(/\((\d+) of (\d+)(?: → [^,)]*)?/g, '(<n> of $2')
      .replace(/\([0-9a-f]{8}-[0-9a-f-]{27}\)/g, '(<uid>)')
      .trimEnd()
  );
}

function readmeFile(name: string): string {
  return join(FOLDER, name, 'README.md');
}

function withPorts(text: string, ports: ReadonlyMap<string, string>): string {
  return text.replace(PORT, (port) => ports.get(port) ?? port);
}
