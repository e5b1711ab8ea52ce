import type { AttemptDetail } from '../kubelet/ports.js';
import { type KubeletConfig, kubeletConfig } from '../kubelet/release.js';
import { apiPodStatus } from '../kubelet/status/api-status.js';
import { printableJson } from '../text/escape.js';
import type { ObjectOf } from './field-check.js';
import type { RECORD_FIELDS } from './record-fields.js';
import type { Verdict } from './summary/verdict.js';
import type { TraceLine } from './trace-line.js';

/** The format version that this kprobe writes, and the newest that it reads. */
export const FORMAT_VERSION = 2;

type RecordFields = typeof RECORD_FIELDS;

export type TraceHeader = { readonly t: 0; readonly kind: 'trace' } & ObjectOf<
  RecordFields['trace']
>;
export type TraceSource = NonNullable<TraceHeader['sources']>[number];

/** The last line of a trace; its time is in seconds since the trace began. */
export type TraceEnd = { readonly t: number; readonly kind: 'end' } & ObjectOf<RecordFields['end']>;

export function headerFacts({ version, ...settings }: KubeletConfig) {
  return { kubelet: version, ...settings };
}

export function recordedKubelet({
  kubelet,
  ...settings
}: Pick<TraceHeader, 'kubelet' | 'featureGates' | 'maxContainerRestartPeriod'>): KubeletConfig {
  return kubeletConfig({ ...settings, version: kubelet });
}

export type TraceRecord = TraceHeader | TraceLine | TraceEnd;

/** The end of a run, with its verdict and exit code. */
export interface Ending {
  /** Seconds since the trace began. */
  readonly t: number;
  readonly kind: TraceEnd['how'];
  readonly verdict: Verdict;
  readonly exitCode: number;
}

/** Returns the last line of a trace whose last event was at `latest`. */
export function traceEnd({ t, kind, verdict, exitCode }: Ending, latest: number): TraceEnd {
  const at = Math.round(t * 1000) / 1000;
  const result = { verdict: verdict.kind, sentence: verdict.sentence, exitCode };
  return { t: Math.max(at, latest), kind: 'end', how: kind, at, ...result };
}

/** Returns the ending in the last line of a trace; the inverse of `traceEnd`. */
export function endingOf({ at: t, how: kind, verdict, sentence, exitCode }: TraceEnd): Ending {
  return { t, kind, verdict: { kind: verdict, sentence }, exitCode };
}

/** Returns a line of a trace as NDJSON, whole and without its line break. */
export function encodeLine(line: TraceRecord): string {
  return printableJson(plainRecord(line));
}

/** Returns an encoder for the lines of one trace, which leaves out repeated fields. */
export function lineEncoder(): (line: TraceRecord) => string {
  const repeated = new RepeatedFields();
  return (line) => printableJson(repeated.omit(plainRecord(line) as Fields));
}

function plainRecord(line: TraceRecord): object {
  if (line.kind === 'status') return { ...line, podStatus: apiPodStatus(line.podStatus) };
  if (line.kind === 'attemptDone' && line.detail !== undefined) {
    return { ...line, detail: plainDetail(line.detail) };
  }
  return line;
}

/** Writes the body as text if it is UTF-8, otherwise as base64. */
function plainDetail(detail: AttemptDetail): object {
  const { body, ...rest } = detail;
  if (body === undefined) return rest;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  return text.includes('\uFFFD')
    ? { ...rest, bodyB64: Buffer.from(body).toString('base64') }
    : { ...rest, body: text };
}

/** A line, or its detail, as it is written. */
export type Fields = Readonly<Record<string, unknown>>;

interface Known {
  /** Container of the last attempt. */
  containerID?: unknown;
  /** The last attempt with a whole detail. */
  attempt?: unknown;
  detail?: Fields;
}

/** The Date header of a response, with the line break before it. */
const DATE = /(\r\ndate: )([^\r\n]*)/i;

/** Leaves out fields that attempts repeat, and restores them; lines must be read in the order of their writing. */
export class RepeatedFields {
  readonly #probes = new Map<string, Known>();

  omit(line: Fields): Fields {
    const known = this.#known(line);
    if (known === undefined || line['kind'] === 'attempt') return line;
    const { containerID, attempt, detail } = line;
    const kept = containerID === known.containerID ? { ...line, containerID: undefined } : line;
    if (detail === undefined) return kept;
    const short = known.detail && withoutRepeats(detail as Fields, known.detail, known.attempt);
    if (short !== undefined) return { ...kept, detail: short };
    Object.assign(known, { attempt, detail });
    return kept;
  }

  /** Restores what `omit` has left out; a detail whose original was not read is lost. */
  complete(line: Fields): Fields {
    const known = this.#known(line);
    if (known === undefined || line['kind'] === 'attempt') return line;
    const { attempt, detail, ...others } = line;
    const whole = { containerID: known.containerID, ...line };
    if (typeof detail !== 'object' || detail === null) return whole;
    if (!('sameAs' in detail)) {
      Object.assign(known, { attempt, detail });
      return whole;
    }
    const { sameAs, date, ...changed } = detail as Fields;
    const same = known.attempt === sameAs ? known.detail : undefined;
    if (same === undefined) return { containerID: known.containerID, attempt, ...others };
    return { ...whole, detail: { ...dated(same, date), ...changed } };
  }

  #known(line: Fields): Known | undefined {
    const { kind, pod, container, probe, containerID } = line;
    if (kind !== 'attempt' && kind !== 'attemptDone') return undefined;
    const key = `${String(pod)} ${String(container)} ${String(probe)}`;
    const known = this.#probes.get(key) ?? {};
    this.#probes.set(key, known);
    if (kind === 'attempt') known.containerID = containerID;
    return known;
  }
}

/** Returns a detail without repeated fields; undefined where less than half of it is repeated. */
function withoutRepeats(detail: Fields, before: Fields, sameAs: unknown): Fields | undefined {
  if (Object.keys(before).some((name) => !(name in detail))) return undefined;
  const date = DATE.exec(String(detail['response']))?.[2];
  const same = dated(before, date);
  let [repeated, written] = [0, 0];
  const changed: Record<string, unknown> = { sameAs };
  if (date !== undefined && detail['response'] === same['response']) changed['date'] = date;
  for (const [name, value] of Object.entries(detail)) {
    if (value === (name === 'response' ? same : before)[name]) repeated += String(value).length;
    else {
      changed[name] = value;
      written += String(value).length;
    }
  }
  return repeated > written ? changed : undefined;
}

function dated(detail: Fields, date: unknown): Fields {
  const { response } = detail;
  if (typeof response !== 'string' || typeof date !== 'string') return detail;
  return { ...detail, response: response.replace(DATE, (_, name) => `${String(name)}${date}`) };
}
