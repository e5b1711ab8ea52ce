import {
  accessSync,
  closeSync,
  constants,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

import { errnoReason, errnoText, type IoReason } from '../go/io-error.js';
import { goQuote } from '../go/quote.js';
import { fail, ok, type OrError } from '../go/result.js';
import { readOr } from './processes.js';

/** The file of a command, and its name in errors. */
type Found = OrError<{ readonly file: string; readonly shown: string }> & {
  readonly reason?: IoReason | undefined;
};

/** Ports ErrDot (os/exec/exec.go). */
const RELATIVE = 'cannot run executable found relative to current directory';

/** Finds the file of a command: the one that it names, or else one in PATH. Ports exec.LookPath (os/exec/lp_unix.go). */
export function lookPath(name: string, path: string | undefined, cwd: string): Found {
  if (name.includes('/')) {
    // A slash at the end stays, because only a directory may have it.
    const file = name.startsWith('/') ? name : `${cwd}/${name}`;
    const problem = executableProblem(file, name);
    if (problem === undefined) return ok({ file, shown: name });
    return execError(name, problem.text, problem.reason);
  }
  for (const directory of path ? path.split(delimiter) : []) {
    // An empty element means the current directory, as in a shell.
    const shown = join(directory === '' ? '.' : directory, name);
    const file = resolve(cwd, shown);
    if (name === '' || executableProblem(file, shown) !== undefined) continue;
    return isAbsolute(shown) ? ok({ file, shown }) : execError(name, RELATIVE);
  }
  return execError(name, 'executable file not found in $PATH', 'notFound');
}

function execError(name: string, cause: string, reason?: IoReason): Found {
  return { ...fail(`exec: ${goQuote(name)}: ${cause}`), reason };
}

/** Ports findExecutable (os/exec/lp_unix.go). */
function executableProblem(
  file: string,
  shown: string,
): { readonly text: string; readonly reason?: IoReason | undefined } | undefined {
  if (file.includes('\0')) return { text: `stat ${shown}: invalid argument` };
  try {
    const stat = statSync(file);
    if (stat.isDirectory()) return { text: 'is a directory' };
    accessSync(file, constants.X_OK);
    // For root, access reports every file as executable.
    return (stat.mode & 0o111) === 0
      ? { text: 'permission denied', reason: 'notPermitted' }
      : undefined;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isStat = 'syscall' in error && error.syscall === 'stat';
    const cause = errnoText(error);
    return { text: isStat ? `stat ${shown}: ${cause}` : cause, reason: errnoReason(error) };
  }
}

/** The first bytes of ELF and of macOS's executables. */
const MAGIC = ['7f454c46', 'cafebabe', 'cffaedfe', 'cefaedfe', 'feedface', 'feedfacf'];

/** Machine types of ELF files that a kernel runs beside its own: x86-64 runs i386, and arm64 runs arm. */
const RUNS_TOO: Readonly<Record<number, number>> = { 62: 3, 183: 40 };

/** Reports whether the kernel can run a file; execvp would hand any other to a shell. */
export function isRunnable(file: string): boolean {
  const start = startOf(file);
  // Some files can be executed but not read.
  if (start === undefined || start.toString('latin1', 0, 2) === '#!') return true;
  const magic = start.toString('hex', 0, 4);
  if (magic !== MAGIC[0]) return MAGIC.includes(magic);
  const nodeMachine = startOf('/proc/self/exe')?.readUInt16LE(MACHINE);
  const machine = start.readUInt16LE(MACHINE);
  return (
    nodeMachine === undefined ||
    machine === nodeMachine ||
    machine === RUNS_TOO[nodeMachine] ||
    hasEmulator()
  );
}

/** Where an ELF file has the machine for which it is built. */
const MACHINE = 18;

function startOf(file: string): Buffer | undefined {
  return readOr(() => {
    const start = Buffer.alloc(MACHINE + 2);
    const fd = openSync(file, 'r');
    readSync(fd, start);
    closeSync(fd);
    return start;
  }, undefined);
}

/** Reports whether the kernel hands files of other machines to an emulator, such as qemu. */
function hasEmulator(): boolean {
  const formats = readOr(() => readdirSync('/proc/sys/fs/binfmt_misc'), []);
  return formats.some((name) => name.startsWith('qemu-'));
}
