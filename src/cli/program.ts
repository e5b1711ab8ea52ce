import { Command, CommanderError, type OptionValues } from '@commander-js/extra-typings';

import { RuntimeError } from '../kubelet/ports.js';
import { maskText } from '../secrets/credential-text.js';
import { escapeControlInLines, indentRest, shortenLines } from '../text/escape.js';
import { UsageError } from '../usage-error.js';
import { applyDefaults, DEFAULTS_HELP, withOrigin } from './shared/defaults.js';
import { EXIT, EXIT_CODES_HELP, exitCodeOfError } from './shared/exit-code.js';
import { isAbort, machineErrorMessage } from './shared/file-errors.js';
import { type CommandInput, exitCodeOfOutputs, type Io, unlessQuiet } from './shared/io.js';
import { checkRelations, type Relations } from './shared/relations.js';
import { VERSION } from './shared/version.js';
import { withoutWorkflowCommands } from './shared/workflow-commands.js';

interface CommandContext extends Pick<CommandInput<unknown>, 'commandLine'> {
  readonly io: Io;
  readonly done: (exitCode: number) => void;
}

/** A command as the help lists it; its options and its code are loaded when the command line names it. */
interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly add: (program: Command, context: CommandContext) => Promise<unknown>;
}

type Files = readonly string[];

function command<Args extends (string | Files | undefined)[], Flags extends OptionValues>(
  name: string,
  summary: string,
  load: () => Promise<
    [
      options: (program: Command) => Command<Args, Flags>,
      run: (input: CommandInput<Flags>, io: Io) => Promise<number>,
      relations?: Relations<Flags>,
    ]
  >,
): CommandEntry {
  const add = async (program: Command, context: CommandContext): Promise<void> => {
    const { io, commandLine, done } = context;
    const [options, run, relations = {}] = await load();
    const added = options(program);
    added.action(async () => {
      const applied = await applyDefaults(added, io);
      const flags = added.opts();
      const { filename = [] } = flags as { readonly filename?: Files };
      const given = added.processedArgs.flat().filter((path) => path !== undefined);
      const paths = [...given, ...filename];
      const input = { paths, flags, commandLine };
      try {
        checkRelations(relations, flags, commandLine);
        done(await run(input, unlessQuiet(flags, io)));
      } catch (error) {
        throw withOrigin(error, applied);
      }
    });
  };
  return { name, summary, add };
}

export const COMMANDS: readonly CommandEntry[] = [
  command('demo', 'see what kprobe shows, with a built-in server', async () => {
    const { demoCommand, demoOptions } = await import('../commands/demo/demo-command.js');
    return [demoOptions, demoCommand];
  }),
  command('run', "run a manifest's probes against a live target", async () => {
    const { runCommand, runOptions, runRelations } = await import('../commands/run/run-command.js');
    return [runOptions, runCommand, runRelations];
  }),
  command('watch', "watch pods of a cluster beside their kubelets' decisions", async () => {
    const { watchCommand, watchOptions, watchRelations } =
      await import('../commands/watch/watch-command.js');
    return [watchOptions, watchCommand, watchRelations];
  }),
  command('once', 'make one attempt of a probe', async () => {
    const { onceCommand, onceOptions, onceRelations } =
      await import('../commands/once/once-command.js');
    return [onceOptions, onceCommand, onceRelations];
  }),
  command('replay', 'show a recorded run again, or with other settings', async () => {
    const { replayCommand, replayOptions, replayRelations } =
      await import('../commands/replay/replay-command.js');
    return [replayOptions, replayCommand, replayRelations];
  }),
  command('suggest', 'propose probe settings from a recorded run', async () => {
    const { suggestCommand, suggestOptions } =
      await import('../commands/suggest/suggest-command.js');
    return [suggestOptions, suggestCommand];
  }),
  command('ci', 'check a pod in one go: valid, started, ready, alive, shut down', async () => {
    const { ciCommand, ciOptions, ciRelations } = await import('../commands/ci/ci-command.js');
    return [ciOptions, ciCommand, ciRelations];
  }),
  command('simulate', 'see what the kubelet would do, in virtual time', async () => {
    const { simulateCommand, simulateOptions, simulateRelations } =
      await import('../commands/simulate/simulate-command.js');
    return [simulateOptions, simulateCommand, simulateRelations];
  }),
  command('rollout', 'see a rollout and its outages, in virtual time', async () => {
    const { rolloutCommand, rolloutOptions, rolloutRelations } =
      await import('../commands/rollout/rollout-command.js');
    return [rolloutOptions, rolloutCommand, rolloutRelations];
  }),
  command('validate', 'show how an API server would answer to manifests', async () => {
    const { validateCommand, validateOptions } =
      await import('../commands/validate/validate-command.js');
    return [validateOptions, validateCommand];
  }),
  command('lint', 'report risky probe settings, and fix them', async () => {
    const { lintCommand, lintOptions } = await import('../commands/lint/lint-command.js');
    return [lintOptions, lintCommand];
  }),
  command('explain', 'show when probes fire, fail and restart the container', async () => {
    const { explainCommand, explainOptions, explainRelations } =
      await import('../commands/explain/explain-command.js');
    return [explainOptions, explainCommand, explainRelations];
  }),
  command('diff', 'show what a changed manifest does to pods and to probe timing', async () => {
    const { diffCommand, diffOptions, diffRelations } =
      await import('../commands/diff/diff-command.js');
    return [diffOptions, diffCommand, diffRelations];
  }),
  command('init', 'write a pod with probes that fit a command', async () => {
    const { initCommand, initOptions } = await import('../commands/init/init-command.js');
    return [initOptions, initCommand];
  }),
  command('import', 'write probes that correspond to a HEALTHCHECK', async () => {
    const { importCommand, importOptions } = await import('../commands/import/import-command.js');
    return [importOptions, importCommand];
  }),
  command('down', 'remove the pods that runs have left', async () => {
    const { downCommand, downOptions } = await import('../commands/down/down-command.js');
    return [downOptions, downCommand];
  }),
  command('mcp', 'serve kprobe to assistants (Model Context Protocol)', async () => {
    const { mcpCommand, mcpOptions } = await import('../commands/mcp/mcp-command.js');
    return [mcpOptions, mcpCommand];
  }),
  command('doctor', 'check what kprobe needs on this machine', async () => {
    const { doctorCommand, doctorOptions } = await import('../commands/doctor/doctor-command.js');
    return [doctorOptions, doctorCommand];
  }),
  command('version', 'print the versions of kprobe, the kubelet and Node', async () => {
    const { versionCommand, versionOptions } =
      await import('../commands/version/version-command.js');
    return [versionOptions, versionCommand];
  }),
  command('completion', 'print the completion script of a shell', async () => {
    const { completionCommand, completionOptions } =
      await import('../commands/completion/completion-command.js');
    return [completionOptions, completionCommand];
  }),
];

export async function main(argv: readonly string[], processIo: Io): Promise<number> {
  let exitCode: number = EXIT.success;
  const io = withoutWorkflowCommands(processIo);
  const { words, commandLine } = splitCommandLine(commandFirst(argv));
  const context: CommandContext = {
    io: Object.create(io, { outputs: { value: { areComplete: true } } }) as Io,
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
    const [first = ''] = words;
    if (/\.(?:ya?ml|json)$/.test(first)) {
      throw new UsageError(`unknown command "${first}": did you mean kprobe run ${first}?`);
    }
    await program.parseAsync(words, { from: 'user' });
    return exitCodeOfOutputs(exitCode, context.io);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.success : EXIT.usage;
    if (io.signal.aborted && isAbort(error)) return Number(io.signal.reason);
    const machine = machineErrorMessage(error);
    if (machine !== undefined) {
      io.stderr.write(printable(machine));
      return exitCodeOfError(error);
    }
    if (!(error instanceof UsageError) && !(error instanceof RuntimeError)) throw error;
    const message = error instanceof UsageError ? error.message : indentRest(error.message);
    io.stderr.write(printable(`kprobe: ${message}\n`));
    return exitCodeOfError(error);
  }
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
      outputError: (text, write) => write(printable(text.replace(/^error: /, 'kprobe: '))),
    });
}

/** Adds a command with its options when the command line names it, otherwise only for the list in the help. */
async function addCommand(
  program: Command,
  { name, summary, add }: CommandEntry,
  words: readonly string[],
  context: CommandContext,
): Promise<void> {
  if (words.includes(name)) await add(program, context);
  else program.command(name);
  const hint = `(see ${program.name()} ${name} --help)`;
  const command = program.commands.at(-1);
  command?.summary(summary).showHelpAfterError(hint).addHelpText('after', DEFAULTS_HELP);
}
