import type { Command } from '@commander-js/extra-typings';

import { type Io, unlessQuiet } from './shared/io.js';

/** Everything that an action needs beside its arguments and options. */
export interface CommandContext {
  readonly io: Io;
  /** The words after the first `--`. */
  readonly commandLine: readonly string[] | undefined;
  /** Takes the exit code. */
  readonly done: (exitCode: number) => void;
}

/** A command as the help lists it. Its options and its code are loaded when the command line names it. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly add: (program: Command, context: CommandContext) => Promise<unknown>;
}

/** Arguments and the values of `--filename`, in this order. */
function pathsOf(
  paths: readonly string[],
  { filename = [] }: { readonly filename?: readonly string[] | undefined },
): readonly string[] {
  return [...paths, ...filename];
}

/** The commands, in the order of the help. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'run',
    summary: "run a manifest's probes against a live target",
    add: async (program, { io, commandLine, done }) => {
      const { runOptions } = await import('./run/run-options.js');
      runOptions(program).action(async (manifests, flags) => {
        const { runCommand } = await import('./run/run-command.js');
        const paths = pathsOf(manifests, flags);
        done(await runCommand({ paths, flags, commandLine }, unlessQuiet(flags, io)));
      });
    },
  },
  {
    name: 'once',
    summary: 'make one attempt of a probe',
    add: async (program, { io, commandLine, done }) => {
      const { onceCommand, onceOptions } = await import('./once/once-command.js');
      onceOptions(program).action(async (manifests, flags) => {
        const paths = pathsOf(manifests, flags);
        done(await onceCommand({ paths, flags, commandLine }, unlessQuiet(flags, io)));
      });
    },
  },
  {
    name: 'replay',
    summary: 'show a recorded run again, or with other settings',
    add: async (program, { io, done }) => {
      const { replayOptions } = await import('./replay/replay-options.js');
      replayOptions(program).action(async (path, flags) => {
        const { replayCommand } = await import('./replay/replay-command.js');
        done(await replayCommand(path, flags, unlessQuiet(flags, io)));
      });
    },
  },
  {
    name: 'suggest',
    summary: 'propose probe settings from a recorded run',
    add: async (program, { io, done }) => {
      const { suggestCommand, suggestOptions } = await import('./suggest/suggest-command.js');
      suggestOptions(program).action(async (path, flags) =>
        done(await suggestCommand(path, flags, io)),
      );
    },
  },
  {
    name: 'simulate',
    summary: 'see what the kubelet would do, in virtual time',
    add: async (program, { io, done }) => {
      const { simulateOptions } = await import('./simulate/simulate-options.js');
      simulateOptions(program).action(async (files, flags) => {
        const { simulateCommand } = await import('./simulate/simulate-command.js');
        done(await simulateCommand(pathsOf(files, flags), flags, unlessQuiet(flags, io)));
      });
    },
  },
  {
    name: 'validate',
    summary: 'show how an API server would answer to manifests',
    add: async (program, { io, done }) => {
      const { validateCommand, validateOptions } = await import('./validate/validate-command.js');
      validateOptions(program).action(async (paths, flags) =>
        done(await validateCommand(pathsOf(paths, flags), flags, unlessQuiet(flags, io))),
      );
    },
  },
  {
    name: 'lint',
    summary: 'report risky probe settings, and fix them',
    add: async (program, { io, done }) => {
      const { lintOptions } = await import('./lint/lint-options.js');
      lintOptions(program).action(async (paths, flags) => {
        const { lintCommand } = await import('./lint/lint-command.js');
        done(await lintCommand(pathsOf(paths, flags), flags, unlessQuiet(flags, io)));
      });
    },
  },
  {
    name: 'explain',
    summary: 'show when probes fire, fail and restart the container',
    add: async (program, { io, done }) => {
      const { explainCommand, explainOptions } = await import('./explain/explain-command.js');
      explainOptions(program).action(async (paths, flags) =>
        done(await explainCommand(pathsOf(paths, flags), flags, io)),
      );
    },
  },
  {
    name: 'diff',
    summary: 'show what a changed manifest does to pods and to probe timing',
    add: async (program, { io, done }) => {
      const { diffCommand, diffOptions } = await import('./diff/diff-command.js');
      diffOptions(program).action(async (before, after, flags) =>
        done(await diffCommand(before, after, flags, unlessQuiet(flags, io))),
      );
    },
  },
  {
    name: 'import',
    summary: 'write probes that correspond to a HEALTHCHECK',
    add: async (program, { io, done }) => {
      const { importCommand, importOptions } = await import('./import/import-command.js');
      importOptions(program).action(async (paths, flags) =>
        done(await importCommand(pathsOf(paths, flags), flags, io)),
      );
    },
  },
  {
    name: 'down',
    summary: 'remove the pods that runs have left',
    add: async (program, { io, done }) => {
      const { downCommand, downOptions } = await import('./down/down-command.js');
      downOptions(program).action(async (flags) =>
        done(await downCommand(flags, unlessQuiet(flags, io))),
      );
    },
  },
];
