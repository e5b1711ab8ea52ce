import { type Container, omitUndefined } from '../api/index.js';
import type { Random } from '../clock/clock.js';
import { parseDuration } from '../go/duration.js';
import type { ProbeType } from '../trace/event.js';
import { probeEndpoints } from './endpoint.js';

/** The answers of an app. Times count from the container's start, in milliseconds. */
export interface Behaviour {
  /** Nothing listens before. */
  readonly closedUntil?: Spread;
  /** The app answers that it is not ready before. */
  readonly unreadyUntil?: Spread;
  /** Windows without answers: requests wait for the end. */
  readonly hangsAt?: readonly Spread[];
  readonly latency?: Spread;
  /** Share of failing answers, from 0 to 1. */
  readonly failRate?: number;
}

export interface Reply {
  readonly kind: 'ok' | 'fails' | 'unready' | 'closed';
  /** Milliseconds; Infinity when there is no answer. */
  readonly takes: number;
}

/** The amounts that a container draws once a run: all uses of a spread get the same one. */
export class RunDraws {
  readonly #drawn = new Map<Spread, number>();

  constructor(private readonly random: Random) {}

  of(spread: Spread): number {
    const known = this.#drawn.get(spread);
    if (known !== undefined) return known;
    const amount = draw(spread, this.random);
    this.#drawn.set(spread, amount);
    return amount;
  }
}

export interface Moment {
  /** Milliseconds since its start. */
  readonly age: number;
  /** Milliseconds of work since its start, with all the CPU that it needs; the age when absent. */
  readonly work?: number;
  /** Factor by which answers take longer; 1 when absent. */
  readonly slowness?: number;
}

/** Returns the answer at that moment; `usual` is the latency when the behavior has none. */
export function replyOf(
  behaviour: Behaviour,
  { age, work = age, slowness = 1 }: Moment,
  usual: number,
  draws: RunDraws,
  random: Random,
): Reply {
  const { closedUntil, unreadyUntil, latency, failRate, hangsAt } = behaviour;
  if (closedUntil !== undefined && work < draws.of(closedUntil)) {
    return { kind: 'closed', takes: usual };
  }
  const answers = (latency === undefined ? usual : draw(latency, random)) * slowness;
  const fails = failRate !== undefined && random() < failRate;
  const takes = withHangs(answers, age, hangsAt ?? []);
  if (unreadyUntil !== undefined && work < draws.of(unreadyUntil)) {
    return { kind: 'unready', takes };
  }
  return { kind: fails ? 'fails' : 'ok', takes };
}

/** Delays an answer that is due in a hang to its end. */
function withHangs(takes: number, age: number, windows: readonly Spread[]): number {
  const hang = windows.find(({ from, to }) => age < to && age + takes > from);
  return hang === undefined ? takes : hang.to - age + takes;
}

/** A uniformly distributed amount in milliseconds. */
export interface Spread {
  readonly from: number;
  readonly to: number;
}

/** Draws an amount; an exact one uses no random number. */
export function draw({ from, to }: Spread, random: Random): number {
  return from === to ? from : from + random() * (to - from);
}

/** The given behavior of a container or of one of its probes. */
export interface SaidBehaviour {
  readonly readyAfter?: Spread;
  readonly hangsAt?: readonly Spread[];
  readonly latency?: Spread;
  readonly failRate?: number;
}

export interface SaidOfRun {
  readonly container: SaidBehaviour;
  readonly probes: Readonly<Partial<Record<ProbeType, SaidBehaviour>>>;
}

interface RunBehaviours {
  /** By endpoint. */
  readonly behaviours: Readonly<Record<string, Behaviour>>;
  /** Towards clients' requests, which no probe asks. */
  readonly requests?: Behaviour;
  /** Probes of the same endpoint with different behaviors: the app cannot tell them apart. */
  readonly conflicts: readonly (readonly [ProbeType, ProbeType])[];
}

/** Returns the behavior of each endpoint of a container's probes, and of clients' requests. */
export function runBehaviours(container: Container, said: SaidOfRun): RunBehaviours {
  const behaviours: Record<string, Behaviour> = {};
  const owners = new Map<string, ProbeType>();
  const conflicts: [ProbeType, ProbeType][] = [];
  for (const [type, endpoint] of probeEndpoints(container)) {
    const own = said.probes[type];
    const owner = owners.get(endpoint);
    if (own !== undefined && owner !== undefined) conflicts.push([owner, type]);
    else if (own !== undefined) owners.set(endpoint, type);
    if (own === undefined && behaviours[endpoint] !== undefined) continue;
    behaviours[endpoint] = behaviourOf(said.container, own ?? {}, endpoint);
  }
  const requests = behaviourOf(said.container, {}, '');
  return {
    behaviours,
    conflicts,
    ...(Object.keys(requests).length > 0 && { requests }),
  };
}

function behaviourOf(whole: SaidBehaviour, own: SaidBehaviour, endpoint: string): Behaviour {
  // The kernel accepts TCP connections, also for an app that hangs or is slow.
  const shared = endpoint.startsWith('tcp ') ? {} : whole;
  return omitUndefined({
    closedUntil: whole.readyAfter,
    unreadyUntil: own.readyAfter,
    hangsAt: own.hangsAt ?? shared.hangsAt,
    latency: own.latency ?? shared.latency,
    failRate: own.failRate ?? whole.failRate,
  });
}

/** The syntax of each amount, for messages. */
export const SPREAD_FORM = 'a duration such as "200ms", "200ms±50ms" (or +-) or "100ms..300ms"';
export const WINDOW_FORM = 'a window such as "60s..90s", or "60s.." without an end';
export const RATE_FORM = 'a share such as "2%" or "0.02"';

/** Parses `200ms`, `200ms±50ms`, `200ms+-50ms` or `100ms..300ms`. */
export function parseSpread(text: string): Spread | undefined {
  const [middle = '', deviation, more] = text.split(/\s*(?:±|\+-|\+\/-)\s*/);
  if (more !== undefined) return undefined;
  if (deviation !== undefined) {
    const [amount, around] = [positive(middle), positive(deviation)];
    if (amount === undefined || around === undefined) return undefined;
    return { from: Math.max(0, amount - around), to: amount + around };
  }
  const range = parseWindow(text);
  if (range !== undefined) return Number.isFinite(range.to) ? range : undefined;
  const exact = positive(text);
  return exact === undefined ? undefined : { from: exact, to: exact };
}

/** Parses `60s..90s`, or `60s..` without an end. */
export function parseWindow(text: string): Spread | undefined {
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
