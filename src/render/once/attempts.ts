import type { Container, Pod, Probe } from '../../api/index.js';
import type { ProbeType } from '../../kubelet/event.js';
import { probeOf } from '../../kubelet/prober/probe-of.js';
import type { ProbeAnswer } from '../../kubelet/prober/prober.js';
import type { Tally } from '../../trace/summary/tally.js';
import { handlerText } from '../probe-text.js';

export interface ReportedProbe {
  readonly pod: Pod;
  readonly container: Container;
  readonly probeType: ProbeType;
  readonly named: boolean;
}

export interface ReportedAttempt {
  readonly answer: ProbeAnswer;
  /** Milliseconds, all tries together. */
  readonly latency: number;
  /** A cause of the failure that the kubelet's text does not name. */
  readonly diagnosis?: string;
  /** From 1. */
  readonly attempt: number;
  readonly tally: Tally;
  /** Attempts in a row that set this one's result. */
  readonly threshold: number;
  /** Seconds from the first attempt's begin to this one's end. */
  readonly at: number;
}

export type OnceVerdict = 'holds' | 'doesNotHold' | 'unknown';

/** `web/app liveness http :8080/healthz`; without the names where they come from no manifest. */
export function probeTitle(probe: ReportedProbe): string {
  const spec = specOf(probe);
  const what = spec === undefined ? '' : handlerText(spec, probe.container);
  if (!probe.named) return what;
  return `${probe.pod.metadata.name}/${probe.container.name} ${probe.probeType}: ${what}`;
}

export function specOf({ container, probeType }: ReportedProbe): Probe | undefined {
  return probeOf(container, probeType);
}

/** `success`, `warning`, `failure`, or `error` for what is thrown away. */
export function resultName({ outcome, error }: ProbeAnswer): string {
  return error === undefined ? outcome.result : 'error';
}
