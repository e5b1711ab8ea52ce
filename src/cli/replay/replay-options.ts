import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';

import {
  choice,
  collect,
  colorOption,
  duration,
  quietOption,
  reportOption,
  secretsOption,
} from '../shared/options.js';
import { OUTPUTS } from '../shared/shown-run.js';

/** Times are in milliseconds. */
export type ReplayFlags = ReturnType<ReturnType<typeof replayOptions>['opts']>;

export function replayOptions(program: Command) {
  return program
    .command('replay')
    .description(
      `Show a recorded run (kprobe run --record, -o json, or ctrl-s in the terminal UI) as it was shown live, and end with its exit code.

With --set, show what the kubelet would have decided with other settings: the recorded behavior drives the simulator, and what was never observed is reported. The exit code is then that of the simulated run.`,
    )
    .argument('<trace>', 'a trace; - is standard input')
    .option(
      '--set <container.probe.field=value>',
      'change a setting, such as app.livenessProbe.timeoutSeconds=2',
      collect,
    )
    .option(
      '--speed <factor>',
      'playback speed; max shows all at once (1 in the terminal UI, otherwise max)',
      speed,
    )
    .option('--until <time>', 'stop at this time of the recording', duration)
    .option('--partial', 'use the intact lines of a trace that is cut off or damaged')
    .addOption(
      choice(
        '-o, --output <format>',
        'lines, the trace as NDJSON, or the status as YAML; with --set, json shows the difference',
        OUTPUTS,
      ),
    )
    .addOption(reportOption())
    .addOption(secretsOption())
    .addOption(quietOption())
    .option('--plain', 'print lines, even on a terminal')
    .addOption(colorOption())
    .option('--no-hints', 'no hints about likely causes')
    .option('--logs', 'with lines, show what the command wrote')
    .option('-v, --verbose', 'with lines, show every attempt');
}

function speed(text: string): number {
  if (text === 'max') return Infinity;
  const factor = Number(text);
  if (!/^\d*\.?\d+$/.test(text) || factor <= 0 || factor > 1e6) {
    throw new InvalidArgumentError('Write a factor such as 4 or 0.5, or max.');
  }
  return factor;
}
