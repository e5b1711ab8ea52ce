import type { Command, OptionValues } from '@commander-js/extra-typings';

import { applyDefaults, withOrigin } from './shared/defaults.js';
import { type CommandInput, type Io, unlessQuiet } from './shared/io.js';

/** Everything that an action needs beside its arguments and options. */
export interface CommandContext extends Pick<CommandInput<unknown>, 'commandLine'> {
  readonly io: Io;
  /** Takes the exit code. */
  readonly done: (exitCode: number) => void;
}

/** A command as the help lists it. Its options and its code are loaded when the command line names it. */
export interface CommandEntry {
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
    ]
  >,
): CommandEntry {
  const add = async (program: Command, context: CommandContext): Promise<void> => {
    const { io, commandLine, done } = context;
    const [options, run] = await load();
    const added = options(program);
    added.action(async () => {
      const applied = await applyDefaults(added, io);
      const flags = added.opts();
      const { filename = [] } = flags as { readonly filename?: Files };
      const given = added.processedArgs.flat().filter((path) => path !== undefined);
      const paths = [...given, ...filename];
      const input = { paths, flags, commandLine };
      done(
        await run(input, unlessQuiet(flags, io)).catch((error: unknown) => {
          throw withOrigin(error, applied);
        }),
      );
    });
  };
  return { name, summary, add };
}

/** The commands, in the order of the help. */
export const COMMANDS: readonly CommandEntry[] = [
  command('run', "run a manifest's probes against a live target", async () => {
    const { runCommand, runOptions } = await import('./run/run-command.js');
    return [runOptions, runCommand];
  }),
  command('watch', "watch pods of a cluster beside their kubelets' decisions", async () => {
    const { watchCommand, watchOptions } = await import('./watch/watch-command.js');
    return [watchOptions, watchCommand];
  }),
  command('once', 'make one attempt of a probe', async () => {
    const { onceCommand, onceOptions } = await import('./once/once-command.js');
    return [onceOptions, onceCommand];
  }),
  command('replay', 'show a recorded run again, or with other settings', async () => {
    const { replayCommand, replayOptions } = await import('./replay/replay-command.js');
    return [replayOptions, replayCommand];
  }),
  command('suggest', 'propose probe settings from a recorded run', async () => {
    const { suggestCommand, suggestOptions } = await import('./suggest/suggest-command.js');
    return [suggestOptions, suggestCommand];
  }),
  command('ci', 'check a pod in one go: valid, started, ready, alive, shut down', async () => {
    const { ciCommand, ciOptions } = await import('./ci/ci-command.js');
    return [ciOptions, ciCommand];
  }),
  command('simulate', 'see what the kubelet would do, in virtual time', async () => {
    const { simulateCommand, simulateOptions } = await import('./simulate/simulate-command.js');
    return [simulateOptions, simulateCommand];
  }),
  command('rollout', 'see a rollout and its outages, in virtual time', async () => {
    const { rolloutCommand, rolloutOptions } = await import('./rollout/rollout-command.js');
    return [rolloutOptions, rolloutCommand];
  }),
  command('validate', 'show how an API server would answer to manifests', async () => {
    const { validateCommand, validateOptions } = await import('./validate/validate-command.js');
    return [validateOptions, validateCommand];
  }),
  command('lint', 'report risky probe settings, and fix them', async () => {
    const { lintCommand, lintOptions } = await import('./lint/lint-command.js');
    return [lintOptions, lintCommand];
  }),
  command('explain', 'show when probes fire, fail and restart the container', async () => {
    const { explainCommand, explainOptions } = await import('./explain/explain-command.js');
    return [explainOptions, explainCommand];
  }),
  command('diff', 'show what a changed manifest does to pods and to probe timing', async () => {
    const { diffCommand, diffOptions } = await import('./diff/diff-command.js');
    return [diffOptions, diffCommand];
  }),
  command('import', 'write probes that correspond to a HEALTHCHECK', async () => {
    const { importCommand, importOptions } = await import('./import/import-command.js');
    return [importOptions, importCommand];
  }),
  command('down', 'remove the pods that runs have left', async () => {
    const { downCommand, downOptions } = await import('./down/down-command.js');
    return [downOptions, downCommand];
  }),
  command('mcp', 'serve kprobe to assistants (Model Context Protocol)', async () => {
    const { mcpCommand, mcpOptions } = await import('./mcp/mcp-command.js');
    return [mcpOptions, mcpCommand];
  }),
  command('doctor', 'check what kprobe needs on this machine', async () => {
    const { doctorCommand, doctorOptions } = await import('./doctor/doctor-command.js');
    return [doctorOptions, doctorCommand];
  }),
  command('version', 'print the versions of kprobe, the kubelet and Node', async () => {
    const { versionCommand, versionOptions } = await import('./version/version-command.js');
    return [versionOptions, versionCommand];
  }),
  command('completion', 'print the completion script of a shell', async () => {
    const { completionCommand, completionOptions } =
      await import('./completion/completion-command.js');
    return [completionOptions, completionCommand];
  }),
];
