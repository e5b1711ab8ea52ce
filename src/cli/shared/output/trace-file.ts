import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';

import type { Pod } from '../../../api/index.js';
import { podKey } from '../../../kubelet/pod-name.js';
import type { RunSession } from '../../../session/wait-for-goal.js';
import { EMPTY_SUMMARY, type Summary } from '../../../trace/summary/summary.js';
import { verdictOf } from '../../../trace/summary/verdict.js';
import type { TraceLine } from '../../../trace/trace-line.js';
import {
  type Ending,
  FORMAT_VERSION,
  lineEncoder,
  traceEnd,
  type TraceHeader,
  type TraceRecord,
  type TraceSource,
} from '../../../trace/trace-record.js';
import { UsageError } from '../../../usage-error.js';
import { VERSION } from '../../../version.js';
import { EXIT } from '../exit-code.js';
import {
  incompleteText,
  orUsageError,
  OWNER_ONLY,
  removeQuietly,
  shownPath,
  systemErrorText,
} from '../file-errors.js';
import { isPipe, TRACE_BEGIN } from '../read-sources.js';

/**
 * A trace file that is written line by line, so that nothing is lost however kprobe ends. Every end but KILL writes its
 * last line.
 */
export class TraceFile {
  readonly #encode = lineEncoder();
  #length = 0;
  #writeError: string | undefined;
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
    /** Only a regular file can be truncated. */
    private readonly isRegular: boolean,
  ) {}

  /** Opens a file for writing; throws a UsageError for one that holds anything but a trace. */
  static async open(path: string): Promise<TraceFile> {
    const file = await openTrace(path);
    return new TraceFile(path, file, fstatSync(file).isFile());
  }

  /** Replaces what the file held by a new trace. */
  begin(header: TraceHeader): void {
    if (this.isRegular) ftruncateSync(this.file);
    this.#isBegun = true;
    process.once('exit', this.#onExit);
    this.#write(header);
  }

  /** Returns why writing has stopped, or undefined. */
  line(line: TraceLine, summary: Summary = { ...EMPTY_SUMMARY, t: line.t }): string | undefined {
    this.#summary = summary;
    this.#write(line);
    return this.#writeError;
  }

  /** Writes the last line, and closes the file. Returns what went wrong. */
  end(end: Ending): string | undefined {
    process.off('exit', this.#onExit);
    this.#write(traceEnd(end, this.#summary.t));
    if (this.isRegular && !this.#isInPlace()) this.#writeError ??= 'has been removed or replaced';
    closeSync(this.file);
    if (this.#writeError === undefined) return undefined;
    return incompleteText(this.path, this.#writeError, 'recording');
  }

  /** Closes a file without a recording, and removes it if it is empty. */
  discard(): void {
    const isEmpty = this.isRegular && fstatSync(this.file).size === 0;
    closeSync(this.file);
    if (isEmpty && !this.#isBegun) removeQuietly(() => unlinkSync(this.path));
  }

  /** Reports whether the path still leads to the file: what is written after another program has removed it is lost. */
  #isInPlace(): boolean {
    const { dev, ino } = fstatSync(this.file);
    if (!existsSync(this.path)) return false;
    const found = statSync(this.path);
    return found.dev === dev && found.ino === ino;
  }

  #write(record: TraceRecord): void {
    if (this.#writeError !== undefined) return;
    const bytes = Buffer.from(`${this.#encode(record)}\n`);
    try {
      writeFileSync(this.file, bytes);
      this.#length += bytes.length;
    } catch (error) {
      this.#writeError = systemErrorText(error);
      // Removes an incomplete line.
      if (this.isRegular) ftruncateSync(this.file, this.#length);
    }
  }
}

/** A pipe that nobody reads, or that is full, would block kprobe and its signals for ever: it is an error. */
const PIPE_FLAGS = constants.O_WRONLY | constants.O_NONBLOCK;

/** Opens a file without truncating it; throws a UsageError for one that holds anything but a trace. */
async function openTrace(path: string): Promise<number> {
  const flags = isPipe(path) ? PIPE_FLAGS : 'a+';
  const file = await orUsageError(path, () => Promise.resolve(openSync(path, flags, OWNER_ONLY)));
  const stats = fstatSync(file);
  if (!stats.isFile() || stats.size === 0 || isTrace(file)) return file;
  closeSync(file);
  const name = shownPath(path);
  throw new UsageError(`${name}: is not a trace; refusing to overwrite it`);
}

function isTrace(file: number): boolean {
  const begin = Buffer.alloc(TRACE_BEGIN.length);
  readSync(file, begin, 0, begin.length, 0);
  return begin.toString() === TRACE_BEGIN;
}

export function recordSession(
  session: Pick<RunSession, 'onLine' | 'note'>,
  header: TraceHeader,
  file: TraceFile | undefined,
): void {
  if (file === undefined) return;
  let isReported = false;
  file.begin(header);
  session.onLine((line, summary) => {
    const problem = file.line(line, summary);
    if (problem === undefined || isReported) return;
    isReported = true;
    session.note('warning', `recording has stopped: ${file.path}: ${problem}`);
  });
}

export function traceHeader(
  facts: Omit<TraceHeader, 't' | 'kind' | 'version' | 'kprobe' | 'sources'>,
  pods: readonly { readonly pod: Pod; readonly source?: Omit<TraceSource, 'pod'> }[],
): TraceHeader {
  const sources = pods.flatMap(({ pod, source }) =>
    source === undefined ? [] : [{ pod: podKey(pod), kind: source.kind, name: source.name }],
  );
  const header = { t: 0, kind: 'trace', version: FORMAT_VERSION, kprobe: VERSION } as const;
  return { ...header, ...facts, ...(sources.length > 0 && { sources }) };
}
