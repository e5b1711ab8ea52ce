import type { ContainerStateTerminated, ContainerStatus } from '../../api/index.js';

/** A step in the life of a container. */
export interface Step {
  readonly at: number;
  /** Order within a second: a kill ends one run before the next one starts. */
  readonly rank: number;
  readonly play: () => void;
}

export const RANKS = { firstStart: 0, event: 1, end: 2, start: 3 } as const;

export function byTime(a: Step, b: Step): number {
  return a.at - b.at || a.rank - b.rank;
}

/** Reasons of a container that the runtime could not start. */
const NOT_STARTED: readonly string[] = ['StartError', 'ContainerCannotRun'];

/** Reports whether the runtime could not even start it. */
export function hasNotStarted(end: ContainerStateTerminated | undefined): boolean {
  return NOT_STARTED.includes(end?.reason ?? '');
}

/** The life of a container as a status reports it. */
export interface ReportedRun {
  readonly run: number;
  readonly startedAt: number | undefined;
  readonly end?: ContainerStateTerminated;
}

/** Returns the runs that a status shows, oldest first: the last two at most. */
export function reportedRuns({
  state,
  lastTerminationState,
  restartCount,
}: ContainerStatus): ReportedRun[] {
  const ended = (end: ContainerStateTerminated | undefined, run: number): ReportedRun[] =>
    end === undefined || run < 0 ? [] : [{ run, startedAt: end.startedAt, end }];
  const last = lastTerminationState.terminated;
  const { running, terminated } = state;
  if (running !== undefined) {
    return [...ended(last, restartCount - 1), { run: restartCount, startedAt: running.startedAt }];
  }
  return terminated === undefined
    ? ended(last, restartCount)
    : [...ended(last, restartCount - 1), ...ended(terminated, restartCount)];
}
