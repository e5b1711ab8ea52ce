import { findingJson } from '../../diagnosis/diagnosis-json.js';
import { probeOf } from '../../kubelet/prober/probe-of.js';
import type { ProbeEvent } from '../../kubelet/prober/prober.js';
import { printableJson } from '../../text/escape.js';
import type { ReportedProbe } from './attempt-text.js';
import type { OnceAttempt } from './once.js';

const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc'] as const;

export function attemptJson(
  probe: ReportedProbe,
  { line, outputBytes, event, cause }: OnceAttempt,
  verbose: boolean,
): string {
  const { result, error, detail } = line;
  const { type, reason, message, messageBytes }: Partial<ProbeEvent> = event ?? {};
  const spec = probeOf(probe.container, probe.probeType);
  const subject = {
    pod: probe.pod.metadata.name,
    container: probe.container.name,
    probe: probe.probeType,
  };
  return `${printableJson({
    ...subject,
    handler: HANDLERS.find((name) => spec?.[name] !== undefined) ?? null,
    attempt: line.attempt,
    result,
    output: line.output,
    ...base64Field('outputB64', outputBytes),
    error: error ?? null,
    ...(cause !== undefined && { diagnosis: findingJson(cause.finding, subject) }),
    tries: line.tries,
    event:
      event === undefined
        ? null
        : { type, reason, message, ...base64Field('messageB64', messageBytes) },
    kubeletResult:
      error === undefined && (result === 'success' || result === 'warning') ? 'success' : 'failure',
    address: detail?.address ?? null,
    ...(detail?.via !== undefined && { via: detail.via }),
    latency: line.latency,
    timings: detail?.timings ?? null,
    ...(verbose &&
      detail !== undefined && {
        request: detail.request ?? null,
        response: detail.response ?? null,
        ...base64Field('bodyB64', detail.body),
      }),
  })}\n`;
}

/** Returns a field with bytes that are not UTF-8, in base64. */
function base64Field(name: string, bytes: Uint8Array | undefined): object {
  return bytes === undefined ? {} : { [name]: Buffer.from(bytes).toString('base64') };
}
