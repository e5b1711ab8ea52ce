import { InvalidArgumentError, Option } from '@commander-js/extra-typings';

import { omitUndefined, type Pod } from '../../api/index.js';
import { PROBE_TYPES } from '../../kubelet/prober/probe-of.js';
import { similarName } from '../../manifest/similar-name.js';
import {
  parseRange,
  parseRate,
  parseWindow,
  RANGE_FORM,
  RATE_FORM,
  WINDOW_FORM,
} from '../../sim/behavior.js';
import {
  EMPTY_BEHAVIOR,
  missingTarget,
  type PodBehaviorSpec,
  type Targeted,
} from '../../sim/pod-scenario.js';
import { UsageError } from '../../usage-error.js';
import { duration, parsed } from './option-values.js';
import { withOptions } from './options.js';

type Collect<T> = (text: string, before?: readonly Targeted<T>[]) => readonly Targeted<T>[];

/** Parses `VALUE`, `CONTAINER=VALUE` or `CONTAINER.PROBE=VALUE`; the option can be repeated. */
function targeted<T>(form: string, parse: (text: string) => T | undefined): Collect<T> {
  const valueOf = parsed(form, parse);
  return (text, before = []) => {
    const at = text.indexOf('=');
    const value = valueOf(text.slice(at + 1));
    return [...before, { ...(at !== -1 && targetOf(text.slice(0, at))), value }];
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
  return { container, ...(probe !== undefined && { probe }) };
}

/** Rejects a probe as the target. */
function ofContainer<T>(collect: Collect<T>): Collect<T> {
  return (text, before) => {
    const collected = collect(text, before);
    if (collected.at(-1)?.probe === undefined) return collected;
    throw new InvalidArgumentError('It applies to a container, not to a probe.');
  };
}

const spreads = targeted(RANGE_FORM, parseRange);
const windows = targeted(WINDOW_FORM, parseWindow);
const rates = targeted(RATE_FORM, parseRate);
const durations = targeted('a duration', duration);
const exitCodes = targeted('an exit code from 0 to 255', (text) =>
  /^\d{1,3}$/.test(text) && Number(text) <= 255 ? Number(text) : undefined,
);

/** Flags that describe how containers behave; times are in milliseconds. */
type BehaviorFlags = { readonly [F in keyof PodBehaviorSpec]?: PodBehaviorSpec[F] | undefined };

function option<T>(flags: string, description: string, parse: Collect<T>): Option {
  return new Option(flags, description).argParser(parse);
}

export const withBehavior = withOptions<BehaviorFlags>([
  option('--ready-after <[target=]time>', 'nothing answers before this time', spreads),
  option('--latency <[target=]time>', 'how long an answer takes', spreads),
  option('--hangs-at <[target=]from..to>', 'nothing answers during this time', windows),
  option('--fail-rate <[target=]share>', 'share of attempts that fail: 2%', rates),
  option(
    '--dies-after <[target=]time>',
    'the container exits by itself after this long',
    ofContainer(spreads),
  ),
  option('--exit-code <[target=]code>', 'its exit code (1)', ofContainer(exitCodes)),
  option(
    '--stop-takes <[target=]time>',
    'how long it takes to stop after TERM',
    ofContainer(durations),
  ),
]);

export function behaviorSpecOf(flags: BehaviorFlags): PodBehaviorSpec {
  const { readyAfter, diesAfter, exitCode, hangsAt, latency, failRate, stopTakes } = flags;
  const behavior = { readyAfter, diesAfter, exitCode, hangsAt, latency, failRate, stopTakes };
  return { ...EMPTY_BEHAVIOR, ...omitUndefined(behavior) };
}

/** Throws a UsageError for a container or a probe that no pod has. */
export function checkBehaviorTargets(behavior: PodBehaviorSpec, pods: readonly Pod[]): void {
  for (const target of Object.values(behavior).flat() as Targeted<unknown>[])
    checkTarget(target, pods);
}

function checkTarget(target: Targeted<unknown>, pods: readonly Pod[]): void {
  const missing = missingTarget(target, pods);
  if (missing === undefined) return;
  const near = similarName(target.container ?? '', missing.known);
  const hint =
    near === undefined || near === target.container
      ? `known: ${missing.known.join(', ') || 'none'}`
      : `did you mean "${near}"?`;
  throw new UsageError(`${missing.message} (${hint})`);
}
