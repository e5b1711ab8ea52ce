import type { Container, Pod } from '../../api/index.js';
import { attemptFault } from '../../diagnosis/attempt-fault.js';
import { faultText, findingText } from '../../diagnosis/words.js';
import type { ProbeOutcome } from '../../kubelet/ports.js';
import { probeOf } from '../../kubelet/prober/probe-of.js';
import type { ProbeType } from '../../trace/event.js';
import { newPodSummary } from '../../trace/summary/fold.js';

interface FailedProbe {
  readonly pod: Pod;
  readonly container: Container;
  readonly probeType: ProbeType;
  /** Name of the handler, where no manifest has the probe. */
  readonly handler?: string;
}

/** Finds the cause of a failure as a run does; a gRPC server that refuses connections may expect TLS. */
export async function onceCause(
  { pod, container, probeType, handler }: FailedProbe,
  outcome: ProbeOutcome,
  speaksTls: (host: string, port: number) => Promise<boolean>,
): Promise<string | undefined> {
  if (outcome.reason === 'notConnected' && probeOf(container, probeType)?.grpc !== undefined) {
    const [, host, port] = /^\[?(.+?)\]?:(\d+)$/.exec(outcome.detail?.address ?? '') ?? [];
    if (host !== undefined && (await speaksTls(host, Number(port)))) {
      return faultText({ fault: { kind: 'notPlainGrpc', speaks: 'TLS' }, evidence: [] });
    }
  }
  const view = newPodSummary('', pod, 0).containers.find(({ name }) => name === container.name);
  const probe = view?.probes.find(({ type }) => type === probeType);
  const finding = view && probe && attemptFault({ container: view, probe }, { ...outcome, run: 0 });
  // A change would name a field of the manifest.
  return handler === undefined
    ? findingText(finding)
    : finding && (faultText(finding) || undefined);
}
