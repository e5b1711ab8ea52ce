import { startupBudget } from '../schedule/probe-times.js';
import { forecastContainer, forecastProbe } from '../trace/forecast.js';
import {
  type ContainerView,
  currentRun,
  hasDied,
  type RunView,
} from '../trace/summary/container-view.js';
import { type AttemptView, type ProbeView, verdictOfAttempt } from '../trace/summary/probe-view.js';
import type { PodSummary } from '../trace/summary/summary.js';
import type { TraceLine } from '../trace/trace-line.js';
import { firstRun, found, hasAnswered } from './attempt-context.js';
import { attemptFault } from './attempt-fault.js';
import { advise } from './change.js';
import {
  type Diagnosis,
  type DiagnosisDraft,
  type Evidence,
  type EvidenceOf,
  type Finding,
  URGENCIES,
  type Urgency,
} from './fault.js';
import { hookFailure, isStopped } from './hook-fault.js';
import { parseKubeletMessage } from './kubelet-message.js';
import { type IsSimulated, nextSteps } from './outlook.js';
import { laterPeer, longStop, podDrafts } from './pod-fault.js';
import { withReplays } from './replays.js';
import { causeOfKill, endFault, failedIn, failuresIn, killerOf } from './run-fault.js';
import { failedStart, startFailure } from './start-fault.js';
import { laterContainer, waitingDrafts, workingDrafts } from './working.js';

/** Seconds by which a run has to outlive the one before. */
const CAUTION = 5;

/** Returns what is wrong with the pod's containers, the worst first. */
export function diagnosePod(
  pod: PodSummary,
  now: number,
  isSimulated: IsSimulated = () => false,
): Diagnosis[] {
  const ofPod = pod.hasClusterSide === true ? [] : podDrafts(pod, now);
  // The ends of containers follow from the end of their pod.
  const isEnding = ofPod.some(({ symptom }) => symptom.kind !== 'waiting');
  const isOver = pod.phase === 'Succeeded' || pod.isSettled === true || isEnding;
  const found = (isOver ? [] : pod.containers).flatMap((container) => {
    const simulated = isSimulated(pod.key, container.name);
    const [worst] = draftsOf({ pod, container, now, simulated }).sort(bySeverity);
    if (worst === undefined) return [];
    const peer = laterPeer(pod, worst);
    const proposed = peer ? advise({ do: 'startPeers', peer }) : worst.changes;
    const changes = withReplays(container, proposed);
    return { ...worst, changes, container: container.name };
  });
  const all = [...found, ...ofPod];
  // A pod without a diagnosis is by far the most frequent.
  if (all.length === 0) return [];
  const nextOf = nextSteps(pod, now, isSimulated);
  return all.sort(bySeverity).map(({ container, probe, needed: _, ...draft }): Diagnosis => {
    const subject = { pod: pod.key, container, ...(probe !== undefined && { probe }) };
    return { ...draft, subject, next: nextOf(container, probe) };
  });
}

/** The arbiter's order: what explains other diagnoses comes before them. */
function bySeverity(a: DiagnosisDraft, b: DiagnosisDraft): number {
  return URGENCIES.indexOf(a.urgency) - URGENCIES.indexOf(b.urgency) || a.needed - b.needed;
}

/** Reports whether kprobe has begun to stop what it started: the ends that follow get no diagnosis. */
export function isEndOfRun(line: TraceLine): boolean {
  return (line.kind === 'exited' || line.kind === 'hookDone') && line.ending === true;
}

interface Context {
  readonly pod: PodSummary;
  readonly container: ContainerView;
  readonly now: number;
  readonly simulated: boolean;
}

function draftsOf(context: Context): DiagnosisDraft[] {
  const { pod, container, now } = context;
  // In a pod that a cluster's kubelet starts, the diagnosis of that kubelet's pod has the failed start.
  const isOwnStart = pod.hasClusterSide !== true;
  const failedStart = isOwnStart ? startFailure(pod, container) : undefined;
  if (failedStart !== undefined) {
    return [{ ...failedStart, urgency: 'blocked', symptom: { kind: 'cannotStart' }, needed: 0 }];
  }
  const run = currentRun(container);
  const probes =
    run === undefined || container.stopping !== undefined
      ? []
      : container.probes.flatMap((probe) => probeDrafts(context, probe));
  const others = [...probes, ...workingDrafts(container), ...waitingDrafts(context, isOwnStart)];
  const end =
    container.runs.findLast((each) => hasDied(each) || isStopped(each)) ??
    endedWell(pod, container);
  if (end === undefined || end.restartAskedAt !== undefined) return others;
  const last = causeOfKill(container, end);
  // An init container, too, may have succeeded after runs that failed.
  const hasSucceeded = container.runs.at(-1)?.exitCode === 0;
  const isOver = hasSucceeded && forecastContainer(pod, container).kind === 'done';
  if (isOver || isExplainedByOthers(pod, last)) return others;
  const ended = endDraft(context, last);
  // A run that has outlived the one before is a recovery, and so is one that has started after all.
  const life = (last.endedAt ?? now) - (last.startedAt ?? 0);
  const hasRecovered =
    run !== undefined &&
    (last.startError !== undefined ||
      now - run.startedAt > life + CAUTION ||
      wasReadyAgain(container, last));
  if (run !== last && hasRecovered) return [...others, { ...ended, urgency: 'past', needed: 0 }];
  return [...others, { ...ended, urgency: endUrgency(container, last, run), needed: 0 }];
}

/** Reports whether a run that ended before kprobe came, alone, was followed by one that its probe has found ready. */
function wasReadyAgain(container: ContainerView, last: RunView): boolean {
  const { ready, spec } = container;
  const isBefore = last.endedAt !== undefined && last.endedAt < 0;
  return (
    isBefore && ready && spec.readinessProbe !== undefined && timesEnded(container, last) === 1
  );
}

/** A run that ended by itself explains why the next one does not answer yet. */
function endUrgency(container: ContainerView, last: RunView, run: RunView | undefined): Urgency {
  if (run === undefined || run.run === last.run) return 'down';
  const isOwnEnd = killerOf(last) === undefined;
  return isOwnEnd && !hasAnswered(container, run) ? 'down' : 'restarting';
}

/** Reports whether a run ended with its pod, as one that is deleted, or whether the cluster's side shows why it ended. */
function isExplainedByOthers(
  { deletedAt = Infinity }: PodSummary,
  { endedAt, killReason, hookError, stop, restartedBy }: RunView,
): boolean {
  if (restartedBy === 'cluster') return true;
  if (endedAt === undefined || killReason !== undefined || hookError !== undefined) return false;
  // A cluster reports the end in whole seconds.
  return stop !== undefined || endedAt > deletedAt - 1;
}

/** Returns the last run where it has ended with success: in a cluster a kill may have asked for that, and elsewhere the kubelet starts another. */
function endedWell(pod: PodSummary, container: ContainerView): RunView | undefined {
  const { state, lastState, runs, role, spec } = container;
  const last = runs.findLast(({ endedAt }) => endedAt !== undefined);
  if (last?.evidence !== undefined) {
    return [state, lastState].some(({ kind }) => kind === 'terminated') ? last : undefined;
  }
  const policy = spec.restartPolicy ?? pod.object.spec.restartPolicy;
  return last?.exitCode === 0 && role !== 'init' && policy === 'Always' ? last : undefined;
}

/** The end of a run, by a probe or by itself. */
function endDraft(context: Context, run: RunView): Omit<DiagnosisDraft, 'urgency' | 'needed'> {
  const { pod, container, simulated } = context;
  const by = killerOf(run);
  const times = timesEnded(container, run);
  if (run.startError !== undefined) {
    const evidence = [{ kind: 'end', run: run.run } as const];
    const symptom = { kind: 'cannotStart' } as const;
    return { symptom, ...failedStart(run.startError, container.spec), evidence };
  }
  if (by === undefined) {
    const symptom = { kind: 'ended', times, exitCode: run.exitCode } as const;
    return { symptom, ...(reportedKill(context, run) ?? endFault(pod, container, run)) };
  }
  const probe = container.probes.find(({ type }) => type === by);
  const attempt = probe?.attempts.findLast(
    (each) => each.run === run.run && each.error === undefined,
  );
  const finding = probe && attempt ? findingOf(pod, container, probe, attempt) : UNKNOWN;
  const whole =
    by === 'startup'
      ? withBudget(container, simulated, finding)
      : withTolerance(container, run, finding);
  return {
    symptom: { kind: 'killed', times, by },
    ...withFailures(whole, container, by, run.run, longStop(pod, container, run)),
  };
}

/** Returns how many runs have ended as this one did: those before the first that is known are counted as such. */
function timesEnded({ runs, restartCount }: ContainerView, run: RunView): number {
  const by = killerOf(run);
  const ended = runs.filter(({ endedAt }) => endedAt !== undefined);
  const ends = Math.max(
    ended.length + (runs[0]?.run ?? 0),
    run.evidence === undefined ? 0 : restartCount,
  );
  const others = ended.filter(
    (each) => killerOf(each) !== by || each.startError !== run.startError,
  );
  return Math.max(ends - others.length, 1);
}

const UNKNOWN = found({ kind: 'unknown' }, [], { certainty: 'possible' });

function withFailures(
  finding: Finding,
  container: ContainerView,
  type: ProbeView['type'],
  run: number,
  stop?: EvidenceOf<'stop'>,
): Finding {
  const failures = failuresIn(container, type, run);
  return {
    ...finding,
    evidence: [
      ...(failures === undefined ? [] : [failures]),
      ...finding.evidence,
      ...(stop === undefined ? [] : [stop]),
    ],
    changes: [
      ...finding.changes,
      ...(stop?.preStop === undefined ? [] : advise({ do: 'hook', hook: 'preStop' })),
    ],
  };
}

/** The last kill by a probe that a cluster's kubelet reported: it reports 25 events, then one each 5 minutes. */
function reportedKill(
  { pod, container, now, simulated }: Context,
  run: RunView,
): Finding | undefined {
  if (run.evidence === undefined || ![0, 137, 143].includes(run.exitCode ?? -1)) return undefined;
  const lastOf = (reason: string) =>
    pod.events.findLast((each) => each.reason === reason && each.container === container.name);
  const hookEvent = run.hookError === undefined ? lastOf('FailedPostStartHook') : undefined;
  if (hookEvent !== undefined && container.spec.lifecycle?.postStart !== undefined) {
    return {
      ...hookFailure('postStart', hookEvent.message, container.spec),
      certainty: 'likely',
      evidence: [{ kind: 'kill', ago: now - hookEvent.lastAt }],
    };
  }
  const event = lastOf('Killing');
  const message = event && parseKubeletMessage(event.message);
  const by = message?.kind === 'killed' ? message.probe : undefined;
  const probe = container.probes.find(({ type }) => type === by);
  if (event === undefined || probe === undefined) return undefined;
  const attempt = probe.attempts.findLast((each) => verdictOfAttempt(each) === 'failure');
  const found = attempt && attemptFault({ container, probe }, attempt);
  const finding = found && by === 'startup' ? withBudget(container, simulated, found) : found;
  return {
    certainty: 'likely',
    changes: finding?.changes ?? [],
    fault: { kind: 'reportedKill', by: probe.type, fault: finding?.fault },
    evidence: [{ kind: 'kill', ago: now - event.lastAt }, ...(finding?.evidence ?? [])],
  };
}

function probeDrafts(context: Context, whole: ProbeView): DiagnosisDraft[] {
  const { now, simulated } = context;
  const probe = beforeSuccesses(context.container, whole);
  const { type, attempts } = probe;
  const last = attempts.at(-1);
  if (last === undefined || last.run !== currentRun(context.container)?.run) return [];
  if (isSuccess(last)) return [];
  // A worker that has not seen the restart yet makes one more attempt, which changes nothing.
  const { started, spec } = context.container;
  if (type !== 'startup' && spec.startupProbe !== undefined && !started) return [];
  const probes = context.container.probes.map((each) => (each === whole ? probe : each));
  const container = { ...context.container, probes };
  const finding = findingOf(context.pod, container, probe, inFull(container, probe, last));
  const killed = container.runs.findLast((run) => killerOf(run) === type && hasDied(run));
  const kills = killed === undefined ? 0 : timesEnded(container, killed);
  if (last.error !== undefined) {
    const error = { kind: 'error', text: last.error } as const;
    const evidence = [error, ...finding.evidence];
    const symptom = { kind: 'erroring', probe: type, kills } as const;
    return [{ ...finding, evidence, urgency: 'erroring', symptom, probe: type, needed: 0 }];
  }
  const { count } = failedIn(container, type, last.run);
  const isEarly = kills === 0 && count < (spec.startupProbe?.failureThreshold ?? 0) / 2;
  const budgeted =
    type === 'startup' ? withBudget(container, simulated, finding, isEarly) : finding;
  const stop = killed && longStop(context.pod, container, killed);
  const [turn] = forecastProbe(container, whole, now).pending.filter(({ to }) => to === 'failure');
  return [
    {
      ...withFailures(budgeted, container, type, last.run, stop),
      symptom: { kind: 'failing', probe: type, kills },
      probe: type,
      urgency: type === 'readiness' ? 'notReady' : 'killing',
      needed: type === 'readiness' ? 0 : Math.min(6, turn?.needed ?? 1),
    },
  ];
}

/** Finds why an attempt failed. A start that waits for a container which the kubelet starts later never ends. */
function findingOf(
  { object }: PodSummary,
  container: ContainerView,
  probe: ProbeView,
  attempt: AttemptView,
): Finding {
  const finding = attemptFault({ container, probe }, attempt) ?? UNKNOWN;
  const text = probe.type === 'startup' && 'text' in finding.fault ? finding.fault.text : '';
  const later = laterContainer(object.spec, container, text ?? '');
  if (later === undefined) return finding;
  return { ...finding, changes: advise({ do: 'startWithout', container: later }) };
}

/** A run that is refused like the killed run before it takes that one's evidence, which had more time to listen. */
function inFull({ runs }: ContainerView, probe: ProbeView, last: AttemptView): AttemptView {
  const before = runs.find(({ run }) => run === last.run - 1);
  const [earlier, latest] = [last.run - 1, last.run].map((run) =>
    probe.attempts.filter((each) => each.run === run),
  );
  const like = earlier?.at(-1);
  const isLess = (latest?.length ?? 0) < (earlier?.length ?? 0);
  const isSame = last.reason === 'refused' && like?.reason === 'refused';
  return isLess && isSame && before && killerOf(before) === probe.type ? like : last;
}

/** Leaves out the successes that do not yet make the container ready: the failure before them is still why it is not. */
function beforeSuccesses({ ready, spec }: ContainerView, probe: ProbeView): ProbeView {
  if (probe.type !== 'readiness' || ready) return probe;
  const last = probe.attempts.findLastIndex((each) => !isSuccess(each));
  const counted = probe.attempts.length - 1 - last;
  const isCounting = last !== -1 && counted < (spec.readinessProbe?.successThreshold ?? 1);
  return isCounting ? { ...probe, attempts: probe.attempts.slice(0, last + 1) } : probe;
}

/** Adds the startup budget to the finding of a startup probe's failure, and the time that a start needs; early, less than half of the budget is used. */
export function withBudget(
  container: ContainerView,
  simulated: boolean,
  finding: Finding,
  isEarly = false,
): Finding {
  const probe = container.spec.startupProbe;
  if (probe === undefined) return finding;
  const { periodSeconds, initialDelaySeconds } = probe;
  const seconds = startupBudget(probe);
  const needs = startTime(container, simulated);
  if (needs !== undefined && needs > seconds) {
    const to = Math.ceil((needs - initialDelaySeconds) / periodSeconds) + 1;
    const field = 'startupProbe.failureThreshold';
    return {
      fault: { kind: 'slowStart' },
      certainty: 'proven',
      evidence: [{ kind: 'budget', seconds, needs }],
      changes: [{ kind: 'field', field, to, proof: { kind: 'none' } }],
    };
  }
  const evidence: readonly Evidence[] = [...finding.evidence, { kind: 'budget', seconds }];
  // The port on which the program listens may be the right one, until a trial of it has failed.
  const isTried =
    finding.fault.kind !== 'wrongPort' || evidence.some(({ kind }) => kind === 'trial');
  const mayNeedMore = !isEarly && finding.changes.length === 0 && isTried;
  const raise = advise({ do: 'raise', field: 'startupProbe.failureThreshold', when: 'slowStart' });
  return { ...finding, evidence, changes: mayNeedMore ? raise : finding.changes };
}

/** Seconds of an outage up to which it is better to wait for its end than to restart. */
const MAX_OUTAGE = 60;

/** Adds the threshold that would have outlasted an outage after which the same process answered again. */
function withTolerance(container: ContainerView, { run }: RunView, finding: Finding): Finding {
  if (!['stalled', 'flapping', 'noAnswer'].includes(finding.fault.kind)) return finding;
  // No threshold outlasts what somebody has stopped.
  if (finding.changes.some((each) => each.kind === 'advice' && each.advice.do === 'resume'))
    return finding;
  const { livenessProbe: spec } = container.spec;
  const { attempts = [] } = container.probes.find(({ type }) => type === 'liveness') ?? {};
  const last = attempts.findLastIndex((each) => each.run === run);
  const first = attempts.slice(0, last).findLastIndex((each) => isSuccess(each)) + 1;
  const from = attempts[first]?.startedAt;
  const next = attempts.slice(last + 1).find(isSuccess);
  // A restart ended the outage, unless the same process answered again.
  const to = next && firstRun(container.runs, next.run) <= run ? next.startedAt : undefined;
  if (spec === undefined || from === undefined || to === undefined) return finding;
  const count = Math.ceil((to - from) / spec.periodSeconds) + 1;
  if (to - from > MAX_OUTAGE || count <= spec.failureThreshold) return finding;
  const field = 'livenessProbe.failureThreshold';
  const change = { kind: 'field', field, to: count, proof: { kind: 'none' } } as const;
  return { ...finding, changes: [change, ...finding.changes] };
}

function isSuccess(attempt: AttemptView): boolean {
  return verdictOfAttempt(attempt) === 'success';
}

/** Seconds of the longest start seen; simulated restarts leave the first run's process alone. */
function startTime({ runs, probes }: ContainerView, simulated: boolean): number | undefined {
  const startup = probes.find(({ type }) => type === 'startup');
  const times = runs.flatMap(({ run, startedAt }) => {
    const from = simulated ? runs[0]?.startedAt : startedAt;
    const success = startup?.attempts.find((each) => each.run === run && each.result === 'success');
    return success === undefined || from === undefined ? [] : [success.endedAt - from];
  });
  return times.length === 0 ? undefined : Math.max(...times);
}
