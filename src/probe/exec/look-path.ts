import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { toByteString, toText } from '../../go/byte-string.js';
import { quote } from '../../go/quote.js';
import { fail, ok, type Result } from '../../go/result.js';
import { errnoText } from '../net/errno.js';

/** The file that a command's name stands for. Ports exec.LookPath (os/exec/lp_unix.go). */
export function lookPath(name: string, path: string): Result<string> {
  if (name.includes('/')) {
    const problem = executableProblem(name);
    return problem === undefined ? ok(name) : execError(name, problem);
  }
  for (const directory of path.split(delimiter)) {
    const file = join(directory === '' ? '.' : directory, name);
    if (executableProblem(file) === undefined) return ok(file);
  }
  return execError(name, 'executable file not found in $PATH');
}

function execError(name: string, why: string): { readonly ok: false; readonly error: string } {
  return fail(`exec: ${toText(quote(toByteString(name)))}: ${why}`);
}

/** Ports findExecutable (os/exec/lp_unix.go). */
function executableProblem(file: string): string | undefined {
  if (file.includes('\0')) return `stat ${file}: invalid argument`;
  let mode: number;
  try {
    const stat = statSync(file);
    if (stat.isDirectory()) return 'is a directory';
    ({ mode } = stat);
    accessSync(file, constants.X_OK);
  } catch (error) {
    return accessProblem(file, error);
  }
  return (mode & 0o111) === 0 ? 'permission denied' : undefined;
}

function accessProblem(file: string, error: unknown): string {
  if (!(error instanceof Error)) throw error;
  const why = errnoText(error);
  return 'syscall' in error && error.syscall === 'stat' ? `stat ${file}: ${why}` : why;
}

/** ELF, and what macOS runs. */
const MAGIC = ['7f454c46', 'cafebabe', 'cffaedfe', 'cefaedfe', 'feedface', 'feedfacf'];

/** Whether the kernel runs it: where it does not, execvp would hand it to a shell. */
export function isRunnable(file: string): boolean {
  const start = Buffer.alloc(4);
  try {
    const fd = openSync(file, 'r');
    readSync(fd, start);
    closeSync(fd);
  } catch {
    // It may be run but not read.
    return true;
  }
  return start.toString('latin1', 0, 2) === '#!' || MAGIC.includes(start.toString('hex'));
}
