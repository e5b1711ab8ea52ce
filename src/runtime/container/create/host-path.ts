import { lstatSync, mkdirSync, realpathSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Volume } from '../../../api/index.js';
import { errnoText } from '../../../go/errno.js';

type HostPath = NonNullable<Volume['hostPath']>;

/** Each type of a hostPath volume, without `OrCreate`, in the kubelet's words. */
const TYPES: Readonly<Record<string, readonly [name: string, is: (stats: Stats) => boolean]>> = {
  Directory: ['a directory', (stats) => stats.isDirectory()],
  File: ['a file', (stats) => stats.isFile()],
  Socket: ['a socket file', (stats) => stats.isSocket()],
  CharDevice: ['a character device', (stats) => stats.isCharacterDevice()],
  BlockDevice: ['a block device', (stats) => stats.isBlockDevice()],
};

/**
 * Returns why a volume is not of its type, or undefined; `creates` makes what an `OrCreate` type asks for.
 * Ports checkTypeInternal (pkg/volume/hostpath/host_path.go).
 */
export function setUpHostPath({ path, type = '' }: HostPath, creates: boolean): string | undefined {
  if (type === '') return undefined;
  const [name, is] = TYPES[type.replace(/OrCreate$/, '')] ?? [];
  if (is === undefined) return `${type} is an invalid volume type`;
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined || !type.endsWith('OrCreate')) {
      const isOfType = found !== undefined && is(found);
      return isOfType ? undefined : `hostPath type check failed: ${path} is not ${name}`;
    }
    if (creates && type === 'DirectoryOrCreate') mkdirSync(path, { recursive: true, mode: 0o755 });
    else if (creates) writeFileSync(path, '', { flag: 'a', mode: 0o644 });
    return undefined;
  } catch (error) {
    return pathErrorText(error);
  }
}

/**
 * Resolves a subPath of a hostPath volume, and creates the folders that are missing. Returns undefined where a link
 * leads out of the volume. Ports SafeMakeDir and PrepareSafeSubpath (pkg/volume/util/subpath/subpath_linux.go).
 */
export function resolveSubPath(root: string, parts: readonly string[]): string | undefined {
  const base = realpathSync(root);
  let path = base;
  for (const part of parts) {
    const next = join(path, part);
    if (lstatSync(next, { throwIfNoEntry: false }) === undefined) {
      mkdirSync(next, { mode: statSync(base).mode });
    }
    path = realpathSync(next);
    if (path !== base && !path.startsWith(base === '/' ? base : `${base}/`)) return undefined;
  }
  return path;
}

/** Formats an error as Go does: `mkdir /x: permission denied`. */
export function pathErrorText(error: unknown): string {
  const failed = error as NodeJS.ErrnoException;
  return `${failed.syscall ?? ''} ${failed.path ?? ''}: ${errnoText(failed)}`;
}
