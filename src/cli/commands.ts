import type { Command } from 'commander';

import type { Done } from './shared/done.js';
import type { Io } from './shared/io.js';

/** Adds a command to the program; the last argument is the command line after `--`. */
export type AddCommand = (
  program: Command,
  io: Io,
  done: Done,
  commandLine: readonly string[] | undefined,
) => void;

/** A command as the help lists it. Its options, and what it does, are loaded when it is called. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<AddCommand>;
}

/** The commands, in the order of the help. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'run',
    summary: "run a manifest's probes against a live target",
    load: async () => (await import('./run/run-options.js')).addRun,
  },
  {
    name: 'once',
    summary: 'make one attempt of a probe',
    load: async () => (await import('./once/once-options.js')).addOnce,
  },
  {
    name: 'replay',
    summary: 'show a recorded run again, or with other settings',
    load: async () => (await import('./replay/replay-options.js')).addReplay,
  },
  {
    name: 'suggest',
    summary: 'propose probe settings from a recorded run',
    load: async () => (await import('./suggest/suggest-options.js')).addSuggest,
  },
  {
    name: 'simulate',
    summary: 'see what the kubelet would do, in virtual time',
    load: async () => (await import('./simulate/simulate-options.js')).addSimulate,
  },
  {
    name: 'validate',
    summary: 'say what an API server would answer to manifests',
    load: async () => (await import('./validate/validate-options.js')).addValidate,
  },
  {
    name: 'lint',
    summary: 'say what is unwise about the probes of manifests, and mend it',
    load: async () => (await import('./lint/lint-options.js')).addLint,
  },
  {
    name: 'explain',
    summary: "say what a pod's settings come to in time",
    load: async () => (await import('./explain/explain-options.js')).addExplain,
  },
  {
    name: 'diff',
    summary: 'say what a changed manifest does to pods, and when its probes act',
    load: async () => (await import('./diff/diff-options.js')).addDiff,
  },
  {
    name: 'import',
    summary: 'write the probes that correspond to a HEALTHCHECK',
    load: async () => (await import('./import/import-options.js')).addImport,
  },
  {
    name: 'down',
    summary: 'remove the pods that runs have left',
    load: async () => (await import('./down/down-command.js')).addDown,
  },
];
