import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { decodeText } from '../manifest/decode-text.js';
import type { ManifestSource } from '../manifest/source-file.js';
import type { Io } from './io.js';
import { UsageError } from './usage-error.js';

/** More of a file is not read: no manifest is so large. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The texts of files, of the manifests in folders, and of standard input for `-`. */
export async function readSources(paths: readonly string[], io: Io): Promise<ManifestSource[]> {
  const sources: ManifestSource[] = [];
  for (const path of paths) {
    if (path === '-') sources.push({ file: '<stdin>', text: await readStdin(io) });
    else sources.push(...(await readPath(path)));
  }
  return sources;
}

async function readPath(path: string): Promise<ManifestSource[]> {
  const files = await orUsageError(path, async () => {
    const stats = await stat(path);
    return stats.isDirectory() ? manifestsIn(path) : [path];
  });
  if (files.length === 0) {
    throw new UsageError(`${path}: no .yaml, .yml or .json file in this folder`);
  }
  const sources: ManifestSource[] = [];
  for (const file of files) sources.push({ file, text: await readText(file) });
  return sources;
}

async function readText(file: string): Promise<string> {
  const bytes = await orUsageError(file, () => readFile(file));
  if (bytes.length > MAX_BYTES)
    throw new UsageError(`${file}: is more than 64 MiB, no manifest is`);
  return decodeText(bytes);
}

/** As `kubectl -f FOLDER -R` takes them: by ending, sorted, folders within folders too. */
async function manifestsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    entries.sort(byName).map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return await manifestsIn(path);
      return /\.(?:ya?ml|json)$/.test(entry.name) ? [path] : [];
    }),
  );
  return found.flat();
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1;
}

async function readStdin({ stdin }: Io): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size > MAX_BYTES)
      throw new UsageError('standard input is more than 64 MiB, no manifest is');
    chunks.push(bytes);
  }
  return decodeText(Buffer.concat(chunks));
}

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EISDIR: 'is a folder',
  ENOTDIR: 'no such file or folder',
};

async function orUsageError<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new UsageError(`${path}: ${PROBLEMS[code] ?? (code || String(error))}`, { cause: error });
  }
}
