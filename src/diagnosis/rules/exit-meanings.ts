import type { RunView } from '../../trace/summary/container-view.js';
import { baseName } from '../output/runtime-readers.js';
import { wordsOfProgram, wordsOfShell } from './command-words.js';

/** The meanings of exit codes, as the manuals of their programs have them: such a program may print nothing. */
const EXIT_MEANINGS: readonly (readonly [program: string, code: number, meaning: string])[] = [
  ['curl', 6, 'curl could not resolve the host'],
  ['curl', 7, 'curl could not connect'],
  ['curl', 22, 'the server answered curl with an error status'],
  ['curl', 28, 'curl ran into its own timeout'],
  ['curl', 35, 'the TLS handshake of curl failed'],
  ['curl', 52, 'the server closed the connection of curl without an answer'],
  ['curl', 56, 'the connection of curl was cut'],
  ['curl', 60, 'curl does not trust the certificate of the server'],
  ['wget', 4, 'wget could not connect'],
  ['wget', 5, 'wget does not trust the certificate of the server'],
  ['wget', 8, 'the server answered wget with an error status'],
  ['pg_isready', 1, 'the server rejects connections, as it does while it starts'],
  ['pg_isready', 2, 'the server does not answer'],
  ['pg_isready', 3, 'pg_isready made no attempt: its options are wrong'],
  ['grpc_health_probe', 1, 'the arguments of grpc_health_probe are wrong'],
  ['grpc_health_probe', 2, 'grpc_health_probe could not connect'],
  ['grpc_health_probe', 3, 'the call of grpc_health_probe failed'],
  ['grpc_health_probe', 4, 'the server answers that it is not serving'],
  ['pgrep', 1, 'no process matches'],
  ['pidof', 1, 'no process has that name'],
  ['grep', 1, 'no line matches'],
  ['nc', 1, 'nc could not connect'],
  ['node', 13, 'an await at the top level of a module never settles'],
];

function meaningOf(name: string, exitCode: number | undefined): string | undefined {
  return EXIT_MEANINGS.find(([program, code]) => program === name && code === exitCode)?.[2];
}

/** Codes up to this one are those of many programs. */
const COMMON = 3;

/** Returns the meaning of the exit code of a program, or of one that its script runs, where no other program ends so. */
export function endMeaning(processes: readonly string[], exitCode = 0): string | undefined {
  if (exitCode <= COMMON) return undefined;
  const names = processes.flatMap((line) => line.split(/[\s;&|]+/)).map(baseName);
  return names.map((name) => meaningOf(name, exitCode)).find(Boolean);
}

const TESTS: ReadonlyMap<string, string> = new Map([
  ['-e', 'does not exist'],
  ['-f', 'is no file, or does not exist'],
  ['-d', 'is no folder, or does not exist'],
  ['-s', 'is empty, or does not exist'],
  ['-S', 'is no socket, or does not exist'],
]);

const COMPARED =
  /^\s*(?:\[\[?|test)\s+"?\$\(([^()]+)\)"?\s+(?:==?|-eq)\s+["']?([^\s"'$;&|]+)["']?(?:\s+\]\]?)?\s*$/;

/** Returns the command whose output a script compares, or gives to a `grep` or `jq -e`, and what exit code 1 means then. */
export function pipedCommand(command: readonly string[]) {
  const [script = ''] = wordsOfShell(command);
  const [, compared, value] = COMPARED.exec(script) ?? [];
  const [, piped, to] =
    /^([^;&|\n]+)\|\s*(grep|jq (?:-\w*e\w*|--exit-status))\b[^;&\n]*$/.exec(script) ?? [];
  const before = (compared ?? piped)?.trim();
  if (before === undefined) return undefined;
  if (to === 'grep') return { before, meaning: `no line that ${before} writes matches` };
  if (compared !== undefined) return { before, meaning: `${value} is not what ${before} writes` };
  return { before, meaning: `what ${before} writes does not meet the condition of jq` };
}

/** Returns the meaning of the exit code of a command that is one program, perhaps in a shell. */
export function exitMeaning(
  command: readonly string[],
  exitCode: number | undefined,
): string | undefined {
  const { meaning } = pipedCommand(command) ?? {};
  if (meaning !== undefined && exitCode === 1) return meaning;
  const [program = '', ...args] = wordsOfProgram(command);
  const name = baseName(program);
  if ((name === 'test' || name === '[') && exitCode === 1) {
    const state = TESTS.get(args[0] ?? '');
    const path = args[1] ?? '';
    return state === undefined || /["'$]/.test(path) ? undefined : `${path} ${state}`;
  }
  return meaningOf(name, exitCode);
}

/** Returns a command that shows what a silent check has read: the one before a pipe, or `cat` of the file of a `grep`; or the end of what is cut. */
export function showingCommand(command: readonly string[], isCut: boolean): string | undefined {
  if (isCut) return wordsOfShell(command).length > 0 ? undefined : `${command.join(' ')} | tail`;
  const piped = pipedCommand(command);
  if (piped !== undefined) return piped.before;
  const [program = '', ...args] = wordsOfProgram(command);
  const [, file, ...others] = args.filter((word) => !word.startsWith('-'));
  const isOfFile = baseName(program) === 'grep' && file !== undefined && others.length === 0;
  return isOfFile && !args.some((word) => /^-\w*[ef]/.test(word)) ? `cat ${file}` : undefined;
}

const SIGNALS: ReadonlyMap<number, string> = new Map([
  [129, 'HUP'],
  [130, 'INT'],
  [131, 'QUIT'],
  [132, 'ILL'],
  [134, 'ABRT'],
  [135, 'BUS'],
  [136, 'FPE'],
  [137, 'KILL'],
  [138, 'USR1'],
  [139, 'SEGV'],
  [140, 'USR2'],
  [142, 'ALRM'],
  [143, 'TERM'],
  [152, 'XCPU'],
  [153, 'XFSZ'],
]);

/** Returns the signal that ended a run, if the kubelet did not ask for its end. */
export function signalOf({ signal, exitCode = 0, stop }: RunView): string | undefined {
  if (stop !== undefined) return undefined;
  return signal?.replace(/^SIG/, '') ?? SIGNALS.get(exitCode);
}
