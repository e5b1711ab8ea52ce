import type { ContainerStateTerminated, ContainerStatus } from '../../api/index.js';

/** A step in the life of a container. Times are whole seconds: what happens in one is ordered by run and phase. */
export interface Step {
  readonly at: number;
  readonly container: string;
  readonly run: number;
  readonly phase: 'start' | 'event' | 'end';
  readonly play: () => void;
}

const PHASES: Readonly<Record<Step['phase'], number>> = { start: 0, event: 1, end: 2 };

/** Sorts the steps of a pod; an event belongs to the first run that starts or ends in its second. */
export function inOrder(steps: readonly Step[]): Step[] {
  const runOf = ({ at, container, run, phase }: Step): number => {
    if (phase !== 'event') return run;
    const near = steps.filter((one) => one.at === at && one.container === container);
    return Math.min(...near.map((one) => one.run));
  };
  return steps
    .map((step) => ({ step, run: runOf(step) }))
    .sort(
      (a, b) =>
        a.step.at - b.step.at || a.run - b.run || PHASES[a.step.phase] - PHASES[b.step.phase],
    )
    .map(({ step }) => step);
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

/** Returns the runs that a status shows, oldest first; `known` is the end of the last known run. */
export function reportedRuns(
  { state, lastTerminationState, restartCount }: ContainerStatus,
  known: number | undefined,
): ReportedRun[] {
  const ended = (end: ContainerStateTerminated | undefined, run: number): ReportedRun[] =>
    end === undefined || run < 0 ? [] : [{ run, startedAt: end.startedAt, end }];
  const last = lastTerminationState.terminated;
  const { running, terminated, waiting } = state;
  if (running !== undefined) {
    return [...ended(last, restartCount - 1), { run: restartCount, startedAt: running.startedAt }];
  }
  if (terminated !== undefined) {
    return [...ended(last, restartCount - 1), ...ended(terminated, restartCount)];
  }
  if (waiting?.reason === 'RunContainerError') {
    const { message = '' } = waiting;
    const failed = { exitCode: 128, reason: 'StartError', message };
    return [...ended(last, restartCount - 1), ...ended(failed, restartCount)];
  }
  // A container that was created and could not be started has no end of its own.
  return last?.finishedAt !== undefined && last.finishedAt === known
    ? []
    : ended(last, restartCount);
}
