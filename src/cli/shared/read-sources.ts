import {
  constants,
  createReadStream,
  type Dirent,
  openSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

import { UsageError } from '../../app/usage-error.js';
import { decodeText, type ManifestSource } from '../../manifest/documents/source-file.js';
import { orUsageError, shownPath } from './file-errors.js';
import type { Io } from './io.js';

/** More of a file is not read: no manifest is so large. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The message of a command that has read no object. */
export const NOTHING = 'kprobe: no objects in the input\n';

/** The name of standard input among the files. */
export const STDIN = '<stdin>';

/** The texts of files, of the manifests in folders, and of standard input for `-`. */
export async function readSources(paths: readonly string[], io: Io): Promise<ManifestSource[]> {
  const sources: ManifestSource[] = [];
  for (const path of paths) {
    for (const file of await listSources(path)) sources.push(await readSource(file, io));
  }
  return sources;
}

/**
 * The files that an argument stands for: itself, or the manifests in the folder that it names.
 *
 * @throws UsageError when there is no such file, or no manifest in the folder
 */
export async function listSources(path: string): Promise<readonly string[]> {
  if (path === '-') return [path];
  const files = await orUsageError(path, async () => {
    const stats = await stat(path);
    return stats.isDirectory() ? manifestsIn(path) : [path];
  });
  if (files.length === 0) {
    throw new UsageError(`${shownPath(path)}: no .yaml, .yml or .json file in this folder`);
  }
  return files;
}

/**
 * The text of a file that is listed; `-` is standard input.
 *
 * @throws UsageError when it cannot be read
 */
export async function readSource(file: string, io: Io): Promise<ManifestSource> {
  // Between two files a signal is heard.
  await setImmediate(undefined, { signal: io.signal });
  if (file === '-') return { file: STDIN, text: await readText('standard input', file, io) };
  const text = await orUsageError(
    file,
    async () => readWhole(file) ?? (await readText(shownPath(file), file, io)),
  );
  return { file, text };
}

/** The text of a plain file of a usual size, at once: hundreds of them are read one after the other. */
function readWhole(file: string): string | undefined {
  const stats = statSync(file);
  return stats.isFile() && stats.size <= MAX_BYTES ? decodeText(readFileSync(file)) : undefined;
}

/** Reads no further than a manifest can be long, also of a pipe or a device that never ends. */
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

/** As `kubectl -f FOLDER -R` takes them: by ending, sorted, folders within folders too. */
async function manifestsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    entries.sort(byName).map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return await manifestsIn(path);
      // A pipe in a folder would be waited for without end.
      const isFile = entry.isFile() || entry.isSymbolicLink();
      return isFile && /\.(?:ya?ml|json)$/.test(entry.name) ? [path] : [];
    }),
  );
  return found.flat();
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1;
}

/**
 * Content of a file, or of standard input for `-`. Reading it rejects with an AbortError when the process is
 * to end: who writes into a pipe may take for ever. Throws what the system says against the file.
 */
export async function openInput(path: string, { stdin, signal }: Io): Promise<Readable> {
  return addAbortSignal(signal, path === '-' ? stdin : await openFile(path));
}

async function openFile(path: string): Promise<Readable> {
  if (!statSync(path).isFIFO()) return createReadStream(path);
  // To open a pipe that nobody writes into yet would hold a thread, and with it the end of the process.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const { Socket } = await import('node:net');
  return new Socket({ fd, readable: true, writable: false });
}

/** The first characters of every trace. */
export const TRACE_BEGIN = '{"t":0,"kind":"trace"';

/**
 * Explains why a manifest could not be loaded when the file is something else.
 *
 * @throws UsageError when one of the files is a scenario or a trace
 */
export async function refuseScenarios(sources: readonly ManifestSource[]): Promise<void> {
  const trace = sources.find(({ text }) => text.startsWith(TRACE_BEGIN));
  if (trace !== undefined) {
    throw new UsageError(
      `${shownPath(trace.file)}: is a trace, not a manifest: kprobe replay shows it`,
    );
  }
  const { looksLikeScenario } = await import('../../sim/load-scenarios.js');
  const scenario = sources.find(looksLikeScenario);
  if (scenario === undefined) return;
  throw new UsageError(
    `${shownPath(scenario.file)}: is a scenario, not a manifest: kprobe simulate runs it`,
  );
}
