import type { ProbeType, Result } from '../event.js';
import type { Worker } from './worker.js';

/** The counters of one probe, as prober_probe_total and prober_probe_duration_seconds have them. */
export interface ProbeCounters {
  readonly pod: string;
  readonly container: string;
  readonly probeType: ProbeType;
  /** By result: `successful`, `failed`, `unknown`. Errored attempts count nowhere. */
  readonly successful: number;
  readonly failed: number;
  readonly unknown: number;
  /** The durations' count and sum in seconds; failed attempts are not observed. */
  readonly durationCount: number;
  readonly durationSum: number;
}

type Counting = { -readonly [K in keyof ProbeCounters]: ProbeCounters[K] };

const COUNTER = { success: 'successful', failure: 'failed', unknown: 'unknown' } as const;

/** Ports ProberResults and ProberDuration (pkg/kubelet/prober/prober_manager.go). */
export class ProberMetrics {
  private readonly counters = new Map<string, Counting>();

  /** Counts a result; `latency` is in milliseconds. */
  observe(worker: Worker, result: Result, latency: number): void {
    let counters = this.counters.get(worker.key);
    if (counters === undefined) this.counters.set(worker.key, (counters = zero(worker)));
    counters[COUNTER[result]]++;
    if (result === 'failure') return;
    counters.durationCount++;
    counters.durationSum += latency / 1000;
  }

  /** A worker that ends takes its counters with it. */
  forget(worker: Worker): void {
    this.counters.delete(worker.key);
  }

  all(): readonly ProbeCounters[] {
    return [...this.counters.values()].map((counters) => ({ ...counters }));
  }
}

function zero({ podKey, container, probeType }: Worker): Counting {
  const none = { successful: 0, failed: 0, unknown: 0, durationCount: 0, durationSum: 0 };
  return { pod: podKey, container: container.name, probeType, ...none };
}
