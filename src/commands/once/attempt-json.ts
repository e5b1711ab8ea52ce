import type { AttemptDetail } from '../../kubelet/ports.js';
import type { ProbeAnswer } from '../../kubelet/prober/prober.js';
import { type ReportedAttempt, type ReportedProbe, specOf } from './attempt-text.js';

const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc'] as const;

/** An attempt for programs, as one line: texts stand as they are. */
export function attemptJson(
  probe: ReportedProbe,
  { answer, latency, attempt, diagnosis }: ReportedAttempt,
  verbose: boolean,
): string {
  const { outcome, tries, event } = answer;
  const spec = specOf(probe);
  return `${JSON.stringify({
    pod: probe.pod.metadata.name,
    container: probe.container.name,
    probe: probe.probeType,
    handler: HANDLERS.find((name) => spec?.[name] !== undefined) ?? null,
    attempt,
    result: outcome.result,
    output: outcome.output,
    ...exact('outputB64', outcome.outputBytes),
    error: outcome.error ?? null,
    ...(diagnosis === undefined ? {} : { diagnosis }),
    tries,
    event: event === undefined ? null : eventJson(event),
    kubeletResult: answer.result,
    address: outcome.detail?.address ?? null,
    ...(outcome.detail?.via === undefined ? {} : { via: outcome.detail.via }),
    latency,
    timings: outcome.detail?.timings ?? null,
    ...(verbose && outcome.detail !== undefined ? wire(outcome.detail) : {}),
  })}\n`;
}

function wire({ request, response, body }: AttemptDetail): object {
  return { request: request ?? null, response: response ?? null, ...exact('bodyB64', body) };
}

function eventJson({
  type,
  reason,
  message,
  messageBytes,
}: NonNullable<ProbeAnswer['event']>): object {
  return { type, reason, message, ...exact('messageB64', messageBytes) };
}

/** Bytes that a text could not hold. */
function exact(name: string, bytes: Uint8Array | undefined): object {
  if (bytes === undefined) return {};
  return { [name]: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')) };
}
