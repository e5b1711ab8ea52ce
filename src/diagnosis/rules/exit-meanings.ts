import { baseName } from '../runtime-readers.js';
import { wordsOfProgram, wordsOfShell } from './command-words.js';

const CURL: readonly (readonly [code: number, meaning: string])[] = [
  [6, 'curl could not resolve the host'],
  [7, 'curl could not connect'],
  [22, 'the server answered curl with an error status'],
  [28, 'curl ran into its own timeout'],
  [35, 'the TLS handshake of curl failed'],
  [52, 'the server closed the connection of curl without an answer'],
  [56, 'the connection of curl was cut'],
  [60, 'curl does not trust the certificate of the server'],
];

/** The meanings of exit codes, as the manuals of their programs have them: such a program may print nothing. */
const EXIT_MEANINGS: ReadonlyMap<string, ReadonlyMap<number, string>> = new Map([
  ['curl', new Map(CURL)],
  [
    'wget',
    new Map([
      [4, 'wget could not connect'],
      [5, 'wget does not trust the certificate of the server'],
      [8, 'the server answered wget with an error status'],
    ]),
  ],
  [
    'pg_isready',
    new Map([
      [1, 'the server rejects connections, as it does while it starts'],
      [2, 'the server does not answer'],
      [3, 'pg_isready made no attempt: its options are wrong'],
    ]),
  ],
  [
    'grpc_health_probe',
    new Map([
      [1, 'the arguments of grpc_health_probe are wrong'],
      [2, 'grpc_health_probe could not connect'],
      [3, 'the call of grpc_health_probe failed'],
      [4, 'the server answers that it is not serving'],
    ]),
  ],
  ['pgrep', new Map([[1, 'no process matches']])],
  ['pidof', new Map([[1, 'no process has that name']])],
  ['grep', new Map([[1, 'no line matches']])],
  ['nc', new Map([[1, 'nc could not connect']])],
  ['node', new Map([[13, 'an await at the top level of a module never settles']])],
]);

/** Codes up to this one are those of many programs. */
const COMMON = 3;

/** Returns the meaning of the exit code of a program, or of one that its script runs, where no other program ends so. */
export function endMeaning(processes: readonly string[], exitCode = 0): string | undefined {
  if (exitCode <= COMMON) return undefined;
  const names = processes.flatMap((line) => line.split(/[\s;&|]+/)).map(baseName);
  return names.map((name) => EXIT_MEANINGS.get(name)?.get(exitCode)).find(Boolean);
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
  return EXIT_MEANINGS.get(name)?.get(exitCode ?? 0);
}
