import type { Pod } from '../../api/index.js';
import type { Session } from '../../app/session.js';
import { podKey } from '../../kubelet/pod-name.js';
import type { Scenario } from '../../sim/scenario.js';
import { FORMAT_VERSION, type TraceHeader, type TraceSource } from '../../trace/trace-record.js';
import { VERSION } from './version.js';

interface Sourced {
  readonly pod: Pod;
  readonly source: { readonly kind: string; readonly name: string };
}

export interface TracedRun {
  readonly target: string;
  readonly session: Pick<Session, 'origin'>;
  readonly realRestarts: readonly string[];
  /** Milliseconds. */
  readonly kubeletAge: number;
  readonly kubeletVersion: string;
  readonly pods: readonly Sourced[];
}

/** What the trace of a live run begins with. */
export function traceHeader({
  target,
  session,
  realRestarts,
  kubeletAge,
  kubeletVersion,
  pods,
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
    sources: sourcesOf(pods),
  };
}

/** What the pods come from. */
function sourcesOf(pods: readonly Sourced[]): TraceSource[] {
  return pods.map(({ pod, source: { kind, name } }) => ({ pod: podKey(pod), kind, name }));
}

/** What the trace of a simulation begins with. */
export function simulatedHeader(
  kubeletVersion: string,
  scenarios: readonly Scenario[],
): TraceHeader {
  const sources = scenarios.flatMap(({ pod, source }) =>
    source === undefined ? [] : sourcesOf([{ pod, source }]),
  );
  const made = { version: FORMAT_VERSION, kprobe: VERSION, kubelet: kubeletVersion };
  const about = sources.length === 0 ? {} : { sources };
  return { t: 0, kind: 'trace', ...made, target: 'simulated', ...about };
}
