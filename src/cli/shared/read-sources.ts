import { constants, createReadStream, existsSync, openSync, readFileSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

import { decodeText, type ManifestSource } from '../../manifest/documents/source-file.js';
import { UsageError } from '../../usage-error.js';
import { KUSTOMIZATIONS, orUsageError, shownPath } from './file-errors.js';
import { type Io, write } from './io.js';
import type { ReadOptions } from './read-folder.js';

/** Bytes of a file that are read at most. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The name of standard input in a list of files. */
export const STDIN = '<stdin>';

/** Reads files, the manifests in folders, standard input for `-`, and the object of `--kube`. Throws a UsageError. */
export async function readSources(
  paths: readonly string[],
  io: Io,
  options: ReadOptions = {},
): Promise<readonly ManifestSource[]> {
  const { sources, problems, skipped } = await readManifests(paths, io, options);
  const [problem] = problems;
  if (problem !== undefined) throw new UsageError(problem);
  await write(io.notes, skipped);
  return sources;
}

/** Reads files, folders and standard input; returns errors as texts, and a note about files that are no manifests. */
export async function readManifests(paths: readonly string[], io: Io, options: ReadOptions = {}) {
  const sources: ManifestSource[] = [];
  const problems: string[] = [];
  const skipped: string[] = [];
  const named: string[] = [];
  const read = async (file: string): Promise<ManifestSource[]> => {
    const source = await orProblem(problems, () => readSource(file, io));
    return source === undefined ? [] : [source];
  };
  if (options.kube !== undefined) {
    const { readObject, sourceOf } = await import('./kube-source.js');
    const read = await orProblem(problems, () => readObject(options, io));
    if (read !== undefined) sources.push(sourceOf(read));
  }
  for (const path of paths) {
    if (/^https?:\/\//.test(path)) {
      problems.push(`${shownPath(path)}: kprobe opens no URLs; download it, or pipe it to -`);
      continue;
    }
    const isFolder = await orProblem(problems, () =>
      orUsageError(path, async () => path !== '-' && (await stat(path)).isDirectory()),
    );
    if (isFolder === undefined) continue;
    if (!isFolder) {
      if (options.skipOthers === true && path !== '-') named.push(path);
      else sources.push(...(await read(path)).map(withKustomization));
      continue;
    }
    const { readFolder } = await import('./read-folder.js');
    const found = await orProblem(problems, () => readFolder(path, read, options));
    sources.push(...(found?.sources ?? []));
    if (found?.skipped) skipped.push(`kprobe: skipped ${found.skipped}\n`);
  }
  if (named.length > 0) {
    const { readNamed } = await import('./read-folder.js');
    const found = await readNamed(named, read);
    sources.push(...found.sources);
    if (found.skipped !== '') skipped.push(`kprobe: skipped ${found.skipped}\n`);
  }
  return { sources, problems, skipped: skipped.join('') };
}

async function orProblem<T>(problems: string[], read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    problems.push(error.message);
    return undefined;
  }
}

/** Notes a kustomization beside a file, which may then be incomplete by itself. */
function withKustomization(source: ManifestSource): ManifestSource {
  if (source.file === STDIN) return source;
  const kustomize = dirname(source.file);
  const hasOne = KUSTOMIZATIONS.some((name) => existsSync(join(kustomize, name)));
  return hasOne ? { ...source, kustomize } : source;
}

/** Reads one file, or standard input for `-`; throws a UsageError. */
export async function readSource(file: string, io: Io): Promise<ManifestSource> {
  // Lets a signal be handled between two files.
  await setImmediate(undefined, { signal: io.signal });
  const { command } = io;
  if (file === '-') {
    return { file: STDIN, text: await readText('standard input', file, io), command };
  }
  const text = await orUsageError(
    file,
    async () => readWhole(file) ?? (await readText(shownPath(file), file, io)),
  );
  return { file, text, command };
}

/** Reads a plain file of a usual size synchronously, which is faster for hundreds of files. */
function readWhole(file: string): string | undefined {
  const stats = statSync(file);
  return stats.isFile() && stats.size <= MAX_BYTES ? decodeText(readFileSync(file)) : undefined;
}

/** Reads at most MAX_BYTES, even of a pipe or a device that never ends. */
async function readText(name: string, path: string, io: Io): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of await openInput(path, io)) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size > MAX_BYTES) throw new UsageError(`${name}: is larger than 64 MiB`);
    chunks.push(bytes);
  }
  return decodeText(Buffer.concat(chunks));
}

/**
 * Content of a file, or of standard input for `-`. Reading it rejects with an AbortError when the process is
 * to end: a pipe may stay open forever. Throws the system's error for the file.
 */
export async function openInput(path: string, { stdin, signal, notes }: Io): Promise<Readable> {
  const input = addAbortSignal(signal, path === '-' ? stdin : await openFile(path));
  const from = path === '-' ? 'standard input' : `a writer of ${shownPath(path)}, a named pipe`;
  const noteWaiting = (): void => {
    if (!input.closed && !input.readableDidRead) notes.write(`kprobe: waiting for ${from}\n`);
  };
  if (path === '-' || isPipe(path)) setTimeout(noteWaiting, NOTE_DELAY).unref();
  return input;
}

/** Milliseconds until a note says that kprobe waits. */
const NOTE_DELAY = 1000;

/** Reports whether a path is a named pipe, which only one reader can read; false for a path that cannot be looked up. */
export function isPipe(path: string): boolean {
  try {
    return statSync(path).isFIFO();
  } catch {
    return false;
  }
}

async function openFile(path: string): Promise<Readable> {
  const stats = statSync(path);
  if (stats.isFile()) return createReadStream(path);
  // A pipe without a writer, or a terminal, would block a thread, and so the end of the process.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  if (!stats.isFIFO()) return createReadStream('', { fd });
  const { Socket } = await import('node:net');
  return new Socket({ fd, readable: true, writable: false });
}

/** The first characters of every trace. */
export const TRACE_BEGIN = '{"t":0,"kind":"trace"';

/** Throws a UsageError that names the right command for a trace, a scenario or a compose file. */
export async function refuseOtherFiles(sources: readonly ManifestSource[]): Promise<void> {
  const trace = sources.find(({ text }) => text.startsWith(TRACE_BEGIN));
  const refuse = ({ file }: ManifestSource, text: string): never => {
    throw new UsageError(`${shownPath(file)}: is ${text}`);
  };
  if (trace) refuse(trace, 'a trace, not a manifest: kprobe replay shows it');
  const { looksLikeScenario } = await import('../../sim/load-scenarios.js');
  const scenario = sources.find(looksLikeScenario);
  if (scenario) refuse(scenario, 'a scenario, not a manifest: kprobe simulate runs it');
  const compose = sources.find(({ text }) => /^services:/m.test(text) && !/^kind:/m.test(text));
  if (compose === undefined) return;
  const command = `kprobe import ${shownPath(compose.file)}`;
  refuse(compose, `a compose file, not a manifest: ${command} writes probes from it`);
}
