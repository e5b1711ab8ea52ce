import { omitUndefined, type Pod } from '../../api/index.js';
import { nextTurn } from '../../clock/virtual-clock.js';
import type { KubeletConfig } from '../../kubelet/release.js';
import { type ComparedDecision, compareDecisions, decisionsOf } from '../../trace/decisions.js';
import { linesOfRun, type Trace } from '../../trace/read-trace.js';
import { fold } from '../../trace/summary/fold.js';
import { changedNumbers, type PodNumbers, podNumbers } from '../../trace/summary/pod-numbers.js';
import { EMPTY_SUMMARY, type Summary } from '../../trace/summary/summary.js';
import { type Verdict, verdictOf } from '../../trace/summary/verdict.js';
import type { TraceLine } from '../../trace/trace-line.js';
import { recordedKubelet } from '../../trace/trace-record.js';
import { type OnSimulated, simulateScenarios } from '../simulate-scenarios.js';
import { continuedRuns, withEstimates } from './estimate.js';
import { observe, type ObservedPod, runsOfProcesses } from './observe.js';
import { findUnobserved, recordedScenario, type Unobserved } from './recorded-scenario.js';

/** The outcome of the recorded run, or of a simulation of it. */
interface RunOutcome {
  readonly lines: readonly TraceLine[];
  readonly summary: Summary;
  readonly verdict: Verdict;
}

/** The parts of a trace that a simulation reads. */
export interface RecordedRun extends Pick<Trace, 'lines' | 'end'> {
  readonly header: Pick<
    Trace['header'],
    'kubelet' | 'featureGates' | 'maxContainerRestartPeriod' | 'kubeletAge'
  >;
}

/** A part of a recording in which nothing happens, in seconds. */
export interface Silence {
  readonly from: number;
  readonly to: number;
}

export interface WhatIf {
  /** Seconds that the recorded and the simulated run lasted. */
  readonly length: number;
  /** A part without records. The simulation ends where it begins. */
  readonly silence?: Silence;
  readonly recorded: RunOutcome;
  /** A simulation with the recorded settings. */
  readonly unchanged: RunOutcome;
  readonly changed: RunOutcome;
  /** Each pod in numbers, as it was recorded and with the change. */
  readonly before: readonly PodNumbers[];
  readonly after: readonly PodNumbers[];
  readonly verdict: Verdict;
  readonly decisions: readonly ComparedDecision[];
  readonly unobserved: readonly Unobserved[];
  /** Decisions in which a simulation with the recorded settings differs from the recorded run. */
  readonly deviations: readonly ComparedDecision[];
}

/** Seconds without a line after which the simulation ends: a clock that jumped, or a damaged time, could make it simulate a year. */
const MAX_SILENCE = 900;

/** Seconds by which a simulated decision may come at another time: relists, and a busy machine. */
const TOLERANCE = 1.5;

/**
 * Simulates the recorded containers with other settings, or for another kubelet. A simulation is slightly inaccurate, so
 * results that are the same with and without the change keep their recorded values.
 */
export async function whatIf(
  trace: RecordedRun,
  change: (pod: Pod) => Pod,
  onSimulated?: OnSimulated,
  kubelet?: KubeletConfig,
): Promise<WhatIf> {
  const both = await simulateBoth(trace, change, onSimulated, kubelet);
  const { length, silence, lines, observed, unchanged: same, changed } = both;
  const recorded = await outcomeOf(lines);
  const recordedDecisions = decisionsOf(recorded.lines);
  const simulated = decisionsOf(same.lines);
  return {
    length,
    ...omitUndefined({ silence }),
    recorded,
    unchanged: same,
    changed,
    ...numbersOf(recorded, same, changed, length),
    verdict: isSame(changed.verdict, same.verdict) ? recorded.verdict : changed.verdict,
    decisions: compareDecisions(recordedDecisions, decisionsOf(changed.lines), simulated),
    unobserved: findUnobserved(observed, changed.lines),
    deviations: compareDecisions(recordedDecisions, simulated).filter(differs),
  };
}

/** Plays a recording with its own settings and with others; the event loop has its turns in between. */
export async function simulateBoth(
  trace: RecordedRun,
  change: (pod: Pod) => Pod,
  onSimulated?: OnSimulated,
  other?: KubeletConfig,
) {
  const end = trace.end?.at ?? trace.lines.at(-1)?.t ?? 0;
  const silence = findSilence(linesOfRun(trace), end);
  const length = silence?.from ?? end;
  const lines = linesOfRun(trace).filter(({ t }) => t <= length);
  const seen = observe(lines);
  await nextTurn();
  const recorded = { kubelet: recordedKubelet(trace.header) };
  const observed = seen.map((pod) => completed({ ...recorded, ...pod }, length * 1000));
  await nextTurn();
  const total = observed.length * length;
  const { kubeletAge } = trace.header;
  const simulate = (
    before: number,
    setup: Pick<Setup, 'change' | 'kubelet'>,
  ): Promise<RunOutcome> =>
    simulation(observed, { length, kubeletAge, ...setup }, (done) =>
      onSimulated?.(before + done, 2 * total),
    );
  const unchanged = await simulate(0, { change: (pod) => pod });
  const changed = await simulate(total, { ...(other && { kubelet: other }), change });
  return { length, silence, lines, observed, unchanged, changed };
}

/** Adds estimates of what the recording does not show. */
function completed(pod: ObservedPod, length: number): ObservedPod {
  const containers = [...pod.containers].map(
    ([name, runs]) => [name, continuedRuns(withEstimates(runsOfProcesses(runs)), length)] as const,
  );
  return { ...pod, containers: new Map(containers) };
}

/** Finds the first long part of a recording in which nothing happens. */
function findSilence(lines: readonly TraceLine[], end: number): Silence | undefined {
  let from = 0;
  for (const to of [...lines.map(({ t }) => t), end]) {
    if (to - from > MAX_SILENCE) return { from, to };
    from = to;
  }
  return undefined;
}

function numbersOf(
  recorded: RunOutcome,
  same: RunOutcome,
  changed: RunOutcome,
  length: number,
): Pick<WhatIf, 'before' | 'after'> {
  const numbers = ({ summary }: RunOutcome): readonly PodNumbers[] =>
    summary.pods.map((pod) => podNumbers(pod, length));
  const [before, unchanged] = [numbers(recorded), numbers(same)];
  const after = numbers(changed).map((now) => {
    const [old, simulated] = [before, unchanged].map((all) =>
      all.find(({ pod }) => pod === now.pod),
    );
    return old && simulated ? changedNumbers(old, simulated, now) : now;
  });
  return { before, after };
}

function isSame(a: Verdict, b: Verdict): boolean {
  return a.kind === b.kind && a.sentence === b.sentence;
}

function differs({ before, after }: ComparedDecision): boolean {
  return before === undefined || after === undefined || Math.abs(after - before) > TOLERANCE;
}

interface Setup {
  /** Seconds. */
  readonly length: number;
  readonly kubeletAge: number | undefined;
  readonly kubelet?: KubeletConfig;
  readonly change: (pod: Pod) => Pod;
}

async function simulation(
  observed: readonly ObservedPod[],
  { length, kubeletAge, ...setup }: Setup,
  onSimulated: (done: number) => void,
): Promise<RunOutcome> {
  const age = kubeletAge === undefined ? {} : { kubeletAge: kubeletAge * 1000 };
  const lines: TraceLine[] = [];
  for (const [index, pod] of observed.entries()) {
    const scenario = recordedScenario(pod, { length: length * 1000, ...setup, ...age });
    const shift = pod.addedAt / 1000;
    await simulateScenarios([scenario], (line) => lines.push(shifted(line, shift)), {
      onSimulated: (seconds) => onSimulated(index * length + seconds),
    });
  }
  return outcomeOf(lines.sort((a, b) => a.t - b.t));
}

/** Returns a line with its times later by some seconds: a simulated trace begins with its pod. */
function shifted(line: TraceLine, by: number): TraceLine {
  const later = (t: number): number => Math.round((t + by) * 1000) / 1000;
  const t = later(line.t);
  return line.kind === 'backOff' ? { ...line, t, until: later(line.until) } : { ...line, t };
}

/** Lines between two turns of the event loop: the summary of a long trace would hold up the probes of a run. */
const LINES_PER_TURN = 100;

async function outcomeOf(lines: readonly TraceLine[]): Promise<RunOutcome> {
  let summary = EMPTY_SUMMARY;
  for (const [index, line] of lines.entries()) {
    summary = fold(summary, line);
    if (index % LINES_PER_TURN === 0) await nextTurn();
  }
  return { lines, summary, verdict: verdictOf(summary) };
}
