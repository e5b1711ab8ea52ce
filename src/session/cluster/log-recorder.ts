import type { Clock } from '../../clock/clock.js';
import { ClusterError, withRule } from '../../cluster/cluster-error.js';
import type { Cluster } from '../../cluster/types.js';
import type { EventOf } from '../../trace/event.js';
import { LASTING, type LoggedRun, type LogLine, parseLogLine } from './watch-requests.js';

/** Milliseconds after which a log that broke off is opened again: they double from `first` to `last`, and begin again after a log that stayed open. */
const DELAY = { first: 2000, last: 32_000 };

interface LogRecording {
  readonly clock: Pick<Clock, 'now'>;
  readonly cluster: Pick<Cluster, 'followLog'>;
  readonly signal: AbortSignal;
  readonly record: (event: EventOf<'output'>) => void;
  readonly note: (text: string) => void;
}

/** A log that has ended, perhaps not because its run has: a kubelet that restarts ends all of its logs. */
interface EndedLog {
  readonly logged: LoggedRun;
  /** In the clock's milliseconds. */
  readonly nextAt: number;
  readonly nextDelay: number;
}

/** Records each line of a log once, although a followed log and the log that is read at the end of a run may both have it. */
export class LogRecorder {
  readonly #followed = new Set<string>();
  readonly #ended = new Map<string, EndedLog>();
  /** When the latest recorded line of each run was written. */
  readonly #writtenAt = new Map<string, number>();

  constructor(private readonly recording: LogRecording) {}

  /** Records what a container writes until its run ends, as `kubectl logs -f` shows it. */
  async follow(logged: LoggedRun): Promise<void> {
    const id = idOf(logged);
    if (this.#followed.has(id)) return;
    this.#followed.add(id);
    await this.#follow(logged, DELAY.first);
  }

  /** Opens logs again that have ended, although their run goes on. */
  reopen(isRunning: (logged: LoggedRun) => boolean): void {
    for (const [id, { logged, nextAt, nextDelay }] of this.#ended) {
      if (this.recording.clock.now() < nextAt) continue;
      this.#ended.delete(id);
      if (isRunning(logged)) void this.#follow(logged, nextDelay);
    }
  }

  async #follow(logged: LoggedRun, delay: number): Promise<void> {
    const { clock, signal, note } = this.recording;
    const openedAt = clock.now();
    const error = await this.#read(logged);
    if (signal.aborted) return;
    const now = clock.now();
    const next = now - openedAt > DELAY.last ? DELAY.first : delay;
    if (next > DELAY.last || (error !== undefined && LASTING.includes(error.code))) {
      const reason = error === undefined ? 'it ends again and again' : withRule(error);
      note(`without the log of ${logged.container}: ${reason}`);
    } else {
      this.#ended.set(idOf(logged), { logged, nextAt: now + next, nextDelay: 2 * next });
    }
  }

  /** Records lines until the log ends; returns the error that has ended it. */
  async #read(logged: LoggedRun): Promise<ClusterError | undefined> {
    const { cluster, signal } = this.recording;
    const { pod, container } = logged;
    const [namespace = '', name = ''] = pod.split('/');
    const after = this.#writtenAt.get(idOf(logged));
    try {
      for await (const line of cluster.followLog({ namespace, name, container }, signal, after)) {
        this.output(logged, [parseLogLine(line)], after);
      }
      return undefined;
    } catch (error) {
      if (error instanceof ClusterError) return error;
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  /** Records lines, except those that were written no later than `after`. */
  output(
    logged: LoggedRun,
    lines: readonly LogLine[] = [],
    after = this.#writtenAt.get(idOf(logged)) ?? -Infinity,
  ): void {
    const { pod, container, run } = logged;
    for (const line of lines) {
      if (line.at !== undefined && line.at <= after) continue;
      if (line.at !== undefined) this.#writtenAt.set(idOf(logged), line.at);
      this.recording.record({ kind: 'output', pod, container, run, stream: 'stderr', ...line });
    }
  }
}

function idOf({ pod, container, run }: LoggedRun): string {
  return `${pod} ${container} ${run}`;
}
