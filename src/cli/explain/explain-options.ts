import { type Command, Option } from 'commander';

import type { Done } from '../shared/done.js';
import type { Io } from '../shared/io.js';
import { COLORS } from '../show/show-flags.js';
import { EXPLAIN_OUTPUTS, type ExplainFlags } from './explain-flags.js';

/** `kprobe explain`. */
export function addExplain(program: Command, io: Io, done: Done): void {
  program
    .command('explain')
    .description(
      'Say what the settings of pods come to in time: when a container is started, ready, not ready, killed, restarted and gone, at the earliest and at the latest, and why. Nothing is started.',
    )
    .usage('[options] <manifests...>')
    .argument('[manifests...]', 'files or folders; - is standard input')
    .option('-c, --container <name>', 'only this container')
    .addOption(
      new Option('-o, --output <format>', 'text, JSON, or a timeline as SVG (text)').choices(
        EXPLAIN_OUTPUTS,
      ),
    )
    .addOption(new Option('--color <when>', 'colours on the terminal (auto)').choices(COLORS))
    .action(async (manifests: string[], flags: ExplainFlags) => {
      const { explainCommand } = await import('./explain-command.js');
      done(await explainCommand(manifests, flags, io));
    });
}
