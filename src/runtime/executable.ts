import { constants } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';

import { RuntimeError } from '../kubelet/ports.js';
import type { ContainerContext } from './container-context.js';

/**
 * The file that a command names, in the directory and the PATH of its container. Rejects with what runc would say.
 * Ports LookPath (os/exec/lp_unix.go).
 */
export async function findExecutable(
  name: string,
  { env, cwd }: ContainerContext,
): Promise<string> {
  if (!name.includes('/')) return findInPath(name, (env['PATH'] ?? '').split(':'), cwd);
  const file = resolve(cwd, name);
  const problem = await executableProblem(file, name);
  if (problem !== undefined) throw new RuntimeError(`exec: ${JSON.stringify(name)}: ${problem}`);
  return runnable(file, name);
}

async function findInPath(name: string, path: readonly string[], cwd: string): Promise<string> {
  for (const directory of path) {
    const file = resolve(cwd, directory, name);
    if (name !== '' && (await executableProblem(file, file)) === undefined) {
      return runnable(file, file);
    }
  }
  const quoted = JSON.stringify(name);
  throw new RuntimeError(`exec: ${quoted}: executable file not found in $PATH`);
}

/** Ports findExecutable (os/exec/lp_unix.go). */
async function executableProblem(file: string, shown: string): Promise<string | undefined> {
  try {
    const stats = await stat(file);
    if (stats.isDirectory()) return 'is a directory';
    await access(file, constants.X_OK);
    // Root may run what nobody may run, as far as access knows.
    return (stats.mode & 0o111) === 0 ? 'permission denied' : undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EACCES' ? 'permission denied' : `stat ${shown}: no such file or directory`;
  }
}

/** ELF, and the formats of macOS. */
const MAGIC = ['7f454c46', 'cafebabe', 'cffaedfe', 'cefaedfe', 'feedface', 'feedfacf'];

/** What the kernel refuses to run, the C library would hand to a shell; a container runtime does not. */
async function runnable(file: string, shown: string): Promise<string> {
  const start = await readStart(file);
  if (start === undefined) return file;
  if (start.toString('latin1', 0, 2) === '#!' || MAGIC.includes(start.toString('hex'))) return file;
  throw new RuntimeError(`exec ${shown}: exec format error`);
}

/** The first four bytes; undefined of a file that may be run, but not read. */
async function readStart(file: string): Promise<Buffer | undefined> {
  const handle = await open(file).catch(() => undefined);
  try {
    return (await handle?.read(Buffer.alloc(4), 0, 4))?.buffer;
  } finally {
    await handle?.close();
  }
}
