import type { Command } from '@commander-js/extra-typings';

import { down } from '../../app/down.js';
import { RealClock } from '../../clock/real-clock.js';
import { escapeControl } from '../../render/text/escape.js';
import { ENGINE_NAMES } from '../../runtime/container/engine-kind.js';
import { EXIT } from '../shared/exit-code.js';
import { type Io, orAborted, write } from '../shared/io.js';
import { choice } from '../shared/options.js';

/** Adds `kprobe down` to the program. */
export function downOptions(program: Command) {
  return program
    .command('down')
    .description(
      'Remove what kprobe run --create has made and left: with --keep, or because it was killed. What a running kprobe looks after stays.',
    )
    .addOption(choice('--runtime <engine>', 'in which engine', ENGINE_NAMES).default('docker'))
    .option('--all', 'also what a running kprobe looks after');
}

type DownFlags = ReturnType<ReturnType<typeof downOptions>['opts']>;

/** Resolves with the exit code. */
export async function downCommand(flags: DownFlags, io: Io): Promise<number> {
  const { runtime: engine, all = false } = flags;
  const options = { clock: new RealClock(), host: io.host, engine, all };
  const end = await orAborted(io.signal, down(options));
  if (end.kind === 'unreachable') {
    await write(io.stderr, `kprobe: ${escapeControl(end.message)}\n`);
    return EXIT.unknown;
  }
  const removed = end.removed.map((name) => `removed ${name}\n`);
  const spared = end.spared.map((name) => `left ${name}: a running kprobe looks after it\n`);
  await write(io.stdout, [...removed, ...spared].join('') || 'nothing was left\n');
  return EXIT.holds;
}
