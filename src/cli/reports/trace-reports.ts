import type { ManifestSource } from '../../manifest/documents/source-file.js';
import type { Ending } from '../../render/renderer.js';
import { type RunReport, runReport } from '../../render/run-report/run-report.js';
import { linesOfRun, type Trace } from '../../trace/read-trace.js';
import { fold } from '../../trace/summary/fold.js';
import { EMPTY_SUMMARY } from '../../trace/summary/summary.js';
import { verdictOf } from '../../trace/summary/verdict.js';
import type { TraceLine } from '../../trace/trace-line.js';
import { traceEnd, type TraceHeader } from '../../trace/trace-record.js';
import { exitCodeOfVerdict } from '../shared/exit-code.js';
import type { Io } from '../shared/io.js';
import type { ReportFlags } from '../shared/options.js';
import { isSimulatedIn } from '../shared/shown-run.js';
import { TraceSpool } from '../shared/trace-spool.js';
import { reportedManifests } from './reported-manifests.js';
import { settingEffects } from './setting-effects.js';
import { writeTargets } from './write-reports.js';

export interface TraceReportsInput {
  readonly command: string;
  readonly flags: ReportFlags;
  readonly header: TraceHeader;
  /** Of the manifests, where there are some. */
  readonly sources?: readonly ManifestSource[];
  readonly io: Io;
}

/** Reports of a run that goes on: its trace waits in a file without a name, not in memory. */
export class TraceReports {
  readonly #spool: TraceSpool;

  constructor(private readonly input: TraceReportsInput) {
    this.#spool = new TraceSpool(input.header);
  }

  line(line: TraceLine): void {
    this.#spool.line(line);
  }

  async end(ending: CheckedEnding): Promise<void> {
    const { header } = this.input;
    const lines = await this.#spool.lines();
    this.#spool.close();
    const end = traceEnd(ending, lines.at(-1)?.t ?? 0);
    const { checks } = ending;
    await reportTrace({ header, lines, end, unknown: 0 }, ending, { ...this.input, checks });
  }
}

/** The end of a recorded run. */
export function recordedEnding({ end, lines }: Trace): Ending {
  const summary = lines.reduce(fold, EMPTY_SUMMARY);
  const verdict = verdictOf(summary);
  if (end === undefined)
    return { t: summary.t, kind: 'saved', verdict, exitCode: exitCodeOfVerdict(verdict.kind) };
  const { at: t, how, verdict: kind, sentence, exitCode } = end;
  return { t, kind: how, verdict: { kind, sentence }, exitCode };
}

/** An ending that `kprobe ci` adds its checks to. */
export type CheckedEnding = Ending & Pick<RunReport, 'checks'>;

interface WholeTraceInput extends Omit<TraceReportsInput, 'header'> {
  readonly result?: RunReport['result'];
  readonly checks?: RunReport['checks'];
  /** False where a simulation of the trace would say nothing. */
  readonly effects?: boolean;
}

/** Writes the reports of a whole trace. */
export async function reportTrace(
  trace: Trace,
  ending: Ending,
  { flags, sources = [], io, effects = true, ...about }: WholeTraceInput,
): Promise<void> {
  const { header } = trace;
  const lines = linesOfRun(trace);
  const manifests = reportedManifests(lines, sources);
  const isSimulated = isSimulatedIn(header);
  const report = runReport({ ...about, header, ending, lines, manifests, isSimulated });
  const tried = effects ? await settingEffects(trace, report) : [];
  await writeTargets({ ...report, effects: tried }, flags, io);
}
