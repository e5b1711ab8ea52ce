import type { ContainerView } from './container-view.js';
import type { ProbeView } from './probe-view.js';
import type { PodSummary, Summary } from './summary.js';

/** What a run came to, with a sentence that says why. */
export interface Verdict {
  readonly kind: 'holds' | 'doesNotHold' | 'unknown';
  readonly sentence: string;
}

/** What `--until` may ask for. */
export type Condition = 'ready' | 'started' | 'restarted' | 'failed' | 'succeeded';

/** So many attempts in a row that came to nothing tell that the next ones will not either. */
const HOPELESS = 3;

/** The verdict once things have settled; undefined while they have not. */
export function settled(summary: Summary): Verdict | undefined {
  const bad = summary.pods.map(trouble).find((sentence) => sentence !== undefined);
  if (bad !== undefined) return { kind: 'doesNotHold', sentence: bad };
  if (summary.pods.length > 0 && summary.pods.every(isGood)) {
    return { kind: 'holds', sentence: summary.pods.map(goodness).join('; ') };
  }
  const errored = summary.pods.map(hopelessProbe).find((sentence) => sentence !== undefined);
  return errored === undefined ? undefined : { kind: 'unknown', sentence: errored };
}

/** The verdict now, whether or not things have settled. */
export function verdictOf(summary: Summary): Verdict {
  const verdict = settled(summary);
  if (verdict !== undefined) return verdict;
  if (summary.runtimeError !== undefined) {
    return { kind: 'unknown', sentence: `the runtime cannot be reached: ${summary.runtimeError}` };
  }
  const waiting = summary.pods.filter((pod) => !isGood(pod));
  const errored = waiting.map(erroredProbe).find((sentence) => sentence !== undefined);
  if (errored !== undefined) return { kind: 'unknown', sentence: errored };
  return { kind: 'doesNotHold', sentence: waiting.map(notReady).join('; ') };
}

/** Whether all pods have come to what was asked for; undefined while they still may. */
export function reached(summary: Summary, condition: Condition): Verdict | undefined {
  if (summary.pods.length === 0) return undefined;
  if (condition === 'restarted' || condition === 'failed') {
    const some = summary.pods.find((pod) => holds(pod, condition));
    if (some !== undefined) return { kind: 'holds', sentence: sentenceOf(some, condition) };
    if (summary.pods.some((pod) => canStill(pod, condition))) return undefined;
  } else {
    if (summary.pods.every((pod) => holds(pod, condition))) {
      const sentence = summary.pods.map((pod) => sentenceOf(pod, condition)).join('; ');
      return { kind: 'holds', sentence };
    }
    if (summary.pods.every((pod) => holds(pod, condition) || canStill(pod, condition))) {
      return undefined;
    }
  }
  const lost = summary.pods.find((pod) => !canStill(pod, condition)) ?? summary.pods[0];
  return {
    kind: 'doesNotHold',
    sentence: `${lost?.key ?? ''} can no longer be ${condition}: ${lost === undefined ? '' : whyNot(lost, condition)}`,
  };
}

function holds(pod: PodSummary, condition: Condition): boolean {
  switch (condition) {
    case 'ready':
      return pod.conditions['Ready'] === 'True';
    case 'started':
      return regular(pod).every(({ started, state }) => started || state.endsWith(' Completed 0'));
    case 'restarted':
      return pod.containers.some(({ restartCount }) => restartCount > 0);
    case 'failed':
      return pod.phase === 'Failed';
    case 'succeeded':
      return pod.phase === 'Succeeded';
  }
}

function canStill(pod: PodSummary, condition: Condition): boolean {
  const isOver = pod.phase === 'Failed' || pod.phase === 'Succeeded' || pod.deletedAt !== undefined;
  if (isOver) return false;
  if (condition !== 'failed' && condition !== 'succeeded') return true;
  // A pod whose containers always run again has no end of its own.
  const { restartPolicy, activeDeadlineSeconds } = pod.object.spec;
  const endless = regular(pod).every(
    ({ spec }) => (spec.restartPolicy ?? restartPolicy) === 'Always',
  );
  return !endless || (condition === 'failed' && activeDeadlineSeconds !== undefined);
}

function whyNot(pod: PodSummary, condition: Condition): string {
  if (pod.phase === 'Failed' || pod.phase === 'Succeeded')
    return `the pod has ${pod.phase}`.toLowerCase();
  if (pod.deletedAt !== undefined) return 'the pod is gone';
  return `its containers always run again (restartPolicy Always), so it never has ${condition}`;
}

function sentenceOf(pod: PodSummary, condition: Condition): string {
  switch (condition) {
    case 'ready':
      return goodness(pod);
    case 'started':
      return `${pod.key} started`;
    case 'restarted': {
      const restarted = pod.containers.find(({ restartCount }) => restartCount > 0);
      return `${pod.key}: ${restarted?.name ?? ''} restarted`;
    }
    case 'failed':
      return `${pod.key} failed`;
    case 'succeeded':
      return `${pod.key} succeeded`;
  }
}

function regular(pod: PodSummary): readonly ContainerView[] {
  return pod.containers.filter(({ role }) => role === 'container');
}

function isGood(pod: PodSummary): boolean {
  return pod.phase === 'Succeeded' || pod.conditions['Ready'] === 'True';
}

function goodness({ key, phase, firstReadyAt, addedAt }: PodSummary): string {
  if (phase === 'Succeeded') return `${key} succeeded`;
  return `${key} ready after ${((firstReadyAt ?? addedAt) - addedAt).toFixed(1)} s`;
}

/** What cannot be undone: the pod failed, or the kubelet decided on a restart. */
function trouble(pod: PodSummary): string | undefined {
  if (pod.phase === 'Failed') {
    return `${pod.key} failed${pod.reason === '' ? '' : `: ${pod.reason}`}`;
  }
  for (const container of pod.containers) {
    // An init container that fails is tried again until it passes.
    if (container.role === 'init') continue;
    for (const run of container.runs) {
      // A run that the user had stopped says nothing of the pod.
      if (run.restartAskedAt !== undefined) continue;
      if (run.killed !== undefined) return `${pod.key}: ${run.killed}`;
      if (run.startError !== undefined) return `${pod.key}: ${container.name}: ${run.startError}`;
      if (run.restartDecidedAt === undefined) continue;
      return `${pod.key}: ${container.name} ended with exit code ${run.exitCode ?? '?'} and is restarted`;
    }
  }
  return undefined;
}

function notReady(pod: PodSummary): string {
  const ready = pod.conditions['Ready']?.replace(/^False /, '') ?? 'nothing is known yet';
  return `${pod.key} is not ready: ${ready}`;
}

function hopelessProbe(pod: PodSummary): string | undefined {
  return firstProbe(
    pod,
    ({ attempts }) =>
      attempts.length >= HOPELESS &&
      attempts.slice(-HOPELESS).every(({ error }) => error !== undefined),
  );
}

function erroredProbe(pod: PodSummary): string | undefined {
  return firstProbe(pod, ({ attempts }) => attempts.at(-1)?.error !== undefined);
}

function firstProbe(pod: PodSummary, is: (probe: ProbeView) => boolean): string | undefined {
  for (const container of pod.containers) {
    const probe = container.probes.find(is);
    if (probe === undefined) continue;
    const error = probe.attempts.at(-1)?.error ?? '';
    return `${pod.key}: ${container.name}: the ${probe.type} probe errors: ${error}`;
  }
  return undefined;
}
