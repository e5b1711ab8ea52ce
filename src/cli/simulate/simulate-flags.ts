import { InvalidArgumentError } from 'commander';

import {
  parseRate,
  parseSpread,
  parseWindow,
  RATE_FORM,
  SPREAD_FORM,
  WINDOW_FORM,
} from '../../sim/parse-behaviour.js';
import type { Targeted } from '../../sim/pod-scenario.js';
import { PROBE_TYPES } from '../../sim/probe-types.js';
import type { Spread } from '../../sim/spread.js';
import { duration } from '../shared/options.js';
import type { COLORS } from '../show/show-flags.js';

export const SIMULATE_OUTPUTS = ['timeline', 'lines', 'json', 'yaml'] as const;

/** What the command line of `simulate` says; times are in milliseconds. */
export interface SimulateFlags {
  readonly readyAfter?: readonly Targeted<Spread>[];
  readonly diesAfter?: readonly Targeted<Spread>[];
  readonly exitCode?: readonly Targeted<number>[];
  readonly hangsAt?: readonly Targeted<Spread>[];
  readonly latency?: readonly Targeted<Spread>[];
  readonly failRate?: readonly Targeted<number>[];
  readonly stopTakes?: readonly Targeted<number>[];
  readonly deleteAt?: number;
  readonly for?: number;
  readonly seed?: number;
  readonly runs?: number;
  readonly trace?: string;
  readonly output?: (typeof SIMULATE_OUTPUTS)[number];
  readonly color?: (typeof COLORS)[number];
  readonly verbose?: boolean;
}

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
      `Before the "=" stands a container, or a container and a probe (${PROBE_TYPES.join(', ')}): app.readiness=…`,
    );
  }
  return { container, ...(probe === undefined ? {} : { probe }) };
}

/** Of what a probe has no part in. */
function ofContainer<T>(collect: Collect<T>): Collect<T> {
  return (text, before) => {
    const collected = collect(text, before);
    if (collected.at(-1)?.probe === undefined) return collected;
    throw new InvalidArgumentError('It is said of a container, not of a probe.');
  };
}

export const spreads = targeted(SPREAD_FORM, parseSpread);
export const windows = targeted(WINDOW_FORM, parseWindow);
export const rates = targeted(RATE_FORM, parseRate);
export const containerSpreads = ofContainer(spreads);
export const containerDurations = ofContainer(targeted('a duration', duration));
export const exitCodes = ofContainer(
  targeted('an exit code from 0 to 255', (text) =>
    /^\d{1,3}$/.test(text) && Number(text) <= 255 ? Number(text) : undefined,
  ),
);

/** Whether anything is said of what the containers do. */
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
