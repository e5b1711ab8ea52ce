import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { describe, expect, it } from 'vitest';

import { main } from '../../../src/cli/program.js';
import type { Io } from '../../../src/cli/shared/io.js';
import { openInput, readSources } from '../../../src/cli/shared/read-sources.js';

const sink = (): Writable => new Writable({ write: (_, __, done) => done() });

function ioWith(stdin: Readable, signal: AbortSignal): Io {
  const host = { env: {}, cwd: process.cwd(), kill: () => undefined };
  const worker = () => new URL(import.meta.url);
  const main = (): Promise<number> => Promise.resolve(0);
  const sinks = { stdout: sink(), stderr: sink(), notes: sink() };
  return { stdin, ...sinks, env: {}, cwd: host.cwd, host, worker, main, signal };
}

/** A standard input without data; reading it aborts the process as a signal does. */
function silentInput(): Io {
  const ending = new AbortController();
  const stdin = new Readable({ read: () => void setImmediate(() => ending.abort(143)) });
  return ioWith(stdin, ending.signal);
}

const mkfifo = (): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'kprobe-fifo-')), 'fifo');
  execFileSync('mkfifo', [path]);
  return path;
};

describe('a command that waits for standard input', () => {
  it.each([
    ['run'],
    ['once'],
    ['simulate'],
    ['validate'],
    ['lint'],
    ['explain'],
    ['import'],
    ['replay'],
    ['suggest'],
  ])('ends with the exit code of the signal: kprobe %s -', async (command) => {
    expect(await main([command, '-'], silentInput())).toBe(143);
  });
});

describe('a run whose manifest never comes', () => {
  const run = async (...words: readonly string[]): Promise<[number, string]> => {
    let stderr = '';
    const write = (chunk: Buffer, _: string, done: () => void): void => {
      stderr += chunk.toString();
      done();
    };
    const silent = new Readable({ read: () => undefined });
    const io = ioWith(silent, new AbortController().signal);
    const shown = { ...io, stderr: new Writable({ write }) };
    return [await main(words, shown), stderr];
  };

  it.each([
    ['run', '--for', 3],
    ['run', '--timeout', 124],
    ['once', '--timeout', 124],
  ])('ends with the limit of kprobe %s %s: exit code %i', async (command, option, code) => {
    const error = 'kprobe: the manifest could not be read within 50 ms\n';
    expect(await run(command, mkfifo(), option, '50ms')).toEqual([code, error]);
    expect(await run(command, '-', option, '50ms')).toEqual([code, error]);
  });
});

describe('a named pipe', () => {
  it('without a writer is given up when the process ends', async () => {
    const ending = new AbortController();
    const input = await openInput(mkfifo(), ioWith(Readable.from([]), ending.signal));
    const read = text(input);
    ending.abort(143);
    await expect(read).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  });

  it('is read to its end', async () => {
    const path = mkfifo();
    const input = await openInput(path, ioWith(Readable.from([]), new AbortController().signal));
    const [read] = await Promise.all([text(input), writeFile(path, 'kind: Pod\n')]);
    expect(read).toBe('kind: Pod\n');
  });
});

it('a name with a NUL is an error that shows it', async () => {
  const io = ioWith(Readable.from([]), new AbortController().signal);
  await expect(readSources(['a\0b.yaml'], io)).rejects.toThrow(
    'a\\x00b.yaml: no file can have this name',
  );
});

it('a URL is an error that says what to do', async () => {
  const io = ioWith(Readable.from([]), new AbortController().signal);
  await expect(readSources(['https://example.com/a\0.yaml'], io)).rejects.toThrow(
    'https://example.com/a\\x00.yaml: kprobe opens no URLs; download it, or pipe it to -',
  );
});
