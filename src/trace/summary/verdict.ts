import { allContainersCouldRestart, containerShouldRestart } from '../../kubelet/restart-policy.js';
import { counted } from '../../text/count.js';
import { isPodReady } from './condition-view.js';
import { type ContainerView, hasCompleted, type RunView } from './container-view.js';
import type { ProbeView } from './probe-view.js';
import type { PodSummary, Summary } from './summary.js';

export interface Verdict {
  readonly kind: 'holds' | 'doesNotHold' | 'unknown';
  readonly sentence: string;
}

/** A goal of `--until`. */
export type Condition = 'ready' | 'started' | 'restarted' | 'failed' | 'succeeded';

const VERBS: Readonly<Record<Condition, string>> = {
  ready: 'become ready',
  started: 'start',
  restarted: 'restart',
  failed: 'fail',
  succeeded: 'succeed',
};

/** Errors in a row after which further attempts will fail too. */
const MAX_ERRORS_IN_A_ROW = 3;

/** Returns the final verdict, or undefined; where restarts are allowed, tooManyRestarts judges them. */
export function settled({ pods }: Summary, restartsAllowed = false): Verdict | undefined {
  const failure = first(pods, (pod) => finalFailure(pod, restartsAllowed));
  if (failure !== undefined) return { kind: 'doesNotHold', sentence: failure };
  if (pods.length > 0 && pods.every(isReadyOrSucceeded)) {
    return { kind: 'holds', sentence: listed(pods.map(successText)) };
  }
  const errored = first(pods, errorOfProbe);
  return errored === undefined ? undefined : { kind: 'unknown', sentence: errored };
}

export function verdictOf(summary: Summary): Verdict {
  const { workloads } = summary;
  const verdict = workloads.length > 0 ? rolloutsAndPods(summary) : settled(summary);
  if (verdict?.kind === 'doesNotHold') return verdict;
  // After a lost connection, an earlier state may no longer be true.
  if (summary.runtimeError !== undefined) {
    return { kind: 'unknown', sentence: summary.runtimeError };
  }
  if (verdict !== undefined) return verdict;
  if (workloads.length > 0) {
    return { kind: 'doesNotHold', sentence: listed(workloads.map(({ sentence }) => sentence)) };
  }
  if (summary.pods.length === 0) return { kind: 'unknown', sentence: 'there is no pod' };
  const waiting = summary.pods.filter((pod) => !isReadyOrSucceeded(pod));
  const restarting = first(waiting, restartByUser);
  if (restarting !== undefined) return { kind: 'unknown', sentence: restarting };
  const errored = first(waiting, (pod) =>
    findProbe(pod, ({ attempts }) => attempts.at(-1)?.error !== undefined),
  );
  if (errored !== undefined) return { kind: 'unknown', sentence: errored };
  return { kind: 'doesNotHold', sentence: listed(waiting.map(notReadyText)) };
}

/** Returns the final verdict on rollouts, as `kubectl rollout status` defines it. */
function rollouts(workloads: Summary['workloads']): Verdict | undefined {
  const failed = workloads.find((workload) => workload.failed);
  if (failed !== undefined) return { kind: 'doesNotHold', sentence: failed.sentence };
  if (!workloads.every(({ done }) => done)) return undefined;
  return { kind: 'holds', sentence: listed(workloads.map(({ sentence }) => sentence)) };
}

/** Returns the final verdict on rollouts whose pods have not been restarted either; a Job replaces pods that fail. */
function rolloutsAndPods({ workloads, pods }: Summary): Verdict | undefined {
  const verdict = rollouts(workloads);
  if (verdict?.kind !== 'holds' || hasJob(workloads)) return verdict;
  const current = pods.filter(
    ({ deletedAt, phase }) => deletedAt === undefined && phase === 'Running',
  );
  const sentence = first(current, (pod) => finalFailure(pod, false));
  return sentence === undefined ? verdict : { kind: 'doesNotHold', sentence };
}

function hasJob(workloads: Summary['workloads']): boolean {
  return workloads.some(({ workload }) => workload.startsWith('job/'));
}

/** Inverts a verdict, for a goal that is a failure. */
function inverse(verdict: Verdict | undefined): Verdict | undefined {
  if (verdict === undefined) return undefined;
  return { ...verdict, kind: verdict.kind === 'holds' ? 'doesNotHold' : 'holds' };
}

/** Returns the verdict on a container that needs more than `limit` restarts. */
export function tooManyRestarts({ pods }: Summary, limit: number): Verdict | undefined {
  const sentence = first(pods, (pod) =>
    first(pod.containers, (container) => {
      const last = container.runs.at(-1);
      if (last === undefined || !isRestarted(pod, container, last)) return;
      if (last.restartAskedAt !== undefined) return;
      const byUser = container.runs.filter(({ restartAskedAt }) => restartAskedAt !== undefined);
      if (last.run + 1 - byUser.length <= limit) return;
      const { killed, startError, exitCode = '?' } = last;
      const end = killed ?? startError ?? `it ended with exit code ${exitCode}`;
      return `${pod.key}: ${container.name} needs more than ${counted(limit, 'restart')}: ${end}`;
    }),
  );
  return sentence === undefined ? undefined : { kind: 'doesNotHold', sentence };
}

/** Pods that a verdict names. */
const MAX_PODS = 10;

function listed(sentences: readonly string[]): string {
  const text = sentences.slice(0, MAX_PODS).join('; ');
  const more = sentences.length - MAX_PODS;
  return more > 0 ? `${text}; and ${more} more (${sentences.length} in all)` : text;
}

function first<T>(list: readonly T[], textOf: (item: T) => string | undefined): string | undefined {
  for (const item of list) {
    const sentence = textOf(item);
    if (sentence !== undefined) return sentence;
  }
  return undefined;
}

/** Returns the verdict on a goal of `--until`; undefined while pods may still reach it. */
export function reached({ pods, workloads }: Summary, condition: Condition): Verdict | undefined {
  // Pods of a workload are replaced, and a Job replaces failed ones.
  const isJob = hasJob(workloads);
  if (isJob && condition === 'failed') return inverse(rollouts(workloads));
  const isOfWorkload = condition === 'ready' || (condition === 'succeeded' && isJob);
  if (workloads.length > 0 && isOfWorkload) return rollouts(workloads);
  if (pods.length === 0) return undefined;
  // One pod is enough for `restarted` and `failed`; other goals are for all pods.
  const isForAny = condition === 'restarted' || condition === 'failed';
  const matching = pods.filter((pod) => isReached(pod, condition));
  if (matching.length === pods.length || (isForAny && matching.length > 0)) {
    const named = isForAny ? matching.slice(0, 1) : matching;
    return { kind: 'holds', sentence: listed(named.map((pod) => sentenceOf(pod, condition))) };
  }
  const stuck = pods.filter((pod) => !isReached(pod, condition) && !canReach(pod, condition));
  const [pod] = stuck;
  if (pod === undefined || (isForAny && stuck.length < pods.length)) return undefined;
  const sentence = `${pod.key} can no longer ${VERBS[condition]}: ${failureReason(pod, condition)}`;
  return { kind: 'doesNotHold', sentence };
}

function isReached(pod: PodSummary, condition: Condition): boolean {
  switch (condition) {
    case 'ready':
      return isPodReady(pod);
    case 'started':
      return regular(pod).every(({ started, state }) => started || hasCompleted(state));
    case 'restarted':
      return pod.containers.some(hasRestarted);
    case 'failed':
      return pod.phase === 'Failed';
    case 'succeeded':
      return pod.phase === 'Succeeded';
  }
}

function canReach(pod: PodSummary, condition: Condition): boolean {
  const isOver = pod.phase === 'Failed' || pod.phase === 'Succeeded' || pod.deletedAt !== undefined;
  if (isOver || finalObstacle(pod, condition) !== undefined) return false;
  if (condition !== 'failed' && condition !== 'succeeded') return true;
  // A pod whose containers are always restarted does not end by itself.
  const { restartPolicy, activeDeadlineSeconds } = pod.object.spec;
  const endless = regular(pod).every(
    ({ spec }) => (spec.restartPolicy ?? restartPolicy) === 'Always',
  );
  return !endless || (condition === 'failed' && activeDeadlineSeconds !== undefined);
}

/** Returns why a container keeps its pod from the goal for good. */
function finalObstacle(pod: PodSummary, condition: Condition): string | undefined {
  if (condition === 'restarted' || condition === 'failed') return undefined;
  return first(pod.containers, (container) => {
    const { name, runs, state } = container;
    const { startError = '' } = runs.at(-1) ?? {};
    if (COMMAND_ERROR.test(startError)) return `${name} cannot start: ${startError}`;
    if (state.kind === 'waiting' && state.reason === 'CreateContainerConfigError') {
      const { message = 'CreateContainerConfigError' } =
        pod.events.findLast((event) => event.container === name && event.type === 'Warning') ?? {};
      return `${name} cannot start: ${message}`;
    }
    if (state.kind !== 'terminated' || !hasEnded(pod, container, state.exitCode)) return undefined;
    if (state.exitCode === 0 && condition !== 'ready') return undefined;
    return `${name} ended with exit code ${state.exitCode} and is not restarted`;
  });
}

/** Matches a runtime's error about a command that does not exist or cannot be executed: another start will fail too. */
const COMMAND_ERROR = /\bexec:? /;

function hasEnded({ object }: PodSummary, container: ContainerView, exitCode: number): boolean {
  const { role, spec, runs } = container;
  if (role !== 'container' || runs.at(-1)?.restartDecidedAt !== undefined) return false;
  if (allContainersCouldRestart(object.spec)) return false;
  return !containerShouldRestart(spec, object.spec, exitCode);
}

function failureReason(pod: PodSummary, condition: Condition): string {
  const { phase, deletedAt } = pod;
  const reason = finalObstacle(pod, condition);
  if (reason !== undefined) return reason;
  if (phase === 'Failed' || phase === 'Succeeded') return `the pod has ${phase.toLowerCase()}`;
  if (deletedAt !== undefined) return 'the pod is gone';
  return `its containers always restart (restartPolicy Always), so it never ${VERBS[condition]}s`;
}

function sentenceOf(pod: PodSummary, condition: Condition): string {
  if (condition === 'ready') return successText(pod);
  if (condition !== 'restarted') return `${pod.key} ${condition}`;
  return `${pod.key}: ${pod.containers.find(hasRestarted)?.name ?? ''} restarted`;
}

function hasRestarted({ states, restartsBefore = 0 }: ContainerView): boolean {
  return (states.at(-1)?.restartCount ?? 0) > restartsBefore;
}

function regular(pod: PodSummary): readonly ContainerView[] {
  return pod.containers.filter(({ role }) => role === 'container');
}

function isReadyOrSucceeded(pod: PodSummary): boolean {
  return pod.phase === 'Succeeded' || isPodReady(pod);
}

function successText({ key, phase, firstReadyAt, addedAt }: PodSummary): string {
  if (phase === 'Succeeded') return `${key} succeeded`;
  const seconds = Math.max(0, (firstReadyAt ?? addedAt) - addedAt);
  return `${key} ready after ${seconds.toFixed(1)} s`;
}

/** Describes a final failure: the pod failed, or a restart was decided. */
function finalFailure(pod: PodSummary, restartsAllowed: boolean): string | undefined {
  if (pod.phase === 'Failed') {
    return `${pod.key} failed${pod.reason === '' ? '' : `: ${pod.reason}`}`;
  }
  if (restartsAllowed) {
    const reason = finalObstacle(pod, 'started');
    return reason === undefined ? undefined : `${pod.key}: ${reason}`;
  }
  // The kubelet retries a failed init container until it succeeds.
  const containers = pod.containers.filter(({ role }) => role !== 'init');
  return first(containers, (container) => containerFailure(pod, container));
}

/** Reports whether a pod has failed for another reason than a start, which also fails when the runtime hangs. */
export function hasFailed({ pods }: Summary): boolean {
  return pods.some((pod) => {
    const containers = pod.containers.map((container) => ({
      ...container,
      runs: container.runs.filter(({ startError }) => startError === undefined),
    }));
    return finalFailure({ ...pod, containers }, false) !== undefined;
  });
}

function containerFailure(pod: PodSummary, container: ContainerView): string | undefined {
  const { key } = pod;
  const { name, runs } = container;
  for (const [index, run] of runs.entries()) {
    // A run that the user stopped, or that ended before the trace, does not count.
    if (run.restartAskedAt !== undefined || (run.endedAt ?? 0) < 0) continue;
    if (run.killed !== undefined) return `${key}: ${run.killed}`;
    if (run.startError !== undefined) return `${key}: ${name}: ${run.startError}`;
    // An engine may restart a container itself before the kubelet sees its end.
    const isFollowed = run.endedAt !== undefined && index < runs.length - 1;
    if (!isFollowed && !isRestarted(pod, container, run)) continue;
    const isWaiting = !isFollowed && run.restartDecidedAt === undefined;
    const next = isWaiting ? '' : ' and is restarted';
    return `${key}: ${name} ended with exit code ${run.exitCode ?? '?'}${next}`;
  }
  return undefined;
}

/** Reports whether another run follows: the kubelet has decided it, or would, where something else starts the container. */
function isRestarted({ object }: PodSummary, { spec }: ContainerView, run: RunView): boolean {
  if (run.restartedBy === undefined) return run.restartDecidedAt !== undefined;
  return containerShouldRestart(spec, object.spec, run.exitCode ?? 0);
}

/** Names a container that was ready until the user restarted it. */
function restartByUser({ key, containers, readiness }: PodSummary): string | undefined {
  const wasReady = readiness.findLast(({ ready }) => ready)?.t ?? Infinity;
  const container = containers.find(({ runs }) =>
    runs.slice(-2).some(({ restartAskedAt = -1 }) => restartAskedAt >= wasReady),
  );
  return container && `${key}: ${container.name} is being restarted at your request`;
}

/** Returns the sentence that a pod is not ready, with the reason of its condition. */
export function notReadyText(pod: PodSummary): string {
  const { Ready, PodScheduled } = pod.conditions;
  const status = pod.status?.phase ?? 'it has no status yet';
  const condition = Ready ?? PodScheduled ?? { status, reason: '' };
  return `${pod.key} is not ready: ${condition.reason || condition.status}`;
}

function errorOfProbe(pod: PodSummary): string | undefined {
  return findProbe(pod, ({ attempts }) => {
    const last = attempts.slice(-MAX_ERRORS_IN_A_ROW);
    return last.length === MAX_ERRORS_IN_A_ROW && last.every(({ error }) => error !== undefined);
  });
}

function findProbe(pod: PodSummary, matches: (probe: ProbeView) => boolean): string | undefined {
  return first(pod.containers, ({ name, probes }) => {
    const probe = probes.find(matches);
    const error = probe?.attempts.at(-1)?.error ?? '';
    return probe && `${pod.key}: ${name}: the ${probe.type} probe errors: ${error}`;
  });
}
