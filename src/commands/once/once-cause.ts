import type { Container, Pod } from '../../api/index.js';
import { attemptFault } from '../../diagnosis/attempt-fault.js';
import type { Finding } from '../../diagnosis/fault.js';
import { faultText, findingText } from '../../diagnosis/words.js';
import type { ProbeOutcome } from '../../kubelet/ports.js';
import type { ProbeType } from '../../trace/event.js';
import { newPodSummary } from '../../trace/summary/fold.js';

export interface FailedProbe {
  readonly pod: Pod;
  readonly container: Container;
  readonly probeType: ProbeType;
  /** Name of the handler where no manifest has the probe: `HTTP`, `TCP`, `GRPC`, `Exec`. */
  readonly handler?: string;
}

/** The cause of a failure, and the same in words; the words are absent where the output says as much. */
export interface OnceCause {
  readonly finding: Finding;
  readonly text?: string | undefined;
}

/** Finds the cause of a failure, as a run does; a gRPC server that cannot be connected to may want TLS. */
export async function onceCause(
  { pod, container, probeType, handler }: FailedProbe,
  outcome: ProbeOutcome,
  speaksTls: (host: string, port: number) => Promise<boolean>,
): Promise<OnceCause | undefined> {
  const view = newPodSummary('', pod, 0).containers.find(({ name }) => name === container.name);
  const probe = view?.probes.find(({ type }) => type === probeType);
  const finding = (await wantsTls(outcome, speaksTls))
    ? TLS
    : view && probe && attemptFault({ container: view, probe }, { ...outcome, run: 0 });
  if (finding === undefined) return undefined;
  // A change names a field of the manifest.
  const known = handler === undefined ? finding : { ...finding, changes: [] };
  const text = handler === undefined ? findingText(known) : faultText(known);
  return { finding: known, ...(text !== '' && { text }) };
}

const TLS: Finding = {
  fault: { kind: 'notPlainGrpc', speaks: 'TLS' },
  certainty: 'proven',
  evidence: [],
  changes: [],
};

/** Reports whether a gRPC server that cannot be connected to speaks TLS. */
async function wantsTls(
  { reason, detail }: ProbeOutcome,
  speaksTls: (host: string, port: number) => Promise<boolean>,
): Promise<boolean> {
  const [, host, port] = /^\[?(.+?)\]?:(\d+)$/.exec(detail?.address ?? '') ?? [];
  // Only a gRPC client reports no more than that.
  return reason === 'notConnected' && host !== undefined && speaksTls(host, Number(port));
}
