import type { Command } from '@commander-js/extra-typings';

import { EXIT } from '../../cli/shared/exit-code.js';
import { type CommandInput, type Io, orAborted, write } from '../../cli/shared/io.js';
import { OPTIONS } from '../../cli/shared/options.js';
import { RealClock } from '../../clock/real-clock.js';
import { connectEngine } from '../../runtime/container/connect-engine.js';
import { down } from '../../session/create/create-target.js';

export function options(program: Command) {
  return program
    .command('down')
    .description(
      'Remove pods that kprobe run --create has left, because of --keep or because it was killed. Pods of a running kprobe stay.',
    )
    .addOption(OPTIONS.runtime())
    .addOption(OPTIONS.quiet())
    .option('--all', 'also remove pods of a running kprobe');
}

type DownFlags = ReturnType<ReturnType<typeof options>['opts']>;

export async function command({ flags }: CommandInput<DownFlags>, io: Io): Promise<number> {
  const { runtime: engine = 'docker', all = false } = flags;
  const work = connectEngine(engine, new RealClock(), io.host).then((found) =>
    down(found, io.host, all),
  );
  const { removed, kept } = await orAborted(io.signal, work);
  const lines = [
    ...removed.map((name) => `removed ${name}\n`),
    ...kept.map((name) => `left ${name}: a running kprobe uses it\n`),
  ];
  await write(io.stdout, lines.join('') || 'nothing was left\n');
  return EXIT.success;
}
