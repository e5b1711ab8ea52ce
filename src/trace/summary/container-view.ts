import type { Container } from '../../api/index.js';
import { BACK_OFF_EXPIRES, type BackOffLimits } from '../../kubelet/release.js';
import type { Evidence, ProcessEnd, ReplayedChange } from '../event.js';
import type { LineOf } from '../trace-line.js';
import type { ProbeView } from './probe-view.js';

export type ContainerRole = 'container' | 'init' | 'sidecar';

/** A container's state in the pod's status; `text` is the trace's form of it. */
export type ContainerState =
  /** The pod has no status yet. */
  | { readonly kind: 'unknown'; readonly text: '' }
  | { readonly kind: 'running'; readonly text: 'running' }
  /** Empty where the status has no reason. */
  | { readonly kind: 'waiting'; readonly text: string; readonly reason: string }
  | {
      readonly kind: 'terminated';
      readonly text: string;
      readonly reason: string;
      readonly exitCode: number;
    };

/** Parses `running`, `waiting CrashLoopBackOff`, `terminated Error 1`, or an empty text. */
export function parseContainerState(text: string): ContainerState {
  if (text === '') return { kind: 'unknown', text };
  if (text === 'running') return { kind: 'running', text };
  const [, reason = '', exitCode] = /^terminated (.*?) ?(-?\d+)$/.exec(text) ?? [];
  return exitCode === undefined
    ? { kind: 'waiting', text, reason: text.replace(/^waiting ?/, '') }
    : { kind: 'terminated', text, reason, exitCode: Number(exitCode) };
}

export function hasCompleted(state: ContainerState): boolean {
  return state.kind === 'terminated' && state.exitCode === 0;
}

/** The state and history of one container. Times are seconds since the trace began. */
export interface ContainerView {
  readonly name: string;
  readonly role: ContainerRole;
  readonly spec: Container;
  readonly state: ContainerState;
  readonly lastState: ContainerState;
  readonly ready: boolean;
  readonly started: boolean;
  readonly restartCount: number;
  /** Restarts before the trace began. */
  readonly restartsBefore?: number;
  /** Oldest first. */
  readonly runs: readonly RunView[];
  /** Present while a back-off delays the restart. */
  readonly backOff?: { readonly since: number; readonly until: number; readonly delay: number };
  /** The kubelet's back-off entry, which delays the next restart. */
  readonly crashLoop?: CrashLoop;
  /** Present while a start is planned; the back-off counts from the last end before it. */
  readonly planned?: { readonly lastEndedAt?: number };
  /** Present between TERM and the end. */
  readonly stopping?: { readonly since: number; readonly gracePeriod: number };
  /** Present while a hook runs. */
  readonly hook?: { readonly name: string; readonly since: number };
  readonly probes: readonly ProbeView[];
  /** Changes of its status, oldest first. */
  readonly states: readonly StateView[];
  /** Settings with which the run was played again, the latest last. */
  readonly replays: readonly ReplayedChange[];
  readonly output: readonly OutputLine[];
  /** Lines of output since the first run, kept or not. */
  readonly outputCount: number;
}

/** A back-off entry; it doubles with each start that it delayed. Times are in seconds. */
export interface CrashLoop {
  readonly delay: number;
  readonly updatedAt: number;
  /** True where earlier starts are unknown. */
  readonly isEstimate?: true;
}

/** Times are seconds since the trace began. */
export interface RunView extends ProcessEnd {
  readonly run: number;
  readonly startedAt?: number;
  /** Basis of a start in a cluster. */
  readonly evidence?: Evidence;
  readonly endedAt?: number;
  readonly exitCode?: number;
  /** Its end was not seen, so the exit code is a placeholder. */
  readonly isLost?: true;
  /** The kubelet's reason for a kill: `Container app failed liveness probe, will be restarted`. */
  readonly killed?: string;
  /** `LivenessProbe`, `StartupProbe`, or another reason of the kubelet. */
  readonly killReason?: string;
  readonly restartAskedAt?: number;
  /** When TERM was sent, and the seconds from TERM to KILL. */
  readonly stop?: {
    readonly at: number;
    readonly gracePeriod: number;
    /** Seconds that the preStop hook had taken, and had not ended. */
    readonly preStop?: number;
  };
  readonly startError?: string;
  /** The sockets found after its last failure. */
  readonly listening?: ListeningView;
  readonly hookError?: { readonly hook: string; readonly text: string };
  /** When the kubelet decided to start another run. */
  readonly restartDecidedAt?: number;
  /** The back-off that delayed the next run. */
  readonly backOff?: { readonly since: number; readonly until: number; readonly delay: number };
}

/** The sockets on which a run listens. `t` is when they were first seen; without sockets, when that was last seen. */
export type ListeningView = Omit<LineOf<'listening'>, 'kind' | 'pod' | 'container' | 'run'>;
/** A line of output; `t` is when it was written, if that is known, and else when kprobe read it. */
export type OutputLine = Omit<LineOf<'output'>, 'kind' | 'pod' | 'container' | 'at'>;

type StateView = Pick<ContainerView, 'state' | 'ready' | 'started' | 'restartCount'> & {
  readonly t: number;
};

export function hasDied({ endedAt, exitCode, stop }: RunView): boolean {
  return endedAt !== undefined && (exitCode !== 0 || stop !== undefined);
}

/** Returns the latest run whose start did not fail. */
export function lastStarted({ runs }: ContainerView): RunView | undefined {
  return runs.findLast(({ startedAt }) => startedAt !== undefined);
}

export function lastLines(
  { output }: ContainerView,
  run: RunView | undefined,
  limit: number,
): readonly OutputLine[] {
  if (run === undefined || !hasDied(run)) return [];
  return output.filter((line) => line.run === run.run).slice(-limit);
}

export function currentRun({
  runs,
}: ContainerView): (RunView & { readonly startedAt: number }) | undefined {
  const run = runs.at(-1);
  if (run?.startedAt === undefined || run.endedAt !== undefined) return undefined;
  return { ...run, startedAt: run.startedAt };
}

/** Returns the seconds of a back-off after a number of doublings. */
export function backOffDelay({ initial, max }: BackOffLimits, doublings: number): number {
  return Math.min(initial * 2 ** doublings, max) / 1000;
}

/** Returns the entry after a start, if the previous run ended at `lastEndedAt`. Ports Backoff.Next. */
export function nextCrashLoop(
  entry: CrashLoop | undefined,
  lastEndedAt: number,
  now: number,
  { initial, max }: BackOffLimits,
  first = initial / 1000,
): CrashLoop {
  if (entry === undefined || entry.isEstimate === true) return { delay: first, updatedAt: now };
  const begins = isForgotten(entry, lastEndedAt);
  const delay = begins ? initial / 1000 : Math.min(2 * entry.delay, max / 1000);
  return { delay, updatedAt: now };
}

/** Estimates the entry after the first start that is known; a container's first start has none. */
export function firstCrashLoop(
  run: number,
  updatedAt: number,
  limits: BackOffLimits,
): CrashLoop | undefined {
  if (run === 0) return undefined;
  return { delay: estimatedDelay(run, false, 0, limits), updatedAt, isEstimate: true };
}

/**
 * Estimates the delay after the start of a run whose earlier starts are unknown: twice the back-off before it, or else
 * the delay that follows from the number of restarts.
 */
export function estimatedDelay(
  run: number,
  isKilled: boolean,
  secondsBefore: number,
  limits: BackOffLimits,
): number {
  const first = backOffDelay(limits, 0);
  const isSeen = !isKilled && secondsBefore >= first;
  const seen = Math.floor(Math.log2(secondsBefore / first)) + 1;
  const doublings = isSeen ? seen : isKilled ? run - 2 : run - 1;
  return backOffDelay(limits, Math.max(0, doublings));
}

/** Returns the seconds after `lastEndedAt` before which the container is not started. */
export function crashDelay(entry: CrashLoop | undefined, lastEndedAt: number): number {
  return entry === undefined || isForgotten(entry, lastEndedAt) ? 0 : entry.delay;
}

export function lastEnd({ runs }: ContainerView): number | undefined {
  return runs.findLast(({ endedAt }) => endedAt !== undefined)?.endedAt;
}

function isForgotten(entry: CrashLoop, lastEndedAt: number): boolean {
  return lastEndedAt - entry.updatedAt > BACK_OFF_EXPIRES;
}

/** Returns the name of the signal that a container's spec has for its stop, without SIG. */
export function stopSignal(container: Pick<ContainerView, 'spec'> | undefined): string {
  return (container?.spec.lifecycle?.stopSignal ?? 'SIGTERM').replace(/^SIG/, '');
}
