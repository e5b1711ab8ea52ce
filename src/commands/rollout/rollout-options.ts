import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';

import { withBehavior } from '../../cli/shared/behavior-options.js';
import {
  duration,
  nodeCount,
  parsed,
  positiveDuration,
  wholeNumber,
} from '../../cli/shared/option-values.js';
import { choice, KUBELET, withOptions, withShared } from '../../cli/shared/options.js';
import type { Relations } from '../../cli/shared/relations.js';
import { PROPAGATION } from '../../rollout/traffic/proxy.js';
import type { TrafficLoad } from '../../rollout/traffic/traffic.js';
import { parseRange, RANGE_FORM } from '../../sim/behavior.js';
import {
  type Dependency,
  DEPENDENCY_FORM,
  type Faults,
  type Outage,
  OUTAGE_FORM,
  parseDependency,
  parseOutage,
  parseSlow,
  parseStarve,
  SLOW_FORM,
  type Slowdown,
  STARVE_FORM,
} from '../../sim/faults.js';
import { UsageError } from '../../usage-error.js';

const EXIT_CODES = `
Not simulated: autoscalers, quotas, custom controllers, affinity and the room on
nodes (a pod goes to the node with the fewest pods), pulls of images, volumes.
kprobe names what the files have of these, and what it assumes instead.

Exit codes:
  0    rolled out, and no request failed
  1    not rolled out, or a request failed; with --drain also: at the end a node
       is not empty, or replicas are missing
  2    usage or manifest error`;

/** Times are in milliseconds. */
export type RolloutFlags = ReturnType<ReturnType<typeof options>['opts']>;

const RATE = ['rate'] as const;

export const relations: Relations<RolloutFlags> = {
  requires: {
    serviceTime: RATE,
    clientTimeout: RATE,
    keepAlive: RATE,
    onTerm: RATE,
    propagation: RATE,
  },
  outputs: { runs: ['text', 'json'], compare: ['text'] },
};

interface Drain {
  readonly node: string;
  readonly at: number;
}

/** Parses `node-2@60s`; the option can be repeated. */
function drains(text: string, before: readonly Drain[] = []): readonly Drain[] {
  const [node = '', time = '', more] = text.split('@');
  if (!/^node-[1-9]\d*$/.test(node) || time === '' || more !== undefined) {
    throw new InvalidArgumentError('Write a node and a time: node-2@60s.');
  }
  return [...before, { node, at: duration(time) }];
}

/** Milliseconds. */
const DEFAULT_SERVICE_TIME = { from: 50, to: 50 };

/** Times are in milliseconds. */
interface TrafficFlags {
  readonly rate?: number | undefined;
  readonly serviceTime?: TrafficLoad['serviceTime'] | undefined;
  readonly clientTimeout?: number | undefined;
  readonly keepAlive?: true | undefined;
  readonly onTerm?: string | undefined;
  readonly propagation?: TrafficLoad['propagation'] | undefined;
  readonly outage?: readonly Outage[] | undefined;
  readonly depends?: readonly Dependency[] | undefined;
  readonly starve?: readonly Slowdown[] | undefined;
  readonly slow?: readonly Slowdown[] | undefined;
}

function repeatable<T>(form: string, parse: (text: string) => T | undefined) {
  const valueOf = parsed(form, parse);
  return (text: string, before: readonly T[] = []): readonly T[] => [...before, valueOf(text)];
}

function parseRequestRate(text: string): number | undefined {
  const [, number = ''] = /^(\d+(?:\.\d+)?)(?:\/s)?$/.exec(text) ?? [];
  return Number(number) > 0 ? Number(number) : undefined;
}

const spread = parsed(RANGE_FORM, parseRange);
const rate = parsed('a number of requests a second: 200/s', parseRequestRate);

const withTraffic = withOptions<TrafficFlags>([
  new Option('--rate <requests>', 'send so many requests to the Service: 200/s').argParser(rate),
  new Option('--service-time <time>', 'how long a request takes (50ms)').argParser(spread),
  new Option('--client-timeout <time>', 'clients give up after this long').argParser(
    positiveDuration,
  ),
  new Option('--keep-alive', 'clients reuse their connections, also those to removed endpoints'),
  new Option(
    '--on-term <action>',
    'at TERM the app closes its connections and finishes its requests, or serves until it ends (close)',
  ).choices(['close', 'serve']),
  new Option(
    '--propagation <time>',
    'time from a change of an endpoint to the rules of each node (50ms..1050ms)',
  ).argParser(spread),
  new Option(
    '--outage <name=from..to>',
    'something that pods depend on is down: db=60s..150s; without --to or --restart nothing is rolled out',
  ).argParser(repeatable(OUTAGE_FORM, parseOutage)),
  new Option(
    '--depends <who:name>',
    'probes, endpoints or requests that fail in an outage: readiness:db, app.liveness:db, /ready:db, requests:db=40%',
  ).argParser(repeatable(DEPENDENCY_FORM, parseDependency)),
  new Option(
    '--starve <share@from..to>',
    'all containers get this share of the CPU that they need: 0.2@30s..90s',
  ).argParser(repeatable(STARVE_FORM, parseStarve)),
  new Option('--slow <factor@from..to>', 'all answers take longer: 3x@30s..90s').argParser(
    repeatable(SLOW_FORM, parseSlow),
  ),
]);

export function options(program: Command) {
  const simulated = withShared(withTraffic(withBehavior(command(program))), 'simulatedTime').option(
    '--compare <file>',
    'show the rollout of this manifest beside that of the other: --compare a.yaml b.yaml',
  );
  const shown = withShared(simulated, 'runs', 'seed', 'exclude', 'noValidate', ...KUBELET)
    .addOption(
      choice('-o, --output <format>', 'text, every change as NDJSON, or a chart as SVG (text)', [
        'text',
        'json',
        'svg',
      ]),
    )
    .addOption(
      new Option('--tui', 'play the rollout in the terminal UI, then print the answer').conflicts([
        'output',
        'runs',
        'compare',
      ]),
    );
  return withShared(shown, 'report', 'quiet', 'color').addHelpText('after', EXIT_CODES);
}

function command(program: Command) {
  const named = program
    .command('rollout')
    .description(
      `See in virtual time how a Deployment, StatefulSet or DaemonSet rolls out: the controllers of Kubernetes v1.36 with a simulated kubelet for each pod. Nothing is started.

Old pods run and are available when the rollout begins. Without --to, the same manifest is rolled out again, as by kubectl rollout restart. The options for containers describe the new pods, those for latency and stopping the old ones too; times count from each start of a container.`,
    )
    .usage('[options] <manifests...>')
    .argument(
      '[manifests...]',
      'files and folders with the workload, its Service and its PodDisruptionBudget; - for standard input',
    );
  return withShared(named, 'filename')
    .option('--to <file>', 'the manifest of the new version')
    .option('--workload <name>', 'roll out this workload of several')
    .option(
      '--replicas <number>',
      'number of replicas, instead of that of the manifest',
      wholeNumber,
    )
    .option('--nodes <number>', 'number of nodes (3)', nodeCount)
    .option(
      '--drain <node@time>',
      'drain a node at this time: node-2@60s; without --to or --restart nothing is rolled out',
      drains,
    )
    .option('--restart', 'with --drain, --outage, --starve or --slow: also roll out');
}

export function hasOutage({ outage, starve, slow }: TrafficFlags): boolean {
  return [outage, starve, slow].some((each) => each !== undefined);
}

/** Returns the requests; undefined without a rate. */
export function trafficBy(flags: TrafficFlags): TrafficLoad | undefined {
  const { rate, serviceTime = DEFAULT_SERVICE_TIME, propagation = PROPAGATION, onTerm } = flags;
  if (rate === undefined) return undefined;
  return {
    rate,
    serviceTime,
    timeout: flags.clientTimeout,
    keepAlive: flags.keepAlive === true,
    onTerm: onTerm === 'serve' ? 'serve' : 'close',
    propagation,
  };
}

/** Returns the faults; throws a UsageError for an outage without dependents, and for a dependency without an outage. */
export function faultsBy(flags: TrafficFlags): Faults {
  const { outage = [], depends = [], starve = [], slow = [] } = flags;
  for (const { name } of outage) {
    if (depends.some(({ on }) => on === name)) continue;
    throw new UsageError(`no probe depends on ${name}: add --depends readiness:${name}`);
  }
  for (const { on } of depends) {
    if (outage.some(({ name }) => on === name)) continue;
    throw new UsageError(`${on} has no outage: add --outage ${on}=60s..150s`);
  }
  if (flags.rate === undefined && depends.some(({ target }) => target.kind === 'requests')) {
    throw new UsageError('--depends requests:… needs requests: add --rate 200/s');
  }
  return { outages: outage, dependencies: depends, starved: starve, slow };
}
