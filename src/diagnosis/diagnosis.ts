import { probeOf } from '../kubelet/prober/probe-of.js';
import { age } from '../text/duration.js';
import type { ProbeType } from '../trace/event.js';
import { forecastContainer, forecastProbe } from '../trace/forecast.js';
import {
  type ContainerState,
  type ContainerView,
  currentRun,
  hasDied,
  type RunView,
} from '../trace/summary/container-view.js';
import { type AttemptView, type ProbeView, verdictOfAttempt } from '../trace/summary/probe-view.js';
import type { PodSummary } from '../trace/summary/summary.js';
import type { TraceLine } from '../trace/trace-line.js';
import { attemptCause } from './attempt-cause.js';
import { type Cause, changeTo, joined } from './cause.js';
import { type IsSimulated, type Outlook, outlooks } from './outlook.js';
import {
  crashCause,
  failuresText,
  killerOf,
  outputOf,
  runSentence,
  signalCause,
} from './past-run.js';
import { startFailure } from './start-failure.js';

/** A container's trouble: the fault, its cause, what the kubelet does next, and the change that helps. */
export interface Diagnosis extends Cause {
  /** The worst have the lowest. */
  readonly rank: number;
  readonly container: string;
  /** Set where a probe of the current run fails. */
  readonly probe?: ProbeType | undefined;
  /** `app restarted 2 ×`; the name alone while it has not been restarted. */
  readonly what: string;
  readonly next?: Outlook | undefined;
}

/** Rank from which on the trouble is over. */
const PAST = 60;
/** Seconds by which a run has to outlive the one before. */
const CAUTION = 5;

/** Returns what is wrong with the pod's containers, the worst first. */
export function diagnosePod(
  pod: PodSummary,
  now: number,
  isSimulated: IsSimulated = () => false,
): Diagnosis[] {
  if (pod.phase === 'Succeeded') return [];
  const found = pod.containers.flatMap((container) => {
    const simulated = isSimulated(pod.key, container.name);
    const troubles = troublesOf({ pod, container, now, simulated });
    const [worst] = troubles.sort((a, b) => a.rank - b.rank);
    return worst === undefined ? [] : { ...worst, container: container.name };
  });
  // A pod without trouble is by far the most frequent.
  if (found.length === 0) return [];
  const next = outlooks(pod, now, isSimulated);
  return found
    .map((worst): Diagnosis => {
      const { container, probe } = worst;
      const about = probe === undefined ? container : `${container}/${probe}`;
      return { ...worst, next: next.find((one) => one.about === about) };
    })
    .sort((a, b) => a.rank - b.rank);
}

/** Reports whether kprobe has begun to stop what it started: the exits that follow are no trouble. */
export function isEndOfRun(line: TraceLine): boolean {
  return line.kind === 'exited' && line.ending === true;
}

/** Reports whether the container has recovered. */
export function isPast({ rank }: Diagnosis): boolean {
  return rank >= PAST;
}

/** `app restarted 2 ×: liveness 3 × timeout at 1 s; …` */
export function headline({ what, why }: Diagnosis): string {
  return `${what}: ${why}`;
}

export function diagnosisText(diagnosis: Diagnosis): string {
  const { next, change } = diagnosis;
  const then = next === undefined ? '' : ` → ${next.text}`;
  return `${headline(diagnosis)}${then}${change === undefined ? '' : `. ${change}`}`;
}

interface Patient {
  readonly pod: PodSummary;
  readonly container: ContainerView;
  readonly now: number;
  readonly simulated: boolean;
}

interface Trouble extends Cause {
  readonly rank: number;
  readonly what: string;
  readonly probe?: ProbeType;
}

function troublesOf(patient: Patient): Trouble[] {
  const { pod, container, now } = patient;
  const failedStart = startFailure(pod, container);
  if (failedStart !== undefined) {
    return [{ ...failedStart, rank: 0, what: `${container.name} cannot start` }];
  }
  const run = currentRun(container);
  const probes =
    run === undefined || container.stopping !== undefined
      ? []
      : container.probes.flatMap((probe) => probeTrouble(patient, probe));
  const last =
    container.runs.findLast((one) => hasDied(one) || one.killed !== undefined) ??
    unexplainedEnd(container);
  if (last === undefined || last.restartAskedAt !== undefined) return probes;
  const isOver = forecastContainer(pod, container).kind === 'done' && last.exitCode === 0;
  if (isOver || isEndOfDeletion(pod, last)) return probes;
  // A run that has outlived the one before is a recovery.
  const life = (last.endedAt ?? now) - (last.startedAt ?? 0);
  const isPast = run !== undefined && run !== last && now - run.startedAt > life + CAUTION;
  const ended = endTrouble(patient, last);
  if (!isPast) return [...probes, { ...ended, rank: run === undefined || run === last ? 5 : 15 }];
  const why = `run ${last.run}: ${runSentence(container, last)}`;
  return [...probes, { rank: PAST, what: ended.what, why }];
}

/** Reports whether a run ended because its pod was deleted; a cluster reports the end in whole seconds. */
function isEndOfDeletion({ deletedAt }: PodSummary, { endedAt, killReason }: RunView): boolean {
  if (deletedAt === undefined || endedAt === undefined) return false;
  return killReason === undefined && endedAt > deletedAt - 1;
}

/** Returns the last run of a crash loop in a cluster that ended with exit code 0, which a kill may have asked for. */
function unexplainedEnd({ state, runs }: ContainerView): RunView | undefined {
  const last = runs.at(-1);
  const isLoop = state.kind === 'waiting' && state.reason === 'CrashLoopBackOff';
  return isLoop && last?.evidence !== undefined ? last : undefined;
}

/** The end of a run, by a probe or by itself. */
function endTrouble(patient: Patient, run: RunView): Omit<Trouble, 'rank'> {
  const { container, simulated } = patient;
  const { name } = container;
  const killer = killerOf(run);
  const known = container.runs.filter((one) => hasDied(one) || one === run).length;
  // Runs before the first that is known have ended too.
  const ends = known + (container.runs[0]?.run ?? 0);
  if (killer === undefined) {
    const exit = run.exitCode === undefined ? '' : ` (exit ${run.exitCode})`;
    const what = `${name} ${run.exitCode === 0 ? 'exited' : 'crashed'} ${ends} ×${exit}`;
    return { what, ...crash(patient, run) };
  }
  const what = `${name} killed ${ends} ×${killer === 'startup' ? ' while starting' : ''}`;
  const probe = container.probes.find(({ type }) => type === killer);
  const attempt = probe?.attempts.findLast((one) => one.run === run.run && one.error === undefined);
  const cause = probe && attempt && probeCause(container, probe, attempt);
  const failures = failuresText(container, killer, run.run);
  const own = killer === 'startup' ? startupCause(container, simulated, cause) : cause;
  const why = joined([failures, own?.why]) || `the ${killer} probe failed`;
  return { ...own, what, why };
}

const COMPLETED: Cause = {
  why: 'its command ended with success, and the policy restarts it',
  change: 'Run a command that does not end, or set restartPolicy to OnFailure',
};

function crash(patient: Patient, run: RunView): Cause {
  const { pod, container } = patient;
  if ([container.lastState, container.state].some(wasOutOfMemory)) {
    return {
      why: 'it used more memory than its limit',
      change: 'Raise resources.limits.memory, or use less memory',
    };
  }
  if (run.killReason !== undefined) return { why: run.killed ?? run.killReason };
  const known = run.exitCode === 0 ? COMPLETED : signalCause(run.exitCode);
  if (known !== undefined) {
    return (run.evidence === undefined ? undefined : reportedKill(patient)) ?? known;
  }
  const cause = crashCause(outputOf(container, run));
  if (cause !== undefined || run.evidence === undefined) {
    return cause ?? { why: 'kprobe saw no output of it' };
  }
  const { name, namespace } = pod.object.metadata;
  const previous = currentRun(container) === undefined ? '' : ' --previous';
  return {
    why: 'its status has no message',
    change: `kubectl logs ${name.replace('@cluster', '')} -n ${namespace} -c ${container.name}${previous} shows its output`,
  };
}

function wasOutOfMemory(state: ContainerState): boolean {
  return state.kind === 'terminated' && state.reason === 'OOMKilled';
}

/** The last kill by a probe that a cluster's kubelet reported: it reports 25 events, then one each 5 minutes. */
function reportedKill({ pod, container, now }: Patient): Cause | undefined {
  const event = pod.events.findLast(
    (one) => one.reason === 'Killing' && one.container === container.name,
  );
  const probe = container.probes.find(({ type }) =>
    event?.message.includes(`failed ${type} probe`),
  );
  if (event === undefined || probe === undefined) return undefined;
  const attempt = probe.attempts.findLast((one) => verdictOfAttempt(one) === 'failure');
  const cause = attempt && attemptCause({ container, probe }, attempt);
  const ago = age(now - event.lastAt);
  const why = `the ${probe.type} probe failed when the kubelet last said why, ${ago} ago`;
  return { ...cause, why: joined([why, cause?.why]) };
}

function probeTrouble(patient: Patient, probe: ProbeView): Trouble[] {
  const { container, now, simulated } = patient;
  const { type, attempts } = probe;
  const last = attempts.at(-1);
  if (last === undefined || last.run !== currentRun(container)?.run) return [];
  if (verdictOfAttempt(last) === 'success') return [];
  const cause = probeCause(container, probe, last);
  const restarts = container.runs.filter((run) => killerOf(run) === type && hasDied(run)).length;
  const what = `${container.name}${restarts === 0 ? '' : ` killed ${restarts} ×`}`;
  if (last.error !== undefined) {
    const why = joined([`${type} errors`, cause?.why ?? last.error]);
    return [{ ...cause, rank: 18, what, probe: type, why }];
  }
  const own = type === 'startup' ? startupCause(container, simulated, cause) : cause;
  const why = joined([failuresText(container, type, last.run), own?.why]);
  const [turn] = forecastProbe(container, probe, now).turns.filter(({ to }) => to === 'failure');
  const rank = type === 'readiness' ? 20 : 8 + Math.min(6, (turn?.needed ?? 1) - 1);
  return [{ ...own, rank, what, probe: type, why }];
}

/** Returns the cause of an attempt's failure, if need be from the output of its command. */
function probeCause(
  container: ContainerView,
  probe: ProbeView,
  attempt: AttemptView,
): Cause | undefined {
  const cause = attemptCause({ container, probe }, attempt);
  if (cause !== undefined || probeOf(container.spec, probe.type)?.exec === undefined) return cause;
  const why = crashCause(attempt.output.trim().split('\n'))?.why ?? '';
  const field = `${probe.type}Probe.exec.command`;
  return { why, change: `Fix what the command checks, or correct ${field}` };
}

/** Adds the startup budget to the cause of a startup probe's failure, and the time that a start needs. */
export function startupCause(
  container: ContainerView,
  simulated: boolean,
  cause: Cause | undefined,
): Cause | undefined {
  const probe = container.spec.startupProbe;
  if (probe === undefined) return cause;
  const { periodSeconds, failureThreshold, initialDelaySeconds } = probe;
  const budget = initialDelaySeconds + periodSeconds * failureThreshold;
  const need = startTime(container, simulated);
  if (need !== undefined && need > budget) {
    const enough = Math.ceil((need - initialDelaySeconds) / periodSeconds) + 1;
    const field = 'startupProbe.failureThreshold';
    return {
      why: `it needs about ${Math.ceil(need)} s, the startup budget is ${budget} s`,
      ...changeTo(field, enough, `Raise ${field} to at least ${enough}`),
    };
  }
  const why = joined([cause?.why, `the startup budget is ${budget} s`]);
  const change = 'Raise startupProbe.failureThreshold if it needs longer to start';
  return { ...cause, why, change: cause?.change ?? change };
}

/** Seconds of the longest start seen; simulated restarts leave the first run's process alone. */
function startTime({ runs, probes }: ContainerView, simulated: boolean): number | undefined {
  const startup = probes.find(({ type }) => type === 'startup');
  const times = runs.flatMap(({ run, startedAt }) => {
    const from = simulated ? runs[0]?.startedAt : startedAt;
    const success = startup?.attempts.find((one) => one.run === run && one.result === 'success');
    return success === undefined || from === undefined ? [] : [success.endedAt - from];
  });
  return times.length === 0 ? undefined : Math.max(...times);
}
