import { type Command, Option } from 'commander';

import { ENGINE_NAMES, type EngineName } from '../../runtime/container/engine-kind.js';
import type { Done } from '../shared/done.js';
import { EXIT } from '../shared/exit-code.js';
import { type Io, write } from '../shared/io.js';
import { orAborted } from '../shared/or-interrupted.js';

interface DownFlags {
  readonly runtime: EngineName;
  readonly all?: boolean;
}

/** `kprobe down`. */
export function addDown(program: Command, io: Io, done: Done): void {
  program
    .command('down')
    .description(
      'Remove what kprobe run --create has made and left: with --keep, or because it was killed. What a running kprobe looks after stays.',
    )
    .addOption(
      new Option('--runtime <engine>', 'in which engine').choices(ENGINE_NAMES).default('docker'),
    )
    .option('--all', 'also what a running kprobe looks after')
    .action(async ({ runtime, all = false }: DownFlags) => {
      const [{ down }, { RealClock }, { escapeControl }] = await Promise.all([
        import('../../app/down.js'),
        import('../../clock/real-clock.js'),
        import('../../render/text/escape.js'),
      ]);
      const end = await orAborted(
        io.signal,
        down({ clock: new RealClock(), host: io.host, engine: runtime, all }),
      );
      if (end.kind === 'unreachable') {
        await write(io.stderr, `kprobe: ${escapeControl(end.message)}\n`);
        return done(EXIT.unknown);
      }
      const removed = end.removed.map((name) => `removed ${name}\n`);
      const spared = end.spared.map((name) => `left ${name}: a running kprobe looks after it\n`);
      const text = [...removed, ...spared].join('') || 'nothing was left\n';
      await write(io.stdout, text);
      done(EXIT.holds);
    });
}
