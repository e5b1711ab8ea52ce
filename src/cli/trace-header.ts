import type { Session } from '../app/session.js';
import { FORMAT_VERSION, type TraceHeader } from '../trace/trace-record.js';
import { VERSION } from './version.js';

export interface TracedRun {
  readonly target: string;
  readonly session: Pick<Session, 'origin'>;
  readonly realRestarts: readonly string[];
  /** Milliseconds. */
  readonly kubeletAge: number;
  readonly kubeletVersion: string;
}

/** What the trace of a live run begins with. */
export function traceHeader({
  target,
  session,
  realRestarts,
  kubeletAge,
  kubeletVersion,
}: TracedRun): TraceHeader {
  return {
    t: 0,
    kind: 'trace',
    version: FORMAT_VERSION,
    kprobe: VERSION,
    kubelet: kubeletVersion,
    target,
    realRestarts,
    startedAt: new Date(session.origin).toISOString(),
    kubeletAge: kubeletAge / 1000,
  };
}

/** What the trace of a simulation begins with. */
export function simulatedHeader(kubeletVersion: string): TraceHeader {
  const made = { version: FORMAT_VERSION, kprobe: VERSION, kubelet: kubeletVersion };
  return { t: 0, kind: 'trace', ...made, target: 'simulated' };
}
