import { constants, existsSync, statSync } from 'node:fs';
import { access, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

import { isOwnLimit } from '../../go/io-error.js';
import { RuntimeError } from '../../kubelet/ports.js';
import { escapeControl } from '../../text/escape.js';
import { UsageError } from '../../usage-error.js';

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left on the device',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file is too large',
  EISDIR: 'is a folder',
  ENOTDIR: 'no such file or folder',
  EEXIST: 'is a file, not a folder',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'the name is too long',
  ERR_INVALID_ARG_VALUE: 'no file can have this name',
  EBUSY: 'is in use',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open on this machine',
  ENOMEM: 'not enough memory',
  ENXIO: 'cannot be opened as a file, or is a pipe without a reader',
  EAGAIN: 'cannot be read or written without a wait',
  EADDRINUSE: 'the address is in use',
  EADDRNOTAVAIL: 'this machine does not have the address',
  EIO: 'the device cannot be read or written',
  MODULE_NOT_FOUND: 'a file of kprobe is gone, perhaps by an update: run it again',
};

/** Errors of the device that a file is on: they are no mistake on the command line. */
const DEVICE_ERRORS: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EIO'];

/** Turns an error of the system about a file into a UsageError that names the file; an error of its device into a RuntimeError. */
export async function orUsageError<T>(path: string, read: () => Promise<T> | T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isSystemError(error) || isAbort(error) || isMachineError(error)) throw error;
    const text = `${shownPath(path)}: ${systemErrorText(error)}`;
    if (DEVICE_ERRORS.includes((error as NodeJS.ErrnoException).code)) throw new RuntimeError(text);
    throw new UsageError(text, { cause: error });
  }
}

/** Throws a UsageError for a file that could not be written. */
export async function checkWritable(path: string, cwd = '.'): Promise<void> {
  await orUsageError(path, async () => {
    const file = resolve(cwd, path);
    const found = await stat(file).catch(() => undefined);
    if (found?.isDirectory() === true) throw Object.assign(new Error(), { code: 'EISDIR' });
    await access(found === undefined ? dirname(file) : file, constants.W_OK);
  });
}

/**
 * Replaces a file as a whole or not at all. A symbolic link stays one, and a file keeps its mode unless another is given.
 * Devices and pipes are written to.
 */
export async function replaceFile(path: string, text: string, mode?: number): Promise<void> {
  const target = (await ifThere(realpath(path))) ?? path;
  const found = await ifThere(stat(target));
  if (found?.isFile() === false && !found.isDirectory()) return writeFile(target, text);
  const beside = `${target}.${process.pid}-${process.hrtime.bigint()}.tmp`;
  try {
    await writeFile(beside, text, { mode: mode ?? found?.mode, flag: 'wx' });
    await rename(beside, target);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

function isSystemError(error: unknown): error is Error & { readonly code: unknown } {
  return error instanceof Error && 'code' in error;
}

/** Returns what is read; undefined when there is no such file. */
export async function ifThere<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Removes something of kprobe's where its folder allows that. */
export function removeQuietly(remove: () => void): void {
  try {
    remove();
  } catch {
    // It has gone, or its folder has become read-only.
  }
}

const MACHINE_ERRORS: readonly unknown[] = ['ERR_WORKER_OUT_OF_MEMORY', 'MODULE_NOT_FOUND'];

/** Reports an error of the machine: neither a bug nor a mistake on the command line. */
function isMachineError(error: unknown): error is Error {
  if (!isSystemError(error)) return false;
  return isOwnLimit(error) || MACHINE_ERRORS.includes(error.code);
}

/** Returns the message for an error of the machine; undefined for any other error. */
export function machineErrorMessage(error: unknown): string | undefined {
  if (!isMachineError(error)) return undefined;
  const [message = ''] = error.message.split('\n');
  return `kprobe: this machine: ${systemErrorText(error)} (${message})\n`;
}

export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** Returns a path for a message: on one line, and in quotes when it is blank. */
export function shownPath(path: string): string {
  return path.trim() === '' ? `"${path}"` : escapeControl(path);
}

export function systemErrorText(error: unknown): string {
  const code = isSystemError(error) ? String(error.code) : '';
  return PROBLEMS[code] ?? (code || String(error));
}

/** Returns the message about an output that could not be written whole. */
export function incompleteText(path: string, problem: string, output: string): string {
  return `${shownPath(path)}: ${problem}: the ${output} is incomplete`;
}

export const KUSTOMIZATIONS = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** Mode of files that only their owner may read. */
export const OWNER_ONLY = 0o600;

/** Reports whether a path is a regular file, or a link to one; false for a loop of links. */
export function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
