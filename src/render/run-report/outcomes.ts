import { type Diagnosis, diagnosisText, isPast } from '../../diagnosis/diagnosis.js';
import { killerOf, resultWord } from '../../diagnosis/past-run.js';
import { type ContainerView, hasDied, type RunView } from '../../trace/summary/container-view.js';
import { type ProbeView, verdictOfAttempt } from '../../trace/summary/probe-view.js';
import type { PodSummary } from '../../trace/summary/summary.js';
import { counted } from '../text/count.js';

/** The result of one container, or of one of its probes, as test reports know results. */
export interface Outcome {
  readonly container: string;
  readonly probe?: ProbeView['type'];
  readonly kind: 'passed' | 'failed' | 'error' | 'skipped';
  /** A sentence: the diagnosis where it failed, the counts where it passed. */
  readonly text: string;
  /** Of a failure: `503`, `timeout`, `CrashLoopBackOff`. */
  readonly type?: string;
  /** Seconds from the pod's begin to the last attempt. */
  readonly time: number;
}

/** The containers of a pod, each followed by its probes. */
export function outcomesOf(pod: PodSummary, diagnoses: readonly Diagnosis[]): readonly Outcome[] {
  return pod.containers.flatMap((container) => {
    const diagnosis = diagnoses.find((one) => one.container === container.name && !isPast(one));
    const probes = container.probes.map((probe) => probeOutcome(pod, container, probe, diagnosis));
    const isTold = probes.some(({ kind }) => kind === 'failed' || kind === 'error');
    const own = isTold ? undefined : diagnosis;
    // Attempts alone say nothing about their container.
    if (own === undefined && container.state.kind === 'unknown') return probes;
    return [containerOutcome(pod, container, own), ...probes];
  });
}

/** The probe that a diagnosis is about: it fails now, or has ended the last run that was killed. */
export function probeOfDiagnosis(
  { probe, container }: Diagnosis,
  { containers }: PodSummary,
): Diagnosis['probe'] {
  if (probe !== undefined) return probe;
  const runs = containers.find(({ name }) => name === container)?.runs ?? [];
  const last = runs.findLast((run) => run.endedAt !== undefined || run.killReason !== undefined);
  return last && killerOf(last);
}

function containerOutcome(
  pod: PodSummary,
  { name, state, runs }: ContainerView,
  diagnosis: Diagnosis | undefined,
): Outcome {
  const time = (runs.at(-1)?.startedAt ?? pod.addedAt) - pod.addedAt;
  const text = `${state.text || 'not started'}, ${counted(runs.length, 'run')}`;
  const own = { container: name, time };
  if (diagnosis === undefined) return { ...own, kind: 'passed', text };
  const type = state.kind === 'waiting' ? state.reason : state.kind;
  return { ...own, kind: 'failed', type, text: diagnosisText(diagnosis) };
}

function probeOutcome(
  pod: PodSummary,
  container: ContainerView,
  probe: ProbeView,
  diagnosis: Diagnosis | undefined,
): Outcome {
  const { type, attempts, successes, failures, errors, set } = probe;
  const last = attempts.at(-1);
  const own = {
    container: container.name,
    probe: type,
    time: (last?.endedAt ?? pod.addedAt) - pod.addedAt,
  };
  const kills = container.runs.filter((run) => isKilledBy(run, type)).length;
  const lastFailure = attempts.findLast((one) => verdictOfAttempt(one) === 'failure');
  const failed = {
    ...own,
    kind: 'failed',
    type: (lastFailure && resultWord(lastFailure)) ?? 'failed',
  } as const;
  const about = diagnosis && probeOfDiagnosis(diagnosis, pod) === type;
  if (about === true && last?.error === undefined)
    return { ...failed, text: diagnosisText(diagnosis) };
  const results = `${successes} succeeded, ${failures} failed${errors > 0 ? `, ${errors} errored` : ''}`;
  if (kills > 0) return { ...failed, text: `the ${type} probe ended ${counted(kills, 'run')}` };
  if (last === undefined) return { ...own, kind: 'skipped', text: 'no attempt was made' };
  if (last.error !== undefined && set === undefined) {
    return { ...own, kind: 'error', type: 'error', text: last.error };
  }
  if (set === 'failure' || (set === undefined && failures > 0)) {
    return { ...failed, text: `${results}: ${lastFailure?.output ?? ''}` };
  }
  return { ...own, kind: 'passed', text: results };
}

function isKilledBy(run: RunView, type: ProbeView['type']): boolean {
  return killerOf(run) === type && (hasDied(run) || run.killed !== undefined);
}
