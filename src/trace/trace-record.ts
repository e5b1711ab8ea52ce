import type { AttemptDetail } from '../kubelet/ports.js';
import { apiPodStatus } from '../kubelet/status/api-status.js';
import type { Verdict } from './summary/verdict.js';
import type { TraceLine } from './trace-line.js';

/** The format of the traces that this kprobe writes, and the newest that it reads. */
export const FORMAT_VERSION = 1;

/** The first line of a trace: what it is, and what it was made with. */
export interface TraceHeader {
  readonly t: 0;
  readonly kind: 'trace';
  /** The format's version. */
  readonly version: number;
  /** The version of the kprobe that wrote it. */
  readonly kprobe: string;
  /** The version of the kubelet that it follows, as in `1.36`. */
  readonly kubelet: string;
  /** What stood for the containers: `attached`, `process`, `simulated` … */
  readonly target: string;
  /** When the trace began, RFC 3339; a simulated one began at no time. */
  readonly startedAt?: string;
  /** The containers that were really stopped and started; the others' restarts were simulated. */
  readonly realRestarts?: readonly string[];
  /** Seconds that the kubelet was taken to have been up. */
  readonly kubeletAge?: number;
  /** The objects that the pods come from. */
  readonly sources?: readonly TraceSource[];
}

/** The object of a manifest that a pod comes from: itself, or a workload. */
export interface TraceSource {
  /** `namespace/name` of the pod. */
  readonly pod: string;
  readonly kind: string;
  /** The object's name; empty when it has none of its own. */
  readonly name: string;
}

/** How a run ended; `saved`: it went on, and this is what had happened so far. */
export const ENDINGS = ['goal', 'quit', 'timeout', 'interrupted', 'saved'] as const;
export type EndKind = (typeof ENDINGS)[number];

/** The last line of a trace. */
export interface TraceEnd {
  /** Seconds since the trace began. */
  readonly t: number;
  readonly kind: 'end';
  readonly how: EndKind;
  /** When that was; since then what ran was ended. */
  readonly at: number;
  readonly verdict: Verdict['kind'];
  /** Why. */
  readonly sentence: string;
  readonly exitCode: number;
}

/** A line of a trace file. */
export type TraceRecord = TraceHeader | TraceLine | TraceEnd;

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

/** A line of a trace as NDJSON, without its line break. */
export function encodeLine(line: TraceRecord): string {
  if (line.kind === 'status') {
    return JSON.stringify({ ...line, podStatus: apiPodStatus(line.podStatus) });
  }
  if (line.kind === 'attemptDone' && line.detail !== undefined) {
    return JSON.stringify({ ...line, detail: plainDetail(line.detail) });
  }
  return JSON.stringify(line);
}

/** The body is text where it is UTF-8, and base64 where it is not. */
function plainDetail(detail: AttemptDetail): object {
  const { body, ...rest } = detail;
  if (body === undefined) return rest;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  return text.includes('\uFFFD') ? { ...rest, bodyB64: base64(body) } : { ...rest, body: text };
}

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
