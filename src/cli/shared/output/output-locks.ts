import { existsSync, mkdirSync, realpathSync, renameSync, rmdirSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, parse, resolve } from 'node:path';

import { isOwnerAlive, ownerOf } from '../../../runtime/process-owner.js';
import { UsageError } from '../../../usage-error.js';
import { ifThere, orUsageError, removeQuietly, shownPath } from '../file-errors.js';

/** Does work while no other kprobe may write these files or folders; throws a UsageError for one that another writes. */
export async function withLocks<T>(paths: readonly string[], work: () => Promise<T>): Promise<T> {
  const locks: Lock[] = [];
  const release = (): void => locks.forEach((lock) => removeQuietly(() => remove(lock)));
  process.once('exit', release);
  try {
    for (const path of paths) {
      const folder = await orUsageError(path, () => lockOf(path));
      if (folder === undefined || locks.some((lock) => lock.folder === folder)) continue;
      const lock = await orUsageError(folder, () => create(folder, path));
      if (lock !== undefined) locks.push(lock);
    }
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

interface Lock {
  readonly folder: string;
  readonly owner: string;
}

/** Returns the folder that locks a path and all names of its file; undefined for a pipe or a device, which keep nothing. */
function lockOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile() && !stats.isDirectory()) return undefined;
  if (stats?.isFile() === true && stats.nlink > 1) {
    return join(tmpdir(), `${stats.dev}-${stats.ino}.kprobe-lock`);
  }
  return `${realPath(path)}.kprobe-lock`;
}

/** Returns the path without symbolic links; its last part, or its folder, may not exist yet. */
function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const { dir, base } = parse(resolve(path));
  return existsSync(dir) ? join(realpathSync(dir), base) : resolve(path);
}

/**
 * Creates a lock: a folder with the identity of this process as its only entry. Returns undefined where its folder can
 * have none, such as a read-only one. A lock whose process has ended does not count.
 */
async function create(folder: string, path: string): Promise<Lock | undefined> {
  const owner = await ownerOf(process.pid);
  for (;;) {
    const problem = place({ folder, owner });
    if (problem === undefined) return { folder, owner };
    // The holder may remove the folder between these two calls.
    const [holder] = existsSync(folder) ? ((await ifThere(readdir(folder))) ?? []) : [];
    if (holder === undefined && !TAKEN.includes(problem)) return undefined;
    if (holder === undefined) continue;
    if (await isOwnerAlive(holder, process)) {
      const [pid = ''] = holder.split('.');
      throw new UsageError(`${shownPath(path)}: another kprobe (process ${pid}) writes it`);
    }
    remove({ folder, owner: holder });
  }
}

/** A folder with an entry cannot be replaced. */
const TAKEN: readonly unknown[] = ['ENOTEMPTY', 'EEXIST'];

/** Moves a new lock to its place, unless another one with an entry is there. Returns the code of an error. */
function place({ folder, owner }: Lock): unknown {
  const prepared = join(dirname(folder), `.kprobe-lock.${owner}`);
  try {
    mkdirSync(prepared);
    mkdirSync(join(prepared, owner));
    renameSync(prepared, folder);
    return undefined;
  } catch (error) {
    removeQuietly(() => remove({ folder: prepared, owner }));
    return (error as NodeJS.ErrnoException).code;
  }
}

/** Removes a lock of this owner only: two processes may find it at the same moment, and the first may have its own by now. */
function remove({ folder, owner }: Lock): void {
  for (const each of [join(folder, owner), folder]) {
    try {
      rmdirSync(each);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT' && !(each === folder && TAKEN.includes(code))) throw error;
    }
  }
}
