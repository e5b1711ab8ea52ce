import { type Command, Option } from 'commander';

import type { Done } from '../shared/done.js';
import type { Io } from '../shared/io.js';
import { duration, positiveDuration, positiveInteger } from '../shared/options.js';
import { COLORS } from '../show/show-flags.js';
import {
  containerDurations,
  containerSpreads,
  exitCodes,
  rates,
  SIMULATE_OUTPUTS,
  type SimulateFlags,
  spreads,
  windows,
} from './simulate-flags.js';

const EXIT_CODES = `
Exit codes:
  0    each pod is ready in the end, or has succeeded, and no container was restarted
  1    a container was restarted, whatever its exit code, or a pod failed or is not ready in the end
  3    a probe could not be made`;

/** `kprobe simulate`. */
export function addSimulate(program: Command, io: Io, done: Done): void {
  program
    .command('simulate')
    .description(
      `See in virtual time what the kubelet does with pods whose containers behave as the flags or a scenario file say. Nothing is started, and nothing is probed.

What is said of a container counts from its start, in each of its runs. It is said of all containers, or of one (app=25s), or of one probe (app.readiness=25s). Amounts may vary: 200ms±50ms (or +-), 100ms..300ms.`,
    )
    .usage('[options] <files...>')
    .argument(
      '[files...]',
      'manifests, or scenario files (JSON or YAML, one or a list), which may be about the pod of a manifest; - is standard input',
    )
    .option('--ready-after <[target=]time>', 'before that nothing answers', spreads)
    .option('--latency <[target=]time>', 'how long an answer takes', spreads)
    .option('--hangs-at <[target=]from..to>', 'in between it does not answer', windows)
    .option('--fail-rate <[target=]share>', 'so many answers are failures: 2%', rates)
    .option('--dies-after <[target=]time>', 'it exits by itself', containerSpreads)
    .option('--exit-code <[target=]code>', 'with that exit code (1)', exitCodes)
    .option(
      '--stop-takes <[target=]time>',
      'how long it takes to end after TERM',
      containerDurations,
    )
    .option('--delete-at <time>', 'the pod is deleted', duration)
    .option('--for <time>', 'how long to look (10m)', positiveDuration)
    .option(
      '--runs <number>',
      'so many runs, each with its own draws: how they come out',
      positiveInteger,
    )
    .option(
      '--seed <number>',
      'another draw of all that varies; without it the kubelet waits its average',
      positiveInteger,
    )
    .addOption(
      new Option(
        '-o, --output <format>',
        'a timeline, lines, the trace as NDJSON, or the status in the end as YAML (timeline)',
      ).choices(SIMULATE_OUTPUTS),
    )
    .option('--trace <folder>', 'write the trace of each pod or scenario into a folder')
    .addOption(new Option('--color <when>', 'colours on the terminal (auto)').choices(COLORS))
    .option('-v, --verbose', 'in lines, show every attempt')
    .addHelpText('after', EXIT_CODES)
    .action(async (files: string[], flags: SimulateFlags) => {
      const { simulateCommand } = await import('./simulate-command.js');
      done(await simulateCommand(files, flags, io));
    });
}
