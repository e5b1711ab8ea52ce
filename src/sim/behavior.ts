import { type Container, omitUndefined } from '../api/index.js';
import type { Random } from '../clock/clock.js';
import { parseDuration } from '../go/duration.js';
import type { ProbeType } from '../trace/event.js';
import { probeEndpoints } from './endpoint.js';

/** The answers of an app. Times count from the container's start, in milliseconds. */
export interface Behavior {
  /** Time before which nothing listens. */
  readonly closedUntil?: Range;
  /** Time before which the app answers that it is not ready. */
  readonly notReadyUntil?: Range;
  /** Windows without answers: requests wait for the end. */
  readonly hangsAt?: readonly Range[];
  readonly latency?: Range;
  /** Share of failing answers, from 0 to 1. */
  readonly failRate?: number;
}

export interface Reply {
  readonly kind: 'ok' | 'fails' | 'notReady' | 'closed';
  /** Milliseconds; Infinity when there is no answer. */
  readonly takes: number;
}

/** The amounts that a container draws once per run: a range gives the same amount each time. */
export class RunDraws {
  readonly #drawn = new Map<Range, number>();

  constructor(private readonly random: Random) {}

  of(range: Range): number {
    const known = this.#drawn.get(range);
    if (known !== undefined) return known;
    const amount = draw(range, this.random);
    this.#drawn.set(range, amount);
    return amount;
  }
}

/** The progress of a container's run. */
interface RunProgress {
  /** Milliseconds since the start. */
  readonly age: number;
  /** Milliseconds of that age during which the container had the CPU that it needs; the age when absent. */
  readonly work?: number;
  /** Factor by which answers take longer; 1 when absent. */
  readonly slowness?: number;
}

/** Returns the answer that comes now; `defaultLatency` is the latency of a behavior without one. */
export function replyOf(
  behavior: Behavior,
  { age, work = age, slowness = 1 }: RunProgress,
  defaultLatency: number,
  draws: RunDraws,
  random: Random,
): Reply {
  const { closedUntil, notReadyUntil, latency, failRate, hangsAt } = behavior;
  if (closedUntil !== undefined && work < draws.of(closedUntil)) {
    return { kind: 'closed', takes: defaultLatency };
  }
  const answers = (latency === undefined ? defaultLatency : draw(latency, random)) * slowness;
  const fails = failRate !== undefined && random() < failRate;
  const takes = withHangs(answers, age, hangsAt ?? []);
  if (notReadyUntil !== undefined && work < draws.of(notReadyUntil)) {
    return { kind: 'notReady', takes };
  }
  return { kind: fails ? 'fails' : 'ok', takes };
}

function withHangs(takes: number, age: number, windows: readonly Range[]): number {
  const hang = windows.find(({ from, to }) => age < to && age + takes > from);
  return hang === undefined ? takes : hang.to - age + takes;
}

/** A uniformly distributed amount in milliseconds. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Draws an amount; an exact one uses no random number. */
export function draw({ from, to }: Range, random: Random): number {
  return from === to ? from : from + random() * (to - from);
}

/** The given behavior of a container or of one of its probes. */
export interface BehaviorSpec {
  readonly readyAfter?: Range;
  readonly hangsAt?: readonly Range[];
  readonly latency?: Range;
  readonly failRate?: number;
}

export interface RunBehaviorSpec {
  readonly container: BehaviorSpec;
  readonly probes: Readonly<Partial<Record<ProbeType, BehaviorSpec>>>;
}

interface RunBehaviors {
  readonly behaviors: Readonly<Record<string, Behavior>>;
  /** Answers to the requests of clients. */
  readonly requests?: Behavior;
  /** Probes of the same endpoint with different behaviors: the app cannot tell them apart. */
  readonly conflicts: readonly (readonly [ProbeType, ProbeType])[];
}

/** Returns the behavior of each endpoint of a container's probes, and of clients' requests. */
export function runBehaviors(container: Container, spec: RunBehaviorSpec): RunBehaviors {
  const behaviors: Record<string, Behavior> = {};
  const owners = new Map<string, ProbeType>();
  const conflicts: [ProbeType, ProbeType][] = [];
  for (const [type, endpoint] of probeEndpoints(container)) {
    const probeSpec = spec.probes[type];
    const owner = owners.get(endpoint);
    if (probeSpec !== undefined && owner !== undefined) conflicts.push([owner, type]);
    else if (probeSpec !== undefined) owners.set(endpoint, type);
    if (probeSpec === undefined && behaviors[endpoint] !== undefined) continue;
    behaviors[endpoint] = behaviorOf(spec.container, probeSpec ?? {}, endpoint);
  }
  const requests = behaviorOf(spec.container, {}, '');
  return {
    behaviors,
    conflicts,
    ...(Object.keys(requests).length > 0 && { requests }),
  };
}

function behaviorOf(container: BehaviorSpec, probe: BehaviorSpec, endpoint: string): Behavior {
  // The kernel accepts TCP connections, also for an app that hangs or is slow.
  const shared = endpoint.startsWith('tcp ') ? {} : container;
  return omitUndefined({
    closedUntil: container.readyAfter,
    notReadyUntil: probe.readyAfter,
    hangsAt: probe.hangsAt ?? shared.hangsAt,
    latency: probe.latency ?? shared.latency,
    failRate: probe.failRate ?? container.failRate,
  });
}

/** The syntax of each amount, for messages. */
export const RANGE_FORM = 'a duration such as "200ms", "200ms±50ms" (or +-) or "100ms..300ms"';
export const WINDOW_FORM = 'a window such as "60s..90s", or "60s.." without an end';
export const RATE_FORM = 'a share such as "2%" or "0.02"';

/** Parses `200ms`, `200ms±50ms`, `200ms+-50ms` or `100ms..300ms`. */
export function parseRange(text: string): Range | undefined {
  const [center = '', deviation, more] = text.split(/\s*(?:±|\+-|\+\/-)\s*/);
  if (more !== undefined) return undefined;
  if (deviation !== undefined) {
    const [amount, tolerance] = [positive(center), positive(deviation)];
    if (amount === undefined || tolerance === undefined) return undefined;
    return { from: Math.max(0, amount - tolerance), to: amount + tolerance };
  }
  const range = parseWindow(text);
  if (range !== undefined) return Number.isFinite(range.to) ? range : undefined;
  const exact = positive(text);
  return exact === undefined ? undefined : { from: exact, to: exact };
}

/** Parses `60s..90s`, or `60s..` without an end. */
export function parseWindow(text: string): Range | undefined {
  const match = /^(.+?)\s*\.\.\s*(.*)$/.exec(text);
  if (match === null) return undefined;
  const [, begin = '', end = ''] = match;
  const from = positive(begin);
  const to = end === '' ? Infinity : positive(end);
  if (from === undefined || to === undefined || to < from) return undefined;
  return { from, to };
}

/** Parses `2%` or `0.02`, from 0 to 1. */
export function parseRate(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?|\.\d+)\s*(%?)$/.exec(text);
  if (match === null) return undefined;
  const rate = Number(match[1]) / (match[2] === '%' ? 100 : 1);
  return rate <= 1 ? rate : undefined;
}

function positive(text: string): number | undefined {
  const milliseconds = parseDuration(text);
  return milliseconds !== undefined && milliseconds >= 0 ? milliseconds : undefined;
}
