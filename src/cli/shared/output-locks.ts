import { existsSync, realpathSync, statSync, symlinkSync } from 'node:fs';
import { readlink, unlink } from 'node:fs/promises';
import { join, parse, resolve } from 'node:path';

import { isOwnerAlive, ownerOf } from '../../runtime/process-owner.js';
import { UsageError } from '../../usage-error.js';
import { ifThere, orUsageError, removeQuietly, shownPath } from './file-errors.js';

/** Does work while no other kprobe may write these files or folders; throws a UsageError for one that another writes. */
export async function withLocks<T>(paths: readonly string[], work: () => Promise<T>): Promise<T> {
  const locks: string[] = [];
  const release = (): void => locks.forEach(removeQuietly);
  process.once('exit', release);
  try {
    for (const path of paths) {
      const lock = await orUsageError(path, () => lockOf(path));
      if (lock === undefined || locks.includes(lock)) continue;
      if (await orUsageError(lock, () => create(lock, path))) locks.push(lock);
    }
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

/** Returns the file that locks a path; undefined for a pipe or a device, which keep nothing. */
function lockOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile() && !stats.isDirectory()) return undefined;
  return `${realPath(path)}.kprobe-lock`;
}

/** Returns the path without symbolic links; its last part, or its folder, may not exist yet. */
function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const { dir, base } = parse(resolve(path));
  return existsSync(dir) ? join(realpathSync(dir), base) : resolve(path);
}

/**
 * Creates a lock: a link to the identity of this process, since a link is made with its content. Returns false where its
 * folder can have none, such as a read-only one. A lock whose process has ended does not count.
 */
async function create(lock: string, path: string): Promise<boolean> {
  const owner = await ownerOf(process.pid);
  for (;;) {
    try {
      symlinkSync(owner, lock);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
    const holder = await readlink(lock).catch(() => '');
    if (await isOwnerAlive(holder, process)) {
      const [pid = ''] = holder.split('.');
      throw new UsageError(`${shownPath(path)}: another kprobe (process ${pid}) writes it`);
    }
    await ifThere(unlink(lock));
  }
}
