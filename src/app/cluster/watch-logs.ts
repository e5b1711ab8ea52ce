import { ClusterError } from '../../cluster/cluster-error.js';
import type { Cluster } from '../../cluster/types.js';
import type { Event } from '../../kubelet/event.js';
import { findContainer, findPod, type Summary } from '../../trace/summary/summary.js';

/** Logs that are asked for at once: of many pods that crash together, the first ones say why. */
const AT_ONCE = 10;

interface LogReading {
  readonly cluster: Pick<Cluster, 'log'>;
  readonly signal: AbortSignal;
  readonly summary: () => Summary;
  readonly onOutput: (event: Extract<Event, { kind: 'output' }>) => void;
  /** Takes why logs may not be read, once. */
  readonly onDenied: (error: ClusterError) => void;
}

type Ended = Extract<Event, { kind: 'exited' }>;

/** Reads the last lines of containers that crashed: their statuses rarely say why. */
export class LogReader {
  readonly #reading: LogReading;
  #pending = 0;
  #isDenied = false;

  constructor(reading: LogReading) {
    this.#reading = reading;
  }

  async read(ended: Ended): Promise<void> {
    if (this.#isDenied || this.#pending >= AT_ONCE) return;
    this.#pending++;
    try {
      await this.#read(ended);
    } catch (error) {
      if (this.#reading.signal.aborted) return;
      if (!(error instanceof ClusterError)) throw error;
      if (error.code === 'forbidden') this.#deny(error);
    } finally {
      this.#pending--;
    }
  }

  #deny(error: ClusterError): void {
    if (this.#isDenied) return;
    this.#isDenied = true;
    this.#reading.onDenied(error);
  }

  async #read({ pod, container, run }: Ended): Promise<void> {
    const { cluster, signal, summary, onOutput } = this.#reading;
    // The status that came with the end shows whether another run has begun.
    await Promise.resolve();
    const found = findPod(summary(), pod);
    const later = ((found && findContainer(found, container)?.restartCount) ?? run) - run;
    if (later > 1) return;
    const [namespace = '', name = ''] = pod.split('/');
    const text = await cluster.log({ namespace, name, container }, later === 1, signal);
    for (const line of text.trimEnd().split('\n')) {
      if (line !== '') {
        onOutput({ kind: 'output', pod, container, run, stream: 'stderr', text: line });
      }
    }
  }
}
