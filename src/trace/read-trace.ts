import { decodeRecord } from './format/decode-record.js';
import { RepeatedFields } from './repeated-fields.js';
import type { TraceLine } from './trace-line.js';
import {
  FORMAT_VERSION,
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

/** Returns the lines of the run itself, without those about stopping its containers. */
export function linesOfRun({ lines, end }: Trace): readonly TraceLine[] {
  const { at = Infinity } = end ?? {};
  return lines.filter((line) => line.t <= at && !(line.kind === 'exited' && line.ending === true));
}

/** A problem in a line, counted from 1. */
export interface TraceProblem {
  readonly line: number;
  readonly message: string;
}

/** The result of reading; no trace means that the file is unusable. */
export interface ReadTrace {
  readonly trace?: Trace;
  readonly problems: readonly TraceProblem[];
}

/** Reading stops after this many problems. */
const MAX_PROBLEMS = 20;

/** Seconds: a year. A simulation from a trace runs to the trace's end. */
const LONGEST = 365 * 24 * 3600;

/** Reads a trace line by line and keeps the valid lines. */
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

  /** Adds a line without its line break; `isWhole` is false for a last line that had none. */
  add(line: string, isWhole = true): void {
    this.#count++;
    if (this.#isOver || this.#problems.length >= MAX_PROBLEMS) return;
    if (this.#count === 1) return this.#readHeader(line);
    if (line === '') return;
    const decoded = decodeRecord(line, this.#repeated);
    switch (decoded.kind) {
      case 'record':
        return this.#take(decoded.record);
      case 'unknown':
        this.#unknown++;
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
        ...(this.#end === undefined ? {} : { end: this.#end }),
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
    } else if (record.t > LONGEST) {
      this.#problem(`its time is ${record.t} s, and no run lasts longer than ${LONGEST} s`);
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
  try {
    const { kind, version } = JSON.parse(line) as Readonly<Record<string, unknown>>;
    return kind === 'trace' && Number.isFinite(version) ? Number(version) : undefined;
  } catch {
    return undefined;
  }
}

export function readTrace(text: string): ReadTrace {
  const reader = new TraceReader();
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  for (const line of lines) reader.add(line);
  if (last !== '') reader.add(last, false);
  return reader.finish();
}
