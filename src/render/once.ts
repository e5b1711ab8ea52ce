import type { Container } from '../api/types/container.js';
import type { Pod } from '../api/types/pod.js';
import type { Probe } from '../api/types/probe.js';
import type { ProbeType } from '../kubelet/event.js';
import { probeOf } from '../kubelet/prober/probe-of.js';
import type { ProbeAnswer } from '../kubelet/prober/prober.js';
import { escapeControlInLines } from './escape.js';
import { span } from './format-seconds.js';
import { handlerText } from './handler-text.js';

/** One attempt that was made by itself. */
export interface OnceReport {
  readonly pod: Pod;
  readonly container: Container;
  readonly probeType: ProbeType;
  readonly answer: ProbeAnswer;
  /** Milliseconds, all tries together. */
  readonly latency: number;
}

/** An attempt for people; with its container's name where it comes from a manifest. */
export function onceText(report: OnceReport, named: boolean): string {
  const { pod, container, probeType, answer, latency } = report;
  const { outcome, tries, event } = answer;
  const probe = probeOf(container, probeType);
  const what = probe === undefined ? '' : handlerText(probe, container);
  const whose = named ? `${pod.metadata.name}/${container.name} ${probeType}: ` : '';
  const address = outcome.detail?.address ?? '';
  const rows = [
    ['probe', `${whose}${what}${address === '' || what.includes(address) ? '' : ` at ${address}`}`],
    ['result', resultText(answer)],
    ['output', outcome.output],
    ['error', outcome.error ?? ''],
    ['event', event === undefined ? '' : `${event.type}  ${event.reason}  ${event.message}`],
    ['latency', `${span(latency / 1000)}${tries > 1 ? `, ${tries} tries` : ''}`],
  ] as const;
  const lines = rows
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name.padEnd(8)} ${indented(text)}\n`);
  return `${lines.join('')}${named ? '\n' : ''}`;
}

function resultText({ outcome: { result }, error }: ProbeAnswer): string {
  if (error !== undefined)
    return `${result}, thrown away: it counts neither as success nor as failure`;
  return result === 'warning' ? 'warning, which counts as a success' : result;
}

/** Further lines of an output stand below its first one. */
function indented(text: string): string {
  return escapeControlInLines(text.trimEnd()).replaceAll('\n', `\n${' '.repeat(9)}`);
}

/** An attempt for programs, as one line: texts stand as they are. */
export function onceJson({ pod, container, probeType, answer, latency }: OnceReport): string {
  const { outcome, tries, event } = answer;
  const probe = probeOf(container, probeType);
  return `${JSON.stringify({
    pod: pod.metadata.name,
    container: container.name,
    probe: probeType,
    handler: probe === undefined ? null : handlerOf(probe),
    result: outcome.result,
    output: outcome.output,
    ...(outcome.outputBytes === undefined ? {} : { outputB64: base64(outcome.outputBytes) }),
    error: outcome.error ?? null,
    tries,
    event: event === undefined ? null : eventJson(event),
    kubeletResult: answer.result,
    address: outcome.detail?.address ?? null,
    latency,
    timings: outcome.detail?.timings ?? null,
  })}\n`;
}

function eventJson({
  type,
  reason,
  message,
  messageBytes,
}: NonNullable<ProbeAnswer['event']>): object {
  const exact = messageBytes === undefined ? {} : { messageB64: base64(messageBytes) };
  return { type, reason, message, ...exact };
}

function handlerOf(probe: Probe): string | null {
  return (['exec', 'httpGet', 'tcpSocket', 'grpc'] as const).find((name) => probe[name]) ?? null;
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
