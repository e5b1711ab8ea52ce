import { collectErrors, endsKubelet, validatePodSpec } from '../api/admission/index.js';
import { decode, setDefaultsPod, setDefaultsPodSpec } from '../api/decode/index.js';
import { allContainers, isObject, type Pod, tryParseJson } from '../api/index.js';
import { fromBase64 } from '../go/base64.js';
import { jsonNodeOf } from '../go/json.js';
import { containerProbes } from '../kubelet/prober/probe-of.js';
import { parseApiStatus } from '../kubelet/status/api-status.js';
import { type Fields, number, text } from './field-check.js';
import { RECORD_FIELDS } from './record-fields.js';
import { LONGEST_RUN, type TraceLine } from './trace-line.js';
import {
  FORMAT_VERSION,
  RepeatedFields,
  type TraceEnd,
  type TraceHeader,
  type TraceRecord,
} from './trace-record.js';

/** A trace without an end is truncated: kprobe was killed, or the file is incomplete. */
export interface Trace {
  readonly header: TraceHeader;
  readonly lines: readonly TraceLine[];
  readonly end?: TraceEnd;
  /** Number of lines of kinds that this version does not know. */
  readonly unknown: number;
}

/** Returns the lines of the run without those from stopping its containers. */
export function linesOfRun({ lines, end }: Pick<Trace, 'lines' | 'end'>): readonly TraceLine[] {
  const { at = Infinity } = end ?? {};
  return lines.filter((line) => line.t <= at && !(line.kind === 'exited' && line.ending === true));
}

/** A problem in a line, counted from 1. */
export interface TraceProblem {
  readonly line: number;
  readonly message: string;
}

/** The result of reading; without a trace, the file is unusable. */
export interface ReadTrace {
  readonly trace?: Trace;
  readonly problems: readonly TraceProblem[];
}

const MAX_PROBLEMS = 20;

export class TraceReader {
  readonly #lines: TraceLine[] = [];
  readonly #problems: TraceProblem[] = [];
  readonly #repeated = new RepeatedFields();
  #header: TraceHeader | undefined;
  #end: TraceEnd | undefined;
  #unknown = 0;
  #count = 0;
  #latest = 0;
  #isOver = false;

  /** No later line changes the result. */
  get isOver(): boolean {
    return this.#isOver || this.#problems.length >= MAX_PROBLEMS;
  }

  /** Adds a line without its line break; `isWhole` is false for a last line that had none. */
  add(line: string, isWhole = true): void {
    this.#count++;
    if (this.isOver) return;
    if (this.#count === 1) return this.#readHeader(line);
    if (line === '') return;
    const decoded = decodeRecord(line, this.#repeated);
    switch (decoded.kind) {
      case 'record':
        return this.#take(decoded.record);
      case 'unknown':
        // Diagnoses are computed again.
        if (decoded.name !== 'diagnosis') this.#unknown++;
        return;
      case 'problem':
        return this.#problem(isWhole ? decoded.message : 'the trace is truncated in this line');
    }
  }

  finish(): ReadTrace {
    if (this.#count === 0) this.#problem('the file is empty, not a trace', 1);
    if (this.#header === undefined) return { problems: this.#problems };
    if (this.#end === undefined && this.#problems.length === 0) {
      this.#problem('the trace is truncated here: it has no end line');
    }
    return {
      trace: {
        header: this.#header,
        lines: this.#lines,
        unknown: this.#unknown,
        ...(this.#end !== undefined && { end: this.#end }),
      },
      problems: this.#problems,
    };
  }

  #readHeader(line: string): void {
    const decoded = decodeRecord(line);
    const header = decoded.kind === 'record' ? decoded.record : undefined;
    const newer = versionOf(line);
    if (newer !== undefined && newer > FORMAT_VERSION) {
      this.#problem(
        `the trace is of format ${newer}, and this kprobe reads formats up to ${FORMAT_VERSION}: a newer kprobe has written it`,
      );
    } else if (header?.kind === 'trace') {
      this.#header = header;
      return;
    } else this.#problem('not a kprobe trace: its first line is not a header (kind trace)');
    this.#isOver = true;
  }

  #take(record: TraceRecord): void {
    if (record.kind === 'trace') {
      this.#problem('another trace begins here: a file must hold only one');
      this.#isOver = true;
    } else if (this.#end !== undefined) this.#problem('the trace continues after its end');
    else if (record.t < this.#latest) {
      this.#problem(`its time goes backward, from ${this.#latest} to ${record.t}`);
    } else if (record.t > LONGEST_RUN) {
      this.#problem(`its time is ${record.t} s, and no run lasts longer than ${LONGEST_RUN} s`);
    } else if (record.kind === 'end' && record.at > record.t + 1) {
      this.#problem(`it ends at ${record.at}, and its last line is at ${record.t}`);
    } else {
      this.#latest = record.t;
      if (record.kind === 'end') this.#end = record;
      else this.#lines.push(record);
    }
  }

  #problem(message: string, line = this.#count): void {
    this.#problems.push({ line, message });
  }
}

/** Returns a header's format version, also when its other fields are unknown here. */
function versionOf(line: string): number | undefined {
  const header = tryParseJson(line);
  const { kind, version } = isObject(header) ? header : {};
  return kind === 'trace' && Number.isFinite(version) ? Number(version) : undefined;
}

export function readTrace(text: string): ReadTrace {
  const reader = new TraceReader();
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  for (const line of lines) reader.add(line);
  if (last !== '') reader.add(last, false);
  return reader.finish();
}

const ALWAYS: readonly string[] = ['t', 'kind'];

type DecodedRecord =
  | { readonly kind: 'record'; readonly record: TraceRecord }
  /** A kind that this version does not know. */
  | { readonly kind: 'unknown'; readonly name: string }
  | { readonly kind: 'problem'; readonly message: string };

/** Decodes a line of a trace; `repeated` has fields of the lines before it. A missing or wrong field is a problem. */
export function decodeRecord(line: string, repeated = new RepeatedFields()): DecodedRecord {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return problem(`not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isObject(value)) return problem('not a trace line: it must be an object');
  const wrong = text(value['kind'], 'kind') ?? number(value['t'], 't');
  if (wrong !== undefined) return problem(`not a trace line: ${wrong}`);
  const kind = String(value['kind']);
  if (!isKnown(kind)) return { kind: 'unknown', name: kind };
  return decodeFields(repeated.complete(value), kind);
}

function decodeFields(
  value: Readonly<Record<string, unknown>>,
  kind: TraceRecord['kind'],
): DecodedRecord {
  const fields: Fields = RECORD_FIELDS[kind];
  for (const [name, check] of Object.entries(fields)) {
    const wrong = check(value[name], name);
    if (wrong !== undefined) return problem(`${kind}: ${wrong}`);
  }
  const known = Object.entries(value).flatMap(([name, field]) =>
    ALWAYS.includes(name) || Object.hasOwn(fields, name)
      ? [[name, decodeField(kind, name, field)] as const]
      : [],
  );
  // The types are those of RECORD_FIELDS.
  const record = Object.fromEntries(known) as unknown as TraceRecord;
  const refused = record.kind === 'pod' ? rejection(record.object) : undefined;
  return refused === undefined ? { kind: 'record', record } : problem(`pod: ${refused}`);
}

/** Accepts pods that only an API server would reject, since they may have run; those that crash a kubelet are rejected. */
function rejection({ spec }: Pod): string | undefined {
  const errors = collectErrors('object.spec', (at) => validatePodSpec(spec, undefined, at));
  // An API server has replaced a zero by the default.
  const probes = allContainers(spec).flatMap(containerProbes);
  const isZero = probes.some(({ probe }) => probe.periodSeconds === 0);
  return isZero ? 'periodSeconds: must be greater than 0' : errors.find(endsKubelet)?.message;
}

function isKnown(kind: string): kind is TraceRecord['kind'] {
  return Object.hasOwn(RECORD_FIELDS, kind);
}

function problem(message: string): DecodedRecord {
  return { kind: 'problem', message };
}

function decodeField(kind: TraceRecord['kind'], name: string, value: unknown): unknown {
  if (kind === 'pod' && name === 'object') return decodePod(value as Pod);
  if (kind === 'status' && name === 'podStatus') {
    return parseApiStatus(decode(jsonNodeOf(value), 'PodStatus').value);
  }
  if (kind === 'attemptDone' && name === 'detail') return decodeDetail(value as WrittenDetail);
  return value;
}

/** Applies the defaults, which a handwritten pod may lack. */
function decodePod(object: Pod): Pod {
  const spec = setDefaultsPod(setDefaultsPodSpec(object.spec)) as Pod['spec'];
  return { ...object, spec, status: isObject(object.status) ? object.status : {} };
}

interface WrittenDetail {
  readonly body?: string;
  readonly bodyB64?: string;
}

function decodeDetail({ body, bodyB64, ...rest }: WrittenDetail): object {
  if (body !== undefined) return { ...rest, body: new TextEncoder().encode(body) };
  const bytes = bodyB64 === undefined ? undefined : bytesOf(bodyB64);
  return bytes === undefined ? rest : { ...rest, body: bytes };
}

function bytesOf(base64: string): Uint8Array | undefined {
  try {
    return fromBase64(base64);
  } catch {
    return undefined;
  }
}
