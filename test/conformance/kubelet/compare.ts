import type { Observation, Observed, Value } from './observe.js';

/** A value that the kubelet takes, and the earliest and the latest time at which it does, in seconds. */
export interface Step {
  readonly value: Value;
  readonly t: readonly [number, number];
}

interface Sequence {
  readonly steps: readonly Step[];
  /** The kubelet's own runs differ from there on. */
  readonly open?: boolean;
}

/** What the kubelet does in a scenario, as far as twelve runs of it, at twelve phases, agree. */
export interface Facts {
  readonly name: string;
  /** When the runs end, in seconds. */
  readonly until: number;
  readonly sequences: Readonly<Record<string, Sequence>>;
  /** Fewest and most over the runs. */
  readonly counts: Readonly<Record<string, readonly [number, number]>>;
}

/**
 * Seconds by which times may be off: the kubelet relists once a second, at any phase, and waits at random around
 * back-offs. A status that stands no longer may be missing on either side.
 */
const SLACK = 1.1;

/** Where a trace leaves the facts of its scenario, a sentence each. */
export function compare(facts: Facts, { sequences, counts }: Observed): readonly string[] {
  const divergences = Object.entries(facts.sequences).flatMap(([subject, expected]) => {
    const got = sequences.get(subject) ?? [];
    return new Alignment(subject, expected, got, facts.until).divergence() ?? [];
  });
  // A run too many shows in runs/ already.
  const unknown = [...sequences.keys()]
    .filter((subject) => !(subject in facts.sequences) && !subject.startsWith('attempts/'))
    .map((subject) => `${subject}: unknown to the kubelet`);
  return [...divergences, ...unknown, ...compareCounts(facts.counts, counts)];
}

function compareCounts(
  expected: Facts['counts'],
  counts: ReadonlyMap<string, number>,
): readonly string[] {
  const wrong = Object.entries(expected).flatMap(([key, [least, most]]) => {
    const n = counts.get(key) ?? 0;
    const spread = Math.max(1, most - least, most / 50);
    const near = n >= least - spread && n <= most + spread && (n > 0 || least <= 1);
    return near ? [] : `${key}: ${n} times, where the kubelet has ${least}..${most}`;
  });
  const unknown = [...counts]
    .filter(([key, n]) => !(key in expected) && n > 1)
    .map(([key, n]) => `${key}: ${n} times, unknown to the kubelet`);
  return [...wrong, ...unknown];
}

/** Lays what was got along the kubelet's steps, in every way that its spread allows. */
class Alignment {
  readonly #isStatus: boolean;
  readonly #seen = new Set<string>();
  /** As far as any way led: steps, and observations. */
  #furthest: readonly [number, number] = [0, 0];

  constructor(
    private readonly subject: string,
    private readonly expected: Sequence,
    private readonly got: readonly Observation[],
    private readonly until: number,
  ) {
    this.#isStatus = !/^(runs|stops|attempts)\//.test(subject);
  }

  /** Where no way leads on, or undefined when one leads to the end. */
  divergence(): string | undefined {
    if (this.#follow(0, 0, undefined)) return undefined;
    const [i, j] = this.#furthest;
    const [step, seen] = [this.expected.steps[i], this.got[j]];
    const has = seen ? `${JSON.stringify(seen.value)} at ${seen.t}` : 'nothing';
    const should = step
      ? `${JSON.stringify(step.value)} at ${[...new Set(step.t)].join('..')}`
      : 'nothing more';
    return `${this.subject}[${j}]: ${has}, where the kubelet has ${should}`;
  }

  /** From step `i` and observation `j` on; `value` stands before both. */
  #follow(i: number, j: number, value: Value | undefined): boolean {
    const [step, seen] = [this.expected.steps[i], this.got[j]];
    if (this.#mayEnd(step, seen)) return true;
    const key = `${i} ${j} ${String(value)}`;
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    if (i + j > this.#furthest[0] + this.#furthest[1]) this.#furthest = [i, j];
    if (step && seen && seen.value === step.value && isInTime(step, seen)) {
      if (this.#follow(i + 1, j + 1, seen.value)) return true;
    }
    if (seen && this.#mayBeMore(j, value) && this.#follow(i, j + 1, value)) return true;
    return step !== undefined && this.#mayBeMissing(i, value) && this.#follow(i + 1, j, value);
  }

  #mayEnd(step: Step | undefined, seen: Observation | undefined): boolean {
    if (step === undefined) {
      return this.expected.open === true || seen === undefined || seen.t >= this.until - SLACK;
    }
    // The step may fall behind the end.
    return seen === undefined && step.t[1] * 2 - step.t[0] + SLACK >= this.until;
  }

  /** A status that stands but shortly, or says what stood before, may not show in the facts. */
  #mayBeMore(j: number, value: Value | undefined): boolean {
    const seen = this.got[j];
    if (!this.#isStatus || seen === undefined) return false;
    const next = this.got[j + 1]?.t ?? Infinity;
    return seen.value === value || next - seen.t < 2 * SLACK;
  }

  #mayBeMissing(i: number, value: Value | undefined): boolean {
    const [step, next] = [this.expected.steps[i], this.expected.steps[i + 1]];
    if (!this.#isStatus || step === undefined) return false;
    if (step.value === value) return true;
    return next !== undefined && Math.min(next.t[0] - step.t[0], next.t[1] - step.t[1]) < SLACK;
  }
}

function isInTime({ t: [from, to] }: Step, { t }: Observation): boolean {
  const spread = to - from + SLACK;
  return t >= from - spread && t <= to + spread;
}
