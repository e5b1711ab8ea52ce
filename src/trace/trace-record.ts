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
