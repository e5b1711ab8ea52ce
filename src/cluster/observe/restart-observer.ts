import type { ContainerStateTerminated, ContainerStatus } from '../../api/index.js';
import { parseDuration } from '../../go/duration.js';
import type { ReleaseBehavior } from '../../kubelet/release.js';
import { RESTARTING_ALL_CONTAINERS } from '../../kubelet/status/container-statuses.js';
import type { Event, EventOf } from '../../trace/event.js';
import {
  type CrashLoop,
  estimatedDelay,
  firstCrashLoop,
  nextCrashLoop,
} from '../../trace/summary/container-view.js';
import type { ClusterEvent } from './decode-objects.js';
import {
  backOffDivergence,
  type Divergence,
  noRestartDivergence,
  restartDivergence,
} from './divergence.js';

export interface ObserverContext {
  /** `namespace/name` */
  readonly key: string;
  readonly emit: (event: Event) => void;
  readonly diverge: (container: string, divergence: Divergence | undefined) => void;
  readonly mayBeSilent: (type: ClusterEvent['type']) => boolean;
  /** The behavior of the kubelet of the pod's node, as far as the node is known. */
  readonly behavior: () => ReleaseBehavior;
}

type Kill = EventOf<'actions'>['containersToKill'][number];

/** Follows the restarts of one container: what the kubelet has planned, and its back-off. */
export class RestartObserver {
  finishedAt: number | undefined;
  #planned: 'no' | 'kill' | 'exit' = 'no';
  /** The kubelet's back-off entry, as far as it is known. */
  #crashLoop: CrashLoop | undefined;
  /** The end of the run after which the kubelet has planned a start. */
  #plannedEnd: number | undefined;
  #firstRun: number | undefined;
  /** True where a BackOff event came before the end of the run. */
  #isAnnounced = false;
  /** The end of the run from which the last back-off counts. */
  #delayedSince: number | undefined;
  /** The back-off in the status. */
  #reportedBackOff: { readonly text: string; readonly delay: number } | undefined;
  /** When the spec got a new image, which makes the back-off void until the next start. */
  #imageAt: number | undefined;
  #foreseen: number | undefined;
  /** The image of the last run whose status named it. */
  #image: string | undefined;
  /** True where the image has changed since the last back-off in a status or start of another image. */
  #isUncertain = false;

  constructor(
    private readonly context: ObserverContext,
    private readonly name: string,
  ) {}

  plan(starts: boolean, ...containersToKill: Kill[]): void {
    if (starts) this.#plannedEnd = this.finishedAt;
    this.#planned = !starts ? 'no' : containersToKill.length > 0 ? 'kill' : 'exit';
    const containersToStart = starts ? [{ name: this.name }] : [];
    const { key: pod, emit } = this.context;
    const ofPod = { kind: 'actions', pod, killPod: false, createSandbox: false } as const;
    emit({ ...ofPod, containersToStart, containersToKill });
  }

  started({ run, startedAt, image }: ReportedRun, now: number): void {
    this.#firstRun ??= run;
    if (run > 0 && this.#planned === 'no') this.plan(true);
    const before = this.#image;
    this.#image = image ?? before;
    const hasNewImage = before !== undefined && this.#image !== before;
    const isVoid = hasNewImage || this.#imageAt !== undefined;
    const { delay } = isVoid ? {} : (this.#reportedBackOff ?? {});
    const { finishedAt } = this;
    if ((startedAt ?? now) > (this.#imageAt ?? 0)) this.#imageAt = undefined;
    if (delay !== undefined && finishedAt !== undefined && startedAt !== undefined) {
      const end = { finishedAt, delay };
      const divergence = restartDivergence(end, startedAt, this.context.behavior());
      this.context.diverge(this.name, divergence);
    }
    const { crashLoopBackOff: limits } = this.context.behavior();
    if (hasNewImage) {
      this.#crashLoop = nextCrashLoop(undefined, 0, (startedAt ?? now) / 1000, limits);
      this.#isUncertain = false;
    } else if (run === this.#firstRun) {
      this.#crashLoop = firstCrashLoop(run, (startedAt ?? now) / 1000, limits);
    } else if (this.#plannedEnd !== undefined && !this.#isUncertain) {
      const [at, end] = [(startedAt ?? now) / 1000, this.#plannedEnd / 1000];
      const isKilled = this.#planned === 'kill';
      const first =
        this.#firstRun === 0 ? undefined : estimatedDelay(run, isKilled, at - end, limits);
      this.#crashLoop = nextCrashLoop(this.#crashLoop, end, at, limits, first);
    }
    this.#planned = 'no';
    this.#reportedBackOff = undefined;
  }

  /** Forgets the back-off: a new image has another entry. */
  imageChanged(now: number): void {
    this.#crashLoop = undefined;
    this.#imageAt = now;
    this.#isUncertain = true;
  }

  /** Takes the back-off of a first status, which counts more than what is estimated from the events before it. */
  foresee(status: ContainerStatus): void {
    this.#foreseen = parseDuration(backOffIn(status));
  }

  show(status: ContainerStatus): void {
    this.#foreseen = undefined;
    const text = backOffIn(status);
    const delay = parseDuration(text);
    if (delay === undefined || text === this.#reportedBackOff?.text) return;
    this.#reportedBackOff = { text, delay };
    this.#isUncertain = false;
    this.#delayed(delay);
    this.context.diverge(this.name, backOffDivergence(delay));
  }

  /** Applies a BackOff event, which may come before the status that shows the back-off or the end. */
  backOff(isRunning: boolean): void {
    this.#isAnnounced = isRunning;
    if (!isRunning && this.#crashLoop !== undefined && this.#reportedBackOff === undefined) {
      this.#delayed(this.#foreseen ?? this.#crashLoop.delay * 1000);
    }
  }

  ended(): void {
    if (this.#isAnnounced) this.backOff(false);
  }

  #delayed(delay: number): void {
    const { finishedAt } = this;
    const isSame = this.#delayedSince === finishedAt && this.#crashLoop?.delay === delay / 1000;
    if (finishedAt === undefined || isSame) return;
    this.#delayedSince = finishedAt;
    if (this.#planned !== 'exit') this.plan(true);
    const { updatedAt = finishedAt / 1000 } = this.#crashLoop ?? {};
    this.#crashLoop = { delay: delay / 1000, updatedAt };
    const { key, emit } = this.context;
    emit({ kind: 'backOff', pod: key, container: this.name, delay, until: finishedAt + delay });
  }

  overdue(now: number): void {
    if (this.finishedAt === undefined) return;
    const delay = this.#reportedBackOff?.delay;
    const behavior = this.context.behavior();
    const divergence = noRestartDivergence(this.finishedAt, delay, now, behavior);
    this.context.diverge(this.name, divergence);
  }
}

function backOffIn({ state }: ContainerStatus): string {
  const [, text = ''] =
    /^back-off (\S+) restarting failed/.exec(state.waiting?.message ?? '') ?? [];
  return text;
}

/** A step in the life of a container. Times are whole seconds: what happens in one is ordered by run and phase. */
export interface Step {
  readonly at: number;
  readonly container: string;
  readonly run: number;
  readonly phase: 'start' | 'event' | 'end';
  readonly play: () => void;
}

const PHASES: Readonly<Record<Step['phase'], number>> = { start: 0, event: 1, end: 2 };

/** Sorts the steps of a pod; an event belongs to the first run that starts or ends in the same second. */
export function inOrder(steps: readonly Step[]): Step[] {
  const runOf = ({ at, container, run, phase }: Step): number => {
    if (phase !== 'event') return run;
    const near = steps.filter((step) => step.at === at && step.container === container);
    return Math.min(...near.map((step) => step.run));
  };
  return steps
    .map((step) => ({ step, run: runOf(step) }))
    .sort(
      (a, b) =>
        a.step.at - b.step.at || a.run - b.run || PHASES[a.step.phase] - PHASES[b.step.phase],
    )
    .map(({ step }) => step);
}

const NOT_STARTED: readonly string[] = ['StartError', 'ContainerCannotRun'];

export function hasNotStarted(end: ContainerStateTerminated | undefined): boolean {
  return NOT_STARTED.includes(end?.reason ?? '');
}

/** Returns true for the end that a kubelet makes up for a container that RestartAllContainers removed. */
export function isOfRestartInPlace(end: ContainerStateTerminated | undefined): boolean {
  return end?.reason === RESTARTING_ALL_CONTAINERS;
}

export interface ReportedRun {
  readonly run: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number | undefined;
  readonly end?: ContainerStateTerminated;
  /** Absent where the status is about a later run. */
  readonly image?: string;
}

/** Returns the runs that a status shows, oldest first; `known` is the end of the last known run. */
export function reportedRuns(
  { state, lastTerminationState, restartCount, image }: ContainerStatus,
  known: number | undefined,
): ReportedRun[] {
  const ended = (end: ContainerStateTerminated | undefined, run: number): ReportedRun[] => {
    if (end === undefined || run < 0) return [];
    // Runtimes report 1970 as the time of a start that failed.
    const startedAt = hasNotStarted(end) ? end.finishedAt : end.startedAt;
    return [{ run, startedAt, end, ...(run === restartCount && { image }) }];
  };
  const last = lastTerminationState.terminated;
  const { running, terminated, waiting } = state;
  const before = ended(last, restartCount - 1);
  if (running !== undefined) {
    return [...before, { run: restartCount, startedAt: running.startedAt, image }];
  }
  if (terminated !== undefined) return [...before, ...ended(terminated, restartCount)];
  if (waiting?.reason === 'RunContainerError') {
    if (hasNotStarted(last)) return ended(last, restartCount);
    const failed = { exitCode: 128, reason: 'StartError', message: waiting.message ?? '' };
    return [...before, ...ended(failed, restartCount)];
  }
  if (isOfRestartInPlace(last)) return before;
  // A created container that could not be started has no termination state.
  const isKnown = last?.finishedAt !== undefined && last.finishedAt === known;
  return isKnown ? [] : ended(last, restartCount);
}
