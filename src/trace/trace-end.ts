import type { Verdict } from './summary/verdict.js';
import type { EndKind, TraceEnd } from './trace-record.js';

export interface EndOfRun {
  /** Seconds since the trace began. */
  readonly t: number;
  readonly kind: EndKind;
  readonly verdict: Verdict;
  readonly exitCode: number;
}

/** The last line of a trace whose last event was at `latest`. */
export function traceEnd({ t, kind, verdict, exitCode }: EndOfRun, latest: number): TraceEnd {
  const at = Math.round(t * 1000) / 1000;
  const { kind: holds, sentence } = verdict;
  const end = { how: kind, at, verdict: holds, sentence, exitCode };
  return { t: Math.max(at, latest), kind: 'end', ...end };
}
