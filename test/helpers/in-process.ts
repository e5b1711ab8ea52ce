import { tmpdir } from 'node:os';
import { Readable, Writable } from 'node:stream';

import { main } from '../../src/cli/program.js';
import type { Io } from '../../src/cli/shared/io.js';
import { ROOT } from './kprobe.js';

class Sink extends Writable {
  readonly #chunks: Buffer[] = [];

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }
}

export interface InProcessOptions {
  readonly input?: string | Iterable<string>;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly signal?: AbortSignal;
}

export interface InProcessEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function* chunksOf(input: string | Iterable<string>): Iterable<Buffer> {
  for (const chunk of typeof input === 'string' ? [input] : input)
    if (chunk !== '') yield Buffer.from(chunk);
}

/** How many command lines run now. */
let running = 0;

/**
 * Runs a command line in this process, in a folder that those which run at once share; a bug of kprobe, which would end it with 70, rejects.
 * No configuration is read unless the folder is given.
 */
export async function inProcess(
  argv: readonly string[],
  { input = '', env = {}, cwd, signal = new AbortController().signal }: InProcessOptions = {},
): Promise<InProcessEnd> {
  const [stdout, stderr] = [new Sink(), new Sink()];
  const folder = cwd ?? tmpdir();
  const io: Io = {
    stdin: Readable.from(chunksOf(input)),
    stdout,
    stderr,
    notes: stderr,
    env: { ...(cwd === undefined && { KPROBE_NO_CONFIG: 'true' }), ...env },
    cwd: folder,
    host: {
      env: { PATH: process.env['PATH'], ...env },
      cwd: folder,
      kill: (pid, name) => process.kill(pid, name),
    },
    worker: (name) => new URL(`../../dist/cli/${name}.js`, import.meta.url),
    main,
    signal,
  };
  process.chdir(folder);
  running++;
  try {
    const code = await main(argv, io);
    return { code, stdout: stdout.text, stderr: stderr.text };
  } finally {
    running--;
    // Folders of tests go.
    if (running === 0) process.chdir(ROOT);
  }
}
