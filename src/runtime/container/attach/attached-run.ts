import type { Clock } from '../../../clock/clock.js';
import type { Run, RunEnd } from '../../run.js';
import type { Inspected } from '../inspect.js';

/** 128 + SIGTERM: how a run ends on paper. */
const TERMINATED = 143;
/** How it ended is not known: it has begun anew, or was removed, between two looks. */
const UNKNOWN_EXIT = 137;

/** What a life of a container is known by: the same container started again lives anew. */
export function lifeOf({ id, startedAt }: Inspected): string {
  return `${id} ${startedAt ?? ''}`;
}

export interface AttachedRunOptions {
  readonly clock: Clock;
  /** The life of the container that it is. */
  readonly life: string;
  readonly startedAt: number;
  /** Ends the container itself; on paper when absent. */
  readonly stop?: ((gracePeriodSeconds: number) => Promise<void>) | undefined;
}

/** A run of a container that kprobe did not make: it ends with the container, or on paper when the kubelet would end it. */
export class AttachedRun implements Run {
  readonly ended: Promise<RunEnd>;
  readonly startedAt: number;
  readonly life: string;
  #end: (end: RunEnd) => void = () => undefined;
  #isOver = false;

  constructor(private readonly options: AttachedRunOptions) {
    this.life = options.life;
    this.startedAt = options.startedAt;
    this.ended = new Promise((resolve) => {
      this.#end = (end) => {
        this.#isOver = true;
        resolve(end);
      };
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  stop(gracePeriodSeconds: number): void {
    const { clock, stop } = this.options;
    if (stop === undefined) {
      this.#end({ exitCode: TERMINATED, finishedAt: clock.now(), message: '' });
      return;
    }
    // The next look sees how it has ended.
    void stop(gracePeriodSeconds);
  }

  /** What was there before kprobe stays when it ends. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  /** The container has ended. */
  endAs({ exitCode, oomKilled, finishedAt, error }: Inspected): void {
    const reason = oomKilled ? { reason: 'OOMKilled' } : {};
    const at = finishedAt ?? this.options.clock.now();
    this.#end({ exitCode, finishedAt: at, message: error, ...reason });
  }

  /** It is gone, and how it ended was not seen. */
  endUnseen(message: string, exitCode = UNKNOWN_EXIT, finishedAt = this.options.clock.now()): void {
    this.#end({ exitCode, finishedAt, message });
  }
}
