import type { Random } from '../clock/random.js';
import { draw, type Spread } from './spread.js';

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
