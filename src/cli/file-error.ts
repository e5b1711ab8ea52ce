import { UsageError } from './usage-error.js';

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left on the device',
  EISDIR: 'is a folder',
  ENOTDIR: 'no such file or folder',
};

/** Throws what the system says against a file as a UsageError that names it. */
export async function orUsageError<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${path}: ${problemOf(error)}`, { cause: error });
  }
}

/** What the system says, in words. */
export function problemOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return PROBLEMS[code] ?? (code || String(error));
}
