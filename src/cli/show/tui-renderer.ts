import { join } from 'node:path';

import { createTui, type Tui } from '../../render/tui/tui.js';
import { verdictOf } from '../../trace/summary/verdict.js';
import { traceEnd } from '../../trace/trace-end.js';
import type { TraceEnd } from '../../trace/trace-record.js';
import { exitCodeOfVerdict } from '../shared/exit-code.js';
import { lookOf } from './look.js';
import { processTerminal } from './process-terminal.js';
import type { RunRendererInput, ShownRun } from './shown-run.js';
import { TraceSpool } from './trace-spool.js';

/** The terminal UI over a run. */
export function createTuiRenderer(input: RunRendererInput): Tui {
  const { flags, io, run, clock, header } = input;
  const { target, realRestarts = [] } = header;
  const spool = new TraceSpool(header);
  const tui = createTui({
    clock,
    now: () => run.now,
    terminal: processTerminal,
    about: {
      target,
      isSimulated: (_, container) => !realRestarts.includes(container),
      kubeletVersion: header.kubelet,
      hints: flags.hints ?? true,
      look: lookOf(flags, io.env),
      replayLength: input.replayLength,
    },
    again: commandText(process.argv.slice(2)),
    actions: {
      ...input.actions,
      save: () => save(spool, savedEnd(run), io.cwd),
      interrupt: () => void process.kill(process.pid, 'SIGINT'),
    },
  });
  return {
    quit: tui.quit,
    line(line, summary) {
      spool.line(line);
      tui.line(line, summary);
    },
    async end(ending, summary) {
      spool.close();
      await tui.end(ending, summary);
    },
  };
}

/** Saves the trace beside the user's other files; the name tells when. */
async function save(spool: TraceSpool, end: TraceEnd, folder: string): Promise<string> {
  const time = new Date()
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .replaceAll(/[-:]/g, '');
  const name = `kprobe-${time}.ndjson`;
  const { lines, dropped } = await spool.save(join(folder, name), end);
  const missing = dropped === 0 ? '' : `; ${dropped} more were too many to keep`;
  return `${name}: ${lines} lines${missing}`;
}

/** What the run would come to, were it to end now. */
function savedEnd({ summary, now }: ShownRun): TraceEnd {
  const verdict = verdictOf(summary);
  const exitCode = exitCodeOfVerdict(verdict);
  return traceEnd({ t: now, kind: 'saved', verdict, exitCode }, summary.t);
}

/** The command line as a shell would take it. */
function commandText(argv: readonly string[]): string {
  const words = argv.map((word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`,
  );
  return ['kprobe', ...words].join(' ');
}
