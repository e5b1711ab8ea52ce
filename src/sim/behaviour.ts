import type { Container } from '../api/index.js';
import type { Random } from '../clock/random.js';
import type { ProbeType } from '../kubelet/event.js';
import { probeEndpoints } from './endpoint.js';

/** What an app does, as one who asks it sees it. Times count from the container's start, in milliseconds. */
export interface Behaviour {
  /** Until then nothing listens. */
  readonly closedUntil?: Spread;
  /** Until then it answers that it is not ready. */
  readonly unreadyUntil?: Spread;
  /** Meanwhile it answers nothing: who asks waits for the end of it. */
  readonly hangsAt?: readonly Spread[];
  /** How long an answer takes. */
  readonly latency?: Spread;
  /** The share of answers that say that something is wrong, from 0 to 1. */
  readonly failRate?: number;
}

export interface Reply {
  readonly kind: 'ok' | 'fails' | 'unready' | 'closed';
  /** Milliseconds; for ever when there is no answer. */
  readonly takes: number;
}

/** What a container draws once in a run: each spread comes out the same for all that share it. */
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

/** What somebody gets who asks at that age; `usual` is how long an answer takes when nothing is said of it. */
export function replyOf(
  behaviour: Behaviour,
  age: number,
  usual: number,
  draws: RunDraws,
  random: Random,
): Reply {
  const { closedUntil, unreadyUntil, latency, failRate, hangsAt } = behaviour;
  if (closedUntil !== undefined && age < draws.of(closedUntil)) {
    return { kind: 'closed', takes: usual };
  }
  const answers = latency === undefined ? usual : draw(latency, random);
  const fails = failRate !== undefined && random() < failRate;
  const takes = withHangs(answers, age, hangsAt ?? []);
  if (unreadyUntil !== undefined && age < draws.of(unreadyUntil)) return { kind: 'unready', takes };
  return { kind: fails ? 'fails' : 'ok', takes };
}

/** An answer that is under way when it begins to hang waits, too. */
function withHangs(takes: number, age: number, windows: readonly Spread[]): number {
  const hang = windows.find(({ from, to }) => age < to && age + takes > from);
  return hang === undefined ? takes : hang.to - age + takes;
}

/** An amount that differs from time to time, evenly between two ends. Milliseconds. */
export interface Spread {
  readonly from: number;
  readonly to: number;
}

/** One amount out of a spread; an exact one takes nothing of the randomness. */
export function draw({ from, to }: Spread, random: Random): number {
  return from === to ? from : from + random() * (to - from);
}

/** What is said of how a container, or one of its probes, is answered. */
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

export interface RunBehaviours {
  /** By endpoint. */
  readonly behaviours: Readonly<Record<string, Behaviour>>;
  /** Probes that ask the same, and were to be answered differently: who asks cannot be told apart. */
  readonly conflicts: readonly (readonly [ProbeType, ProbeType])[];
}

/** How each endpoint that a container's probes ask behaves. */
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
  return { behaviours, conflicts };
}

function behaviourOf(whole: SaidBehaviour, own: SaidBehaviour, endpoint: string): Behaviour {
  // A connection is made by the kernel: an app that hangs or is slow does not keep it from that.
  const shared = endpoint.startsWith('tcp ') ? {} : whole;
  const hangsAt = own.hangsAt ?? shared.hangsAt;
  const latency = own.latency ?? shared.latency;
  const failRate = own.failRate ?? whole.failRate;
  return {
    ...(whole.readyAfter === undefined ? {} : { closedUntil: whole.readyAfter }),
    ...(own.readyAfter === undefined ? {} : { unreadyUntil: own.readyAfter }),
    ...(hangsAt === undefined ? {} : { hangsAt }),
    ...(latency === undefined ? {} : { latency }),
    ...(failRate === undefined ? {} : { failRate }),
  };
}
