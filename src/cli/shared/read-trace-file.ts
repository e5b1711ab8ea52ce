import { formatDiagnostics } from '../../report/format-diagnostic.js';
import { LineSplitter } from '../../text/line-splitter.js';
import { type Trace, TraceReader } from '../../trace/read-trace.js';
import { TraceMask } from '../../trace/trace-mask.js';
import { UsageError } from '../../usage-error.js';
import { orUsageError, shownPath } from './file-errors.js';
import { type Io, write } from './io.js';
import { createProgress } from './progress.js';
import { openInput, STDIN } from './read-sources.js';

/** Bytes of the longest line that is read. */
const MAX_LINE = 16 * 1024 * 1024;

interface TraceFileFlags {
  readonly partial?: boolean;
  readonly withSecrets?: boolean;
}

/** Reads a trace from a file, or from standard input for `-`; undefined when it is unusable, which has then been reported. */
export async function readTraceFile(
  path: string,
  { partial = false, withSecrets = false }: TraceFileFlags,
  io: Io,
): Promise<Trace | undefined> {
  const file = path === '-' ? STDIN : path;
  const { trace, problems } = await orUsageError(path, async () =>
    readStream(shownPath(file), await openInput(path, io), io),
  );
  const usable = trace !== undefined && (partial || problems.length === 0);
  if (problems.length > 0) {
    const severity = usable ? ('warning' as const) : ('error' as const);
    const common = { severity, file, column: 1, field: '' };
    const diagnostics = problems.map(({ line, message }) => ({ ...common, line, message }));
    await write(usable ? io.notes : io.stderr, formatDiagnostics(diagnostics));
  }
  if (usable) return withSecrets ? trace : masked(trace);
  if (trace !== undefined) {
    const lines = trace.lines.length;
    await write(io.stderr, `kprobe: --partial uses the ${lines} intact lines\n`);
  }
  return undefined;
}

/** Throws a UsageError for a trace of kprobe watch, whose attempts are too few for a simulation. */
export function refuseWatched({ header }: Trace, what: string): void {
  if (header.target !== 'cluster') return;
  throw new UsageError(
    `this trace was recorded by kprobe watch, and has no attempts of kprobe's own: ${what} needs a trace of kprobe run`,
  );
}

/** Masks secrets that an older kprobe, or --with-secrets, has left in the file. */
function masked(trace: Trace): Trace {
  const mask = new TraceMask();
  return { ...trace, lines: trace.lines.map((line) => mask.line(line)) };
}

async function readStream(file: string, stream: AsyncIterable<unknown>, { notes }: Io) {
  const progress = createProgress(notes, 'lines read');
  let count = 0;
  const reader = new TraceReader();
  const splitter = new LineSplitter();
  for await (const chunk of stream) {
    const lines = splitter.add(chunk as Uint8Array);
    const { rest } = splitter;
    for (const line of lines) reader.add(line);
    count += lines.length;
    progress.show(count, file);
    // A file that begins differently is no trace, and a device may never end.
    if (reader.isOver || (count === 0 && !/^\s*\{/.test(rest))) break;
    if (rest.length > MAX_LINE) throw new UsageError(`${file}: a line is more than 16 MiB long`);
  }
  progress.clear();
  const last = splitter.end();
  if (last !== '') reader.add(last, false);
  return reader.finish();
}
