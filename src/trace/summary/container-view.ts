import type { Container } from '../../api/index.js';
import type { ProbeView } from './probe-view.js';

export type ContainerRole = 'container' | 'init' | 'sidecar';

/** What has come of one container. Times are seconds since the trace began. */
export interface ContainerView {
  readonly name: string;
  readonly role: ContainerRole;
  readonly spec: Container;
  /** `running`, `waiting CrashLoopBackOff`, `terminated Error 1`; empty until the first status. */
  readonly state: string;
  readonly lastState: string;
  readonly ready: boolean;
  readonly started: boolean;
  readonly restartCount: number;
  /** Oldest first. */
  readonly runs: readonly RunView[];
  /** While a restart is put off. */
  readonly backOff?: { readonly since: number; readonly until: number; readonly delay: number };
  /** What the kubelet keeps of the restarts so far: how long the next one would be put off. */
  readonly crashLoop?: CrashLoop;
  /** A start is planned; the end of the latest run that had ended by then is what a back-off counts from. */
  readonly planned?: { readonly lastEndedAt?: number };
  /** While it is being stopped. */
  readonly stopping?: { readonly since: number; readonly gracePeriod: number };
  /** While a hook runs. */
  readonly hook?: { readonly name: string; readonly since: number };
  readonly probes: readonly ProbeView[];
  /** How its state in the status has changed, oldest first. */
  readonly states: readonly StateView[];
  /** The latest lines that it wrote. */
  readonly output: readonly OutputLine[];
  /** Lines that it wrote in all. */
  readonly outputCount: number;
}

/** A back-off entry: it holds for a container that ends by itself, and doubles with each start that it let pass. */
export interface CrashLoop {
  /** Seconds. */
  readonly delay: number;
  readonly updatedAt: number;
}

/** One life of a container. */
export interface RunView {
  readonly run: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly exitCode?: number;
  /** Why the kubelet ended it: `Container app failed liveness probe, will be restarted`. */
  readonly killed?: string;
  /** `LivenessProbe`, `StartupProbe`, or what else made the kubelet end it. */
  readonly killReason?: string;
  /** The user had it stopped. */
  readonly restartAskedAt?: number;
  /** When TERM was sent, and the seconds until KILL. */
  readonly stop?: { readonly at: number; readonly gracePeriod: number };
  readonly startError?: string;
  /** When the kubelet found that another run is to follow. */
  readonly restartDecidedAt?: number;
  /** The back-off that put the next run off. */
  readonly backOff?: { readonly since: number; readonly until: number; readonly delay: number };
}

/** What the status said of a container from then on. */
export interface StateView {
  readonly t: number;
  readonly state: string;
  readonly ready: boolean;
  readonly started: boolean;
}

export interface OutputLine {
  readonly t: number;
  readonly run: number;
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

/** Whether a run has ended other than by itself and well: it failed, or it was ended. */
export function hasDied({ endedAt, exitCode, stop }: RunView): boolean {
  return endedAt !== undefined && (exitCode !== 0 || stop !== undefined);
}

/** What a run that died wrote last, as far as it is kept; at most so many lines. */
export function lastLines(
  { output }: ContainerView,
  run: RunView | undefined,
  most: number,
): readonly OutputLine[] {
  if (run === undefined || !hasDied(run)) return [];
  return output.filter((line) => line.run === run.run).slice(-most);
}

/** The run that goes on now. */
export function currentRun({
  runs,
}: ContainerView): (RunView & { readonly startedAt: number }) | undefined {
  const run = runs.at(-1);
  if (run?.startedAt === undefined || run.endedAt !== undefined) return undefined;
  return { ...run, startedAt: run.startedAt };
}
