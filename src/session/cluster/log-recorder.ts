import { ClusterError, withRule } from '../../cluster/cluster-error.js';
import type { Cluster } from '../../cluster/types.js';
import type { EventOf } from '../../trace/event.js';
import { type LoggedRun, type LogLine, parseLogLine } from './watch-requests.js';

interface LogRecording {
  readonly cluster: Pick<Cluster, 'followLog'>;
  readonly signal: AbortSignal;
  readonly record: (event: EventOf<'output'>) => void;
  readonly note: (text: string) => void;
}

/** Records lines of logs, each once: the end of a run and its followed log bring the same ones. */
export class LogRecorder {
  readonly #followed = new Set<string>();
  /** When the latest recorded line of each run was written. */
  readonly #writtenAt = new Map<string, number>();

  constructor(private readonly recording: LogRecording) {}

  /** Records what a running container writes until its run ends, as `kubectl logs -f` shows it. */
  async follow(logged: LoggedRun): Promise<void> {
    const { cluster, signal, note } = this.recording;
    const id = idOf(logged);
    if (this.#followed.has(id)) return;
    this.#followed.add(id);
    const { pod, container } = logged;
    const [namespace = '', name = ''] = pod.split('/');
    const after = this.#writtenAt.get(id);
    try {
      for await (const line of cluster.followLog({ namespace, name, container }, signal)) {
        this.output(logged, [parseLogLine(line)], after);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ClusterError)) throw error;
      note(`without the log of ${container}: ${withRule(error)}`);
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
