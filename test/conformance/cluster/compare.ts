import type { Scenario, ScriptedRun } from '../../../src/sim/scenario.js';
import { simulate } from '../../../src/sim/simulate.js';
import type { TraceLine } from '../../../src/trace/trace-line.js';
import { type Decisions, decisionsOf, type Step } from './decisions.js';

/** Seconds by which the real kubelet may be off. */
const TOLERANCE = 1.5;
/**
 * The API server gets a terminal phase when the pod's worker has ended (mergePodStatus), a relist or two after the status
 * manager, whose statuses a simulation has.
 */
const TERMINAL_TOLERANCE = 3;
const SIMULATIONS = 160;

export interface Comparison {
  /** How the real kubelet differs from the simulation that comes closest; empty when one has the same decisions in time. */
  readonly divergences: readonly string[];
  /** Simulations that were made. */
  readonly simulations: number;
}

/** Compares what a real kubelet did with simulations of the same scripts. */
export async function compareWithSimulations(
  scenario: Scenario,
  recorded: readonly TraceLine[],
): Promise<Comparison> {
  const got = decisionsOf(recorded);
  let closest: readonly string[] | undefined;
  for (let n = 0; n < SIMULATIONS; n++) {
    const lines: TraceLine[] = [];
    const { chance, seed } = chanceOf(n);
    await simulate(onNode(scenario, recorded, chance), (line) => lines.push(line), seed);
    const divergences = compareDecisions(decisionsOf(lines), got, scenario);
    if (closest === undefined || divergences.length < closest.length) closest = divergences;
    if (divergences.length === 0) return { divergences, simulations: n + 1 };
  }
  return { divergences: closest ?? [], simulations: SIMULATIONS };
}

/** What no cluster reports, and what decides between one tick and the next. */
interface Chance {
  /** Milliseconds of the wall clock's second at which the kubelet relists. */
  readonly relists: number;
  /** Milliseconds that a start took longer than its events say. */
  readonly startTakes: number;
}

/** A node that is busy runs a script later than its start, and a watch sees the start later. */
const START_OFFSETS = [0, -200, 200, -400, 400];

/** Returns the chances of the n-th simulation: by and by, all phases, with other random waits around back-offs. */
function chanceOf(n: number): { readonly chance: Chance; readonly seed?: number } {
  const startTakes = START_OFFSETS[Math.floor(n / 10) % START_OFFSETS.length]!;
  const chance = { relists: ((n * 3) % 10) * 100, startTakes };
  return n < 20 ? { chance } : { chance, seed: n };
}

/**
 * Returns the scenario on the node of a recording: its containers take the time that the node took to make and start
 * them, up to seconds on a busy machine, while the periods of their workers already run.
 */
function onNode(scenario: Scenario, recorded: readonly TraceLine[], chance: Chance): Scenario {
  // The first status from the kubelet.
  const added =
    recorded.find((line) => line.kind === 'status' && line.containers.length > 0)?.t ?? 0;
  const begun = new Map<string, number>();
  const took = new Map<string, number[]>();
  for (const line of recorded) {
    if (line.kind !== 'event') continue;
    const name = /\{(.*)\}/.exec(line.fieldPath ?? '')?.[1] ?? '';
    if (line.reason === 'Pulled') begun.set(name, took.size === 0 ? added : line.t);
    if (line.reason === 'Started') {
      const list = took.get(name) ?? [];
      took.set(name, list);
      list.push((line.t - (begun.get(name) ?? line.t)) * 1000);
    }
  }
  const containers = Object.entries(scenario.containers).map(([name, runs]) => {
    const starts = took.get(name) ?? [];
    const timed = Array.from({ length: Math.max(starts.length, runs.length) }, (_, n) => ({
      ...(runs[n] ?? runs.at(-1)),
      ...(starts[n] === undefined
        ? {}
        : { startTakes: Math.max(3, starts[n] + chance.startTakes) }),
    }));
    return [name, timed as ScriptedRun[]] as const;
  });
  const firstStart = recorded.find((line) => line.kind === 'event' && line.reason === 'Started');
  const shift = ((firstStart?.t ?? added) - added) * 1000;
  return {
    ...scenario,
    until: scenario.until + shift,
    // The pod is added at the recorded fraction of a second: the kubelet compares times that it has truncated to seconds.
    kubeletStart: chance.relists,
    kubeletUp: 600_000 + (added % 1) * 1000 - chance.relists,
    relistLatency: 20,
    containers: Object.fromEntries(containers),
    actions: scenario.actions.map((action) => ({ ...action, at: action.at + shift })),
  };
}

/** Returns a sentence for each subject in which two runs differ. */
function compareDecisions(
  expected: Decisions,
  got: Decisions,
  { until, actions }: Scenario,
): readonly string[] {
  // A simulated pod is deleted as a static one: nobody gets its last status.
  const lastStatus = Math.min(until, ...actions.map(({ at }) => at)) / 1000;
  return [...new Set([...expected.keys(), ...got.keys()])].flatMap((subject) => {
    const isStatus = !/ (?:runs|events)$/.test(subject);
    const end = isStatus ? lastStatus : until / 1000;
    const [steps, seen] = [expected, got].map((all) =>
      (all.get(subject) ?? []).filter(({ t }) => t < end),
    );
    return new Alignment(steps!, seen!, isStatus, end).divergence(subject) ?? [];
  });
}

/** Lays the steps of one run along those of another, in every way that the tolerance allows. */
class Alignment {
  readonly #seen = new Set<string>();
  #furthest: readonly [number, number] = [0, 0];

  constructor(
    private readonly expected: readonly Step[],
    private readonly got: readonly Step[],
    private readonly isStatus: boolean,
    private readonly end: number,
  ) {}

  divergence(subject: string): string | undefined {
    if (this.#follow(0, 0, undefined)) return undefined;
    const [i, j] = this.#furthest;
    const show = (step: Step | undefined): string =>
      step === undefined ? 'nothing' : `${step.value} at ${step.t.toFixed(1)}`;
    return `${subject}: ${show(this.got[j])}, and in the simulation ${show(this.expected[i])}`;
  }

  #follow(i: number, j: number, value: string | undefined): boolean {
    const [step, other] = [this.expected[i], this.got[j]];
    if (this.#mayBeLate(step) && this.#mayBeLate(other)) return true;
    const key = `${i} ${j} ${value ?? ''}`;
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    if (i + j > this.#furthest[0] + this.#furthest[1]) this.#furthest = [i, j];
    if (step && other && step.value === other.value && isNear(step, other)) {
      if (this.#follow(i + 1, j + 1, step.value)) return true;
    }
    if (!this.isStatus) return false;
    if (isPassing(this.got, j, value) && this.#follow(i, j + 1, value)) return true;
    return isPassing(this.expected, i, value) && this.#follow(i + 1, j, value);
  }

  /** Returns whether a step may fall behind the end in the other run. */
  #mayBeLate(step: Step | undefined): boolean {
    return step === undefined || step.t >= this.end - 3 * TOLERANCE;
  }
}

function isNear(a: Step, b: Step): boolean {
  const isTerminal = ['Succeeded', 'Failed'].includes(a.value);
  const tolerance = isTerminal ? TERMINAL_TOLERANCE : TOLERANCE;
  return Math.min(Math.abs(a.t - b.t), Math.abs(a.since - b.since)) <= tolerance;
}

/** A status from before the first start, one that lasts only for a moment, or one that says what was known. */
function isPassing(steps: readonly Step[], at: number, value: string | undefined): boolean {
  const [step, next] = [steps[at], steps[at + 1]];
  if (step === undefined) return false;
  if (step.value === value || (next?.t ?? Infinity) <= 0) return true;
  return (next?.t ?? Infinity) - step.t < TOLERANCE;
}
