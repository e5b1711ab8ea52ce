import { Argument, type Command } from '@commander-js/extra-typings';

import { UsageError } from '../../app/usage-error.js';
import { EXIT } from '../shared/exit-code.js';
import { type CommandInput, type Io, write } from '../shared/io.js';
import { COMPLETION_SCRIPTS } from './scripts.js';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

const SETUP = `
Load it where the shell starts:
  bash        echo 'source <(kprobe completion bash)' >> ~/.bashrc
  zsh         echo 'source <(kprobe completion zsh)' >> ~/.zshrc    (after compinit)
  fish        kprobe completion fish > ~/.config/fish/completions/kprobe.fish
  PowerShell  kprobe completion powershell | Out-String | Invoke-Expression    (in $PROFILE)`;

/** Adds `kprobe completion` to the program. */
export function completionOptions(program: Command) {
  return program
    .command('completion')
    .description(
      'Print a script that completes command lines of kprobe in a shell: commands, options, their values, and the containers, ports and probes of the manifests on the line.',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', SETUP);
}

/** `kprobe completion`: resolves with the exit code. */
export async function completionCommand(
  { paths: [shell = ''] }: CommandInput<object>,
  io: Io,
): Promise<number> {
  const script = COMPLETION_SCRIPTS.get(shell);
  if (script === undefined) throw new UsageError(`no completion for ${shell}`);
  await write(io.stdout, script);
  return EXIT.success;
}
