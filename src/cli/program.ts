import { Command, CommanderError } from '@commander-js/extra-typings';

import { UsageError } from '../app/usage-error.js';
import { RuntimeError } from '../kubelet/ports.js';
import { escapeControlInLines, shortenLines } from '../render/text/escape.js';
import { maskText } from '../secrets/credential-text.js';
import { type CommandContext, type CommandEntry, COMMANDS } from './commands.js';
import { DEFAULTS_HELP } from './shared/defaults.js';
import { EXIT, EXIT_CODES_HELP } from './shared/exit-code.js';
import { isAbort } from './shared/file-errors.js';
import type { Io } from './shared/io.js';
import { VERSION } from './shared/version.js';

/** Runs a command line; resolves with the exit code. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  let exitCode: number = EXIT.success;
  const { own, commandLine } = splitCommandLine(commandFirst(argv));
  const context: CommandContext = {
    io,
    commandLine,
    done: (code) => {
      exitCode = code;
    },
  };
  try {
    if (argv[0] === '__complete') {
      const { complete } = await import('./completion/complete.js');
      const load = (words: readonly string[]): Promise<Command> => loadProgram(words, context);
      return await complete(argv.slice(1), { load, commandFirst }, io);
    }
    if (argv[0] === '__man') {
      const { writeManPages } = await import('./man/man-pages.js');
      const names = COMMANDS.map(({ name }) => name);
      return writeManPages(await loadProgram(names, context), argv[1] ?? '.');
    }
    const program = await loadProgram(own, context);
    refuseManifest(own[0]);
    await program.parseAsync(own, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.success : EXIT.usage;
    if (io.signal.aborted && isAbort(error)) return Number(io.signal.reason);
    if (!(error instanceof UsageError) && !(error instanceof RuntimeError)) throw error;
    io.stderr.write(printable(`kprobe: ${error.message}\n`));
    return error instanceof UsageError ? EXIT.usage : EXIT.undetermined;
  }
}

/** Returns the program, in which the commands that the words name are whole. */
async function loadProgram(own: readonly string[], context: CommandContext): Promise<Command> {
  const program = createProgram(context.io);
  for (const entry of COMMANDS) await addCommand(program, entry, own, context);
  return program;
}

/** Says which command was meant by `kprobe pod.yaml`. */
function refuseManifest(first = ''): void {
  if (!/\.(?:ya?ml|json)$/.test(first)) return;
  throw new UsageError(`unknown command "${first}": did you mean kprobe run ${first}?`);
}

/** A message quotes what was typed, and names of files, whatever is in them. */
function printable(message: string): string {
  return escapeControlInLines(shortenLines(maskText(message)));
}

/** Everything after the first `--` is a command, even if it looks like options. */
function splitCommandLine(argv: readonly string[]): {
  own: readonly string[];
  commandLine: readonly string[] | undefined;
} {
  const at = argv.indexOf('--');
  if (at === -1) return { own: argv, commandLine: undefined };
  return { own: argv.slice(0, at), commandLine: argv.slice(at + 1) };
}

/** kubectl's global options that take a value. */
const WITH_VALUE =
  /^(?:-[ns]|--(?:namespace|server|context|kubeconfig|cluster|user|token|as|as-group|as-uid|certificate-authority|client-certificate|client-key|tls-server-name|request-timeout))$/;
const ALONE = /^(?:-A|--all-namespaces|--insecure-skip-tls-verify|--[\w-]+=.*)$/;

/** Moves kubectl's global options behind the command: `kubectl kprobe -n shop watch web`. */
function commandFirst(argv: readonly string[]): readonly string[] {
  let at = 0;
  for (let arg = argv[0] ?? ''; arg.startsWith('-'); arg = argv[at] ?? '') {
    if (!WITH_VALUE.test(arg) && !ALONE.test(arg)) return argv;
    at += WITH_VALUE.test(arg) ? 2 : 1;
  }
  return [...argv.slice(at, at + 1), ...argv.slice(0, at), ...argv.slice(at + 1)];
}

function createProgram(io: Io): Command {
  const { name = 'kprobe' } = io;
  return new Command(name)
    .description("Run a pod's probes as the kubelet does, and see what it would decide.")
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .showHelpAfterError(`(see ${name} --help)`)
    .addHelpText('after', EXIT_CODES_HELP)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text, write) => write(printable(text.replace(/^error: /, 'kprobe: '))),
    });
}

/** Adds a command whole when the command line names it, otherwise as the help lists it. */
async function addCommand(
  program: Command,
  { name, summary, add }: CommandEntry,
  own: readonly string[],
  context: CommandContext,
): Promise<void> {
  if (own.includes(name)) await add(program, context);
  else program.command(name);
  const hint = `(see ${program.name()} ${name} --help)`;
  const command = program.commands.at(-1);
  command?.summary(summary).showHelpAfterError(hint).addHelpText('after', DEFAULTS_HELP);
}
