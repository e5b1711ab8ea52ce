import { Command, CommanderError, type OptionValues } from '@commander-js/extra-typings';

import { RuntimeError } from '../kubelet/ports.js';
import { maskText } from '../secrets/credential-text.js';
import { escapeControlInLines, indentRest, shortenLines } from '../text/escape.js';
import { UsageError } from '../usage-error.js';
import { VERSION } from '../version.js';
import { applyDefaults, DEFAULTS_HELP, withOrigin } from './shared/defaults.js';
import { EXIT, EXIT_CODES_HELP, exitCodeOfError } from './shared/exit-code.js';
import { isAbort, machineErrorMessage } from './shared/file-errors.js';
import { type CommandInput, exitCodeOfOutputs, type Io, unlessQuiet } from './shared/io.js';
import { outputFiles } from './shared/output/output-files.js';
import { checkRelations, type Relations } from './shared/relations.js';
import { withoutWorkflowCommands } from './shared/workflow-commands.js';

interface CommandContext extends Pick<CommandInput<unknown>, 'commandLine'> {
  readonly io: Io;
  readonly done: (exitCode: number) => void;
}

type Files = readonly string[];

interface CommandModule<Args extends (string | Files | undefined)[], Flags extends OptionValues> {
  readonly options: (program: Command) => Command<Args, Flags>;
  readonly command: (input: CommandInput<Flags>, io: Io) => Promise<number>;
  readonly relations?: Relations<Flags>;
}

/** Runs a command while no other may write its outputs. Most commands have none, and load no locks. */
async function locked(outputs: Files, run: () => Promise<number>): Promise<number> {
  if (outputs.length === 0) return run();
  const { withLocks } = await import('./shared/output/output-locks.js');
  return withLocks(outputs, run);
}

/** Returns a function that loads a command, and adds it with its options to a program. */
function adder<Args extends (string | Files | undefined)[], Flags extends OptionValues>(
  load: () => Promise<CommandModule<Args, Flags>>,
) {
  return async (program: Command, { io, commandLine, done }: CommandContext): Promise<void> => {
    const { options, command, relations = {} } = await load();
    const added = options(program);
    added.action(async () => {
      const { applied, commandLine: words } = await applyDefaults(added, commandLine, io);
      const flags = added.opts();
      const { filename = [] } = flags as { readonly filename?: Files };
      const given = added.processedArgs.flat().filter((path) => path !== undefined);
      const input = { paths: [...given, ...filename], flags, commandLine: words };
      try {
        if (added.options.some(({ long }) => long === '--kube')) {
          (await import('./shared/cluster-options.js')).checkClusterOptions(added);
        }
        checkRelations(relations, flags, words);
        done(
          await locked(outputFiles(flags, io.env), () => command(input, unlessQuiet(flags, io))),
        );
      } catch (error) {
        throw withOrigin(error, applied);
      }
    });
  };
}

/** Options and code of a command are loaded when the command line names it. */
const ADDERS = {
  demo: adder(() => import('../commands/demo/demo-command.js')),
  run: adder(() => import('../commands/run/run-command.js')),
  watch: adder(() => import('../commands/watch/watch-command.js')),
  once: adder(() => import('../commands/once/once-command.js')),
  replay: adder(() => import('../commands/replay/replay-command.js')),
  suggest: adder(() => import('../commands/suggest/suggest-command.js')),
  ci: adder(() => import('../commands/ci/ci-command.js')),
  simulate: adder(() => import('../commands/simulate/simulate-command.js')),
  rollout: adder(() => import('../commands/rollout/rollout-command.js')),
  validate: adder(() => import('../commands/validate/validate-command.js')),
  lint: adder(() => import('../commands/lint/lint-command.js')),
  explain: adder(() => import('../commands/explain/explain-command.js')),
  diff: adder(() => import('../commands/diff/diff-command.js')),
  init: adder(() => import('../commands/init/init-command.js')),
  import: adder(() => import('../commands/import/import-command.js')),
  down: adder(() => import('../commands/down/down-command.js')),
  mcp: adder(() => import('../commands/mcp/mcp-command.js')),
  doctor: adder(() => import('../commands/doctor/doctor-command.js')),
  version: adder(() => import('../commands/version/version-command.js')),
  completion: adder(() => import('../commands/completion/completion-command.js')),
};

type Name = keyof typeof ADDERS;

/** The commands as the help lists them. */
const SUMMARIES: Readonly<Record<Name, string>> = {
  demo: 'show kprobe with a built-in server that has a fault',
  run: "run a manifest's probes against a live target",
  watch: "watch pods of a cluster beside their kubelets' decisions",
  once: 'make one attempt of a probe',
  replay: 'show a recorded run again, or with other settings',
  suggest: 'propose probe settings from a recorded run',
  ci: 'check a pod in one go: valid, started, ready, alive, shut down',
  simulate: 'see what the kubelet would do, in virtual time',
  rollout: 'see a rollout and its outages, in virtual time',
  validate: 'show how an API server would answer to manifests',
  lint: 'report risky probe settings, and fix them',
  explain: 'show when probes fire, fail and restart the container',
  diff: 'show what a changed manifest does to pods and to probe timing',
  init: 'write a pod with probes that fit a command',
  import: 'write probes that correspond to a HEALTHCHECK',
  down: 'remove the pods that runs have left',
  mcp: 'serve kprobe to assistants (Model Context Protocol)',
  doctor: 'check what kprobe needs on this machine',
  version: 'print the versions of kprobe, the kubelet and Node',
  completion: 'print the completion script of a shell',
};

export const COMMANDS = (Object.keys(SUMMARIES) as Name[]).map((name) => {
  return { name, summary: SUMMARIES[name], add: ADDERS[name] };
});

export async function main(argv: readonly string[], processIo: Io): Promise<number> {
  let exitCode: number = EXIT.success;
  const io = withoutWorkflowCommands(processIo);
  const { words, commandLine } = splitCommandLine(commandFirst(argv));
  const context: CommandContext = {
    io: Object.create(io, {
      outputs: { value: { areComplete: true } },
      command: { value: words[0] },
    }) as Io,
    commandLine,
    done: (code) => {
      exitCode = code;
    },
  };
  try {
    if (argv[0] === '__complete') {
      const { complete } = await import('../commands/completion/complete.js');
      const load = (words: readonly string[]): Promise<Command> => loadProgram(words, context);
      const ruleIDs = async () =>
        (await import('../commands/lint/rules.js')).RULES.map(({ id }) => id);
      return await complete(argv.slice(1), { load, commandFirst, ruleIDs }, io);
    }
    if (argv[0] === '__demo-server') {
      const { demoServer } = await import('../commands/demo/demo-command.js');
      return await demoServer(argv.slice(1), io);
    }
    if (argv[0] === '__man') {
      const { writeManPages } = await import('../commands/man/man-pages.js');
      const names = COMMANDS.map(({ name }) => name);
      return await writeManPages(await loadProgram(names, context), argv[1] ?? '.');
    }
    const program = await loadProgram(words, context);
    const [first = '', named] = words;
    if (/\.(?:ya?ml|json)$/.test(first)) {
      throw new UsageError(`unknown command "${first}": did you mean kprobe run ${first}?`);
    }
    // Commander prints the whole help where it knows no such command.
    const isKnown = COMMANDS.some(({ name }) => name === named);
    const parsed = first === 'help' && named !== undefined && !isKnown ? words.slice(1) : words;
    await program.parseAsync(parsed, { from: 'user' });
    return exitCodeOfOutputs(exitCode, context.io);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.success : EXIT.usage;
    const isOfSignal = isAbort(error) || error === io.signal.reason;
    if (io.signal.aborted && isOfSignal) return Number(io.signal.reason);
    io.stderr.write(printable(messageOf(error)));
    return exitCodeOfError(error);
  }
}

/** Returns the message of an error that is known; throws any other. */
function messageOf(error: unknown): string {
  if (error instanceof UsageError) return `kprobe: ${error.message}\n`;
  if (error instanceof RuntimeError) return `kprobe: ${indentRest(error.message)}\n`;
  const message = machineErrorMessage(error);
  if (message === undefined) throw error;
  return message;
}

/** Returns the program; only the commands that the words name have their options. */
async function loadProgram(words: readonly string[], context: CommandContext): Promise<Command> {
  const program = createProgram(context.io);
  for (const entry of COMMANDS) await addCommand(program, entry, words, context);
  return program;
}

/** Escapes and masks a message, which may quote what was typed and names of files. */
function printable(message: string): string {
  return escapeControlInLines(shortenLines(maskText(message)));
}

/** Splits at the first `--`: all that follows is a command, even if it looks like options. */
function splitCommandLine(argv: readonly string[]): {
  words: readonly string[];
  commandLine: readonly string[] | undefined;
} {
  const at = argv.indexOf('--');
  if (at === -1) return { words: argv, commandLine: undefined };
  return { words: argv.slice(0, at), commandLine: argv.slice(at + 1) };
}

/** kubectl's global options that take a value. */
const WITH_VALUE =
  /^(?:-[ns]|--(?:namespace|server|context|kubeconfig|cluster|user|token|as|as-group|as-uid|certificate-authority|client-certificate|client-key|tls-server-name|request-timeout))$/;
const WITHOUT_VALUE = /^(?:-A|--all-namespaces|--insecure-skip-tls-verify|--[\w-]+=.*)$/;

/** Moves kubectl's global options behind the command: `kubectl kprobe -n shop watch web`. */
function commandFirst(argv: readonly string[]): readonly string[] {
  let at = 0;
  for (let arg = argv[0] ?? ''; arg.startsWith('-'); arg = argv[at] ?? '') {
    if (!WITH_VALUE.test(arg) && !WITHOUT_VALUE.test(arg)) return argv;
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
      outputError: (text, write) =>
        write(printable(text.replace(/^error: (?:command-)?/, 'kprobe: '))),
    });
}

/** Adds a command with its options when the command line names it, otherwise only for the list in the help. */
async function addCommand(
  program: Command,
  { name, summary, add }: (typeof COMMANDS)[number],
  words: readonly string[],
  context: CommandContext,
): Promise<void> {
  if (words.includes(name)) await add(program, context);
  else program.command(name);
  const hint = `(see ${program.name()} ${name} --help)`;
  const command = program.commands.at(-1);
  command?.summary(summary).showHelpAfterError(hint).addHelpText('after', DEFAULTS_HELP);
}
