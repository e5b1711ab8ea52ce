import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';

import { PROBE_TYPES } from '../../kubelet/prober/probe-of.js';
import {
  parseRate,
  parseSpread,
  parseWindow,
  RATE_FORM,
  SPREAD_FORM,
  WINDOW_FORM,
} from '../../sim/parse-behaviour.js';
import type { Targeted } from '../../sim/pod-scenario.js';
import { withKube } from '../shared/cluster-options.js';
import {
  choice,
  colorOption,
  duration,
  excludeOption,
  filenameOption,
  noValidateOption,
  positiveDuration,
  positiveInteger,
  quietOption,
  reportOption,
  secretsOption,
} from '../shared/options.js';

type Collect<T> = (text: string, before?: readonly Targeted<T>[]) => readonly Targeted<T>[];

/** `VALUE`, `CONTAINER=VALUE` or `CONTAINER.PROBE=VALUE`, any number of times. */
function targeted<T>(form: string, parse: (text: string) => T | undefined): Collect<T> {
  return (text, before = []) => {
    const at = text.indexOf('=');
    const value = parse(text.slice(at + 1));
    if (value === undefined) throw new InvalidArgumentError(`Write ${form}.`);
    return [...before, { ...(at === -1 ? {} : targetOf(text.slice(0, at))), value }];
  };
}

function targetOf(text: string): Omit<Targeted<unknown>, 'value'> {
  const [container = '', written, more] = text.split('.');
  const probe = PROBE_TYPES.find((type) => type === written);
  if (container === '' || more !== undefined || (written !== undefined && probe === undefined)) {
    throw new InvalidArgumentError(
      `Before "=", write a container, or a container and a probe (${PROBE_TYPES.join(', ')}): app.readiness=…`,
    );
  }
  return { container, ...(probe === undefined ? {} : { probe }) };
}

/** Of what a probe has no part in. */
function ofContainer<T>(collect: Collect<T>): Collect<T> {
  return (text, before) => {
    const collected = collect(text, before);
    if (collected.at(-1)?.probe === undefined) return collected;
    throw new InvalidArgumentError('It applies to a container, not to a probe.');
  };
}

const spreads = targeted(SPREAD_FORM, parseSpread);
const windows = targeted(WINDOW_FORM, parseWindow);
const rates = targeted(RATE_FORM, parseRate);
const containerSpreads = ofContainer(spreads);
const containerDurations = ofContainer(targeted('a duration', duration));
const exitCodes = ofContainer(
  targeted('an exit code from 0 to 255', (text) =>
    /^\d{1,3}$/.test(text) && Number(text) <= 255 ? Number(text) : undefined,
  ),
);

const EXIT_CODES = `
Exit codes:
  0    every pod is ready at the end or has succeeded, and no container was restarted
  1    a container was restarted, whatever its exit code, or a pod failed or is not ready at the end
  3    a probe could not run`;

/** Times are in milliseconds. */
export type SimulateFlags = ReturnType<ReturnType<typeof simulateOptions>['opts']>;

function simulateWithBehaviour(program: Command) {
  return program
    .command('simulate')
    .description(
      `See in virtual time what the kubelet does with pods whose containers behave as the options or a scenario file say. Nothing is started or probed.

Times count from each start of a container. They apply to all containers, to one (app=25s), or to one probe (app.readiness=25s). Values may vary: 200ms±50ms (or +-), 100ms..300ms.`,
    )
    .usage('[options] <files...>')
    .argument(
      '[files...]',
      'manifests, folders of them, or scenario files (JSON or YAML, one or a list), which may refer to the pod of a manifest; - for standard input',
    )
    .addOption(filenameOption())
    .option('--ready-after <[target=]time>', 'nothing answers before this time', spreads)
    .option('--latency <[target=]time>', 'how long an answer takes', spreads)
    .option('--hangs-at <[target=]from..to>', 'nothing answers during this time', windows)
    .option('--fail-rate <[target=]share>', 'share of attempts that fail: 2%', rates)
    .option(
      '--dies-after <[target=]time>',
      'the container exits by itself after this long',
      containerSpreads,
    )
    .option('--exit-code <[target=]code>', 'its exit code (1)', exitCodes)
    .option(
      '--stop-takes <[target=]time>',
      'how long it takes to stop after TERM',
      containerDurations,
    )
    .option('--delete-at <time>', 'delete the pod at this time', duration)
    .addOption(excludeOption())
    .addOption(noValidateOption());
}

export function simulateOptions(program: Command) {
  return withKube(
    simulateWithRuns(program),
    'simulate the pods of this object of a cluster: deploy/web',
  ).addHelpText('after', EXIT_CODES);
}

function simulateWithRuns(program: Command) {
  return simulateWithBehaviour(program)
    .option('--for <time>', 'how long to simulate (10m)', positiveDuration)
    .option(
      '--runs <number>',
      'simulate this many times with different random values, and summarize',
      positiveInteger,
    )
    .option(
      '--seed <number>',
      'seed of the random values; without it, random waits take their average',
      positiveInteger,
    )
    .addOption(
      choice(
        '-o, --output <format>',
        'a timeline, lines, the trace as NDJSON, or the final status as YAML (timeline)',
        ['timeline', 'lines', 'json', 'yaml'],
      ),
    )
    .addOption(reportOption())
    .addOption(secretsOption())
    .option('--trace <folder>', 'write a trace per pod or scenario to a folder')
    .addOption(quietOption())
    .addOption(colorOption())
    .option('-v, --verbose', 'with lines, show every attempt');
}

/** True where flags describe the behavior of the containers. */
export function saysBehaviour(flags: SimulateFlags): boolean {
  return BEHAVIOUR_FLAGS.some((flag) => flags[flag] !== undefined);
}

const BEHAVIOUR_FLAGS = [
  'readyAfter',
  'diesAfter',
  'exitCode',
  'hangsAt',
  'latency',
  'failRate',
  'stopTakes',
  'deleteAt',
] as const satisfies readonly (keyof SimulateFlags)[];
