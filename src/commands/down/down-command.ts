import type { Command } from '@commander-js/extra-typings';

import { EXIT } from '../../cli/shared/exit-code.js';
import { awaitAnswer, type CommandInput, type Io, write } from '../../cli/shared/io.js';
import { withShared } from '../../cli/shared/options.js';
import { RealClock } from '../../clock/real-clock.js';
import { connectEngine } from '../../runtime/container/connect-engine.js';
import { engineWords } from '../../runtime/container/engine-kind.js';
import { down } from '../../session/create/create-target.js';

export function options(program: Command) {
  const command = program
    .command('down')
    .description(
      'Remove pods that kprobe run --create has left, because of --keep or because it was killed. Pods of a running kprobe stay.',
    );
  const engine = withShared(command, 'runtime', 'quiet');
  return engine.option('--all', 'also remove pods of a running kprobe');
}

type DownFlags = ReturnType<ReturnType<typeof options>['opts']>;

export async function command({ flags }: CommandInput<DownFlags>, io: Io): Promise<number> {
  const { runtime: engine = 'docker', all = false } = flags;
  const { removed, kept } = await awaitAnswer(engineWords(engine, io.env), {}, io, async () =>
    down(await connectEngine(engine, new RealClock(), io.host), io.host, all),
  );
  const lines = [
    ...removed.map((name) => `removed ${name}\n`),
    ...kept.map((name) => `left ${name}: a running kprobe uses it\n`),
  ];
  await write(io.stdout, lines.join('') || 'nothing was left\n');
  return EXIT.success;
}
