import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';

import { choice, collect, colorOption, duration } from '../shared/options.js';
import { OUTPUTS } from '../shared/shown-run.js';

/** Times are in milliseconds. */
export type ReplayFlags = ReturnType<ReturnType<typeof replayOptions>['opts']>;

/** Adds `kprobe replay` to the program. */
export function replayOptions(program: Command) {
  return program
    .command('replay')
    .description(
      `Show a run that was recorded (kprobe run --record, -o json, or ctrl-s in the terminal UI) as it was shown live, and end with its exit code.

With --set, answer what the kubelet would have decided with other settings: the recorded behaviour drives the simulator, and what was never observed is said. The exit code is then that of the simulated run.`,
    )
    .argument('<trace>', 'a trace; - is standard input')
    .option(
      '--set <container.probe.field=value>',
      'another setting, such as app.livenessProbe.timeoutSeconds=2',
      collect,
    )
    .option(
      '--speed <factor>',
      'how many times as fast; max: all at once (1 in the terminal UI, else max)',
      speed,
    )
    .option('--until <time>', 'only so much of it', duration)
    .option('--partial', 'use what is whole of a trace that is cut off or damaged')
    .addOption(
      choice(
        '-o, --output <format>',
        'lines, the trace as NDJSON, or the status as YAML; with --set, json is the difference',
        OUTPUTS,
      ),
    )
    .option('--plain', 'lines, also on a terminal')
    .addOption(colorOption())
    .option('--no-hints', 'on the terminal, no guesses at what is behind a failure')
    .option('--logs', 'in lines, show what the command wrote')
    .option('-v, --verbose', 'in lines, show every attempt');
}

function speed(text: string): number {
  if (text === 'max') return Infinity;
  const factor = Number(text);
  if (!/^\d*\.?\d+$/.test(text) || factor <= 0 || factor > 1e6) {
    throw new InvalidArgumentError('Write a factor such as 4 or 0.5, or max.');
  }
  return factor;
}
