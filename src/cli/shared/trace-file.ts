import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  unlinkSync,
  writeSync,
} from 'node:fs';

import type { Pod } from '../../api/index.js';
import type { Session } from '../../app/session.js';
import { podKey } from '../../kubelet/pod-name.js';
import type { Scenario } from '../../sim/scenario.js';
import { EMPTY_SUMMARY, type Summary } from '../../trace/summary/summary.js';
import { verdictOf } from '../../trace/summary/verdict.js';
import type { TraceLine } from '../../trace/trace-line.js';
import {
  encodeLine,
  type EndOfRun,
  FORMAT_VERSION,
  traceEnd,
  type TraceHeader,
  type TraceRecord,
  type TraceSource,
} from '../../trace/trace-record.js';
import { EXIT } from './exit-code.js';
import { orUsageError, problemOf, shownPath, UsageError } from './usage-error.js';
import { VERSION } from './version.js';

/**
 * A trace that is written as it comes, each line whole and at once, so that what was recorded is there however kprobe
 * ends. The last line is written on every way out but KILL.
 */
export class TraceFile {
  #length = 0;
  #problem: string | undefined;
  #isBegun = false;
  #summary = EMPTY_SUMMARY;
  readonly #onExit = (): void => {
    const exitCode = Number(process.exitCode ?? EXIT.bug);
    const { t } = this.#summary;
    this.end({ t, kind: 'interrupted', verdict: verdictOf(this.#summary), exitCode });
  };

  private constructor(
    readonly path: string,
    private readonly file: number,
    /** Only a regular file can be cut. */
    private readonly isRegular: boolean,
  ) {}

  /** Opens a file that can be written; a file that holds something else than a trace is left alone. Throws a UsageError. */
  static async open(path: string): Promise<TraceFile> {
    const file = await openTrace(path);
    return new TraceFile(path, file, fstatSync(file).isFile());
  }

  /** Why nothing more is written. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Replaces what the file held by a new trace. */
  begin(header: TraceHeader): void {
    if (this.isRegular) ftruncateSync(this.file);
    this.#isBegun = true;
    process.once('exit', this.#onExit);
    this.#write(header);
  }

  line(line: TraceLine, summary: Summary): void {
    this.#summary = summary;
    this.#write(line);
  }

  /** Writes the last line, and closes the file. */
  end(end: EndOfRun): void {
    process.off('exit', this.#onExit);
    this.#write(traceEnd(end, this.#summary.t));
    closeSync(this.file);
  }

  /** Nothing came to be recorded: an empty file that was made for it goes. */
  discard(): void {
    const isEmpty = this.isRegular && fstatSync(this.file).size === 0;
    closeSync(this.file);
    if (isEmpty && !this.#isBegun) unlinkSync(this.path);
  }

  #write(record: TraceRecord): void {
    if (this.#problem !== undefined) return;
    const bytes = Buffer.from(`${encodeLine(record)}\n`);
    try {
      for (let done = 0; done < bytes.length;) done += writeSync(this.file, bytes, done);
      this.#length += bytes.length;
    } catch (error) {
      this.#problem = problemOf(error);
      this.#dropPart();
    }
  }

  /** Half a line is worse than none. */
  #dropPart(): void {
    if (this.isRegular) ftruncateSync(this.file, this.#length);
  }
}

/** Opens a file as it is; one that holds something else than a trace is left alone. Throws a UsageError. */
export async function openTrace(path: string): Promise<number> {
  const file = await orUsageError(path, () => Promise.resolve(openSync(path, 'a+')));
  const stats = fstatSync(file);
  if (!stats.isFile() || stats.size === 0 || isTrace(file)) return file;
  closeSync(file);
  const name = shownPath(path);
  throw new UsageError(`${name}: holds something else than a trace, and is not written over`);
}

function isTrace(file: number): boolean {
  const begin = Buffer.alloc(TRACE_BEGIN.length);
  readSync(file, begin, 0, begin.length, 0);
  return begin.toString() === TRACE_BEGIN;
}

/** Ends the recording; what went wrong with it, for standard error. */
export type EndRecording = (end: EndOfRun) => string;

/** Keeps a session's trace in a file. */
export function recordSession(
  session: Session,
  header: TraceHeader,
  file: TraceFile | undefined,
): EndRecording {
  if (file === undefined) return () => '';
  let told = false;
  file.begin(header);
  session.onLine((line, summary) => {
    file.line(line, summary);
    if (file.problem === undefined || told) return;
    told = true;
    session.note('warning', `nothing more is recorded: ${file.path}: ${file.problem}`);
  });
  return (end) => {
    file.end(end);
    return file.problem === undefined
      ? ''
      : `kprobe: ${file.path}: ${file.problem}: the recording is not whole\n`;
  };
}

interface Sourced {
  readonly pod: Pod;
  readonly source: { readonly kind: string; readonly name: string };
}

export interface TracedRun {
  readonly target: string;
  readonly session: Pick<Session, 'origin'>;
  readonly realRestarts: readonly string[];
  /** Milliseconds. */
  readonly kubeletAge: number;
  readonly kubeletVersion: string;
  readonly pods: readonly Sourced[];
}

/** What the trace of a live run begins with. */
export function traceHeader({
  target,
  session,
  realRestarts,
  kubeletAge,
  kubeletVersion,
  pods,
}: TracedRun): TraceHeader {
  return {
    t: 0,
    kind: 'trace',
    version: FORMAT_VERSION,
    kprobe: VERSION,
    kubelet: kubeletVersion,
    target,
    realRestarts,
    startedAt: new Date(session.origin).toISOString(),
    kubeletAge: kubeletAge / 1000,
    sources: sourcesOf(pods),
  };
}

/** What the pods come from. */
function sourcesOf(pods: readonly Sourced[]): TraceSource[] {
  return pods.map(({ pod, source: { kind, name } }) => ({ pod: podKey(pod), kind, name }));
}

/** What the trace of a simulation begins with. */
export function simulatedHeader(
  kubeletVersion: string,
  scenarios: readonly Scenario[],
): TraceHeader {
  const sources = scenarios.flatMap(({ pod, source }) =>
    source === undefined ? [] : sourcesOf([{ pod, source }]),
  );
  const made = { version: FORMAT_VERSION, kprobe: VERSION, kubelet: kubeletVersion };
  const about = sources.length === 0 ? {} : { sources };
  return { t: 0, kind: 'trace', ...made, target: 'simulated', ...about };
}

/** How every trace begins. */
export const TRACE_BEGIN = '{"t":0,"kind":"trace"';
