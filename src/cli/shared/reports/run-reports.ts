import { DEFAULT_RELEASE } from '../../../kubelet/release.js';
import type { ManifestSource } from '../../../manifest/documents/source-file.js';
import { reportedManifests } from '../../../report/reported-manifests.js';
import {
  type RunReport,
  runReport,
  unstartedReport,
  type UnstartedRun,
} from '../../../report/run-report.js';
import { settingEffects } from '../../../report/setting-effects.js';
import type { LineListener } from '../../../session/session.js';
import { linesOfRun, type Trace } from '../../../trace/read-trace.js';
import { fold } from '../../../trace/summary/fold.js';
import { EMPTY_SUMMARY } from '../../../trace/summary/summary.js';
import { verdictOf } from '../../../trace/summary/verdict.js';
import { type Ending, endingOf, traceEnd, type TraceHeader } from '../../../trace/trace-record.js';
import { endingBy } from '../exit-code.js';
import { incompleteText } from '../file-errors.js';
import { type Io, reportIncomplete } from '../io.js';
import type { ReportFlags } from '../options.js';
import { traceHeader } from '../output/trace-file.js';
import { TraceSpool } from '../output/trace-spool.js';
import { isSimulatedIn } from '../output-style.js';
import { simulationProgress } from '../progress.js';
import { writeTargets } from './write-reports.js';

export interface ReportedSession {
  readonly onLine: (listener: LineListener) => unknown;
}

export interface TraceReportsInput extends Reporter {
  readonly header: TraceHeader;
  readonly sources?: readonly ManifestSource[];
}

/** Collects the trace of a live run; returns a function that writes the reports. */
export function collectReports(
  session: ReportedSession,
  { header, ...input }: TraceReportsInput,
): WriteReports {
  const spool = new TraceSpool(header);
  session.onLine((line) => spool.line(line));
  return async (ending, showEnd) => {
    const lines = await spool.lines();
    const problem = spool.close();
    if (problem !== undefined) {
      for (const { path } of input.flags.report ?? []) {
        await reportIncomplete(input.io, incompleteText(path, problem, 'report'));
      }
    }
    if (ending.isFollowed === true) return showEnd();
    const end = traceEnd(ending, lines.at(-1)?.t ?? 0);
    const { checks, result } = ending;
    const facts = { ...input, checks, result, showEnd };
    await reportTrace({ header, lines, end, unknown: 0 }, ending, facts);
  };
}

export function recordedEnding({ end, lines }: Trace): Ending {
  if (end !== undefined) return endingOf(end);
  const summary = lines.reduce(fold, EMPTY_SUMMARY);
  return endingBy(verdictOf(summary), 'saved', summary.t);
}

/** The end of a `kprobe ci`, with its checks. */
export interface Checked extends Pick<RunReport, 'checks' | 'result'> {
  /** True when another start follows: only the last one writes reports. */
  readonly isFollowed?: boolean;
}

type ShowEnd = () => Promise<void>;

/** Writes the reports of a run; `showEnd` shows its end, once it is known which files are complete. */
export type WriteReports = (ending: Ending & Checked, showEnd: ShowEnd) => Promise<void>;

interface WholeTraceInput extends Omit<TraceReportsInput, 'header'> {
  readonly result?: RunReport['result'];
  readonly checks?: RunReport['checks'];
  /** False where a simulation with other settings makes no sense. */
  readonly effects?: boolean;
  readonly showEnd?: ShowEnd;
}

export async function reportTrace(
  trace: Trace,
  ending: Ending,
  { flags, sources = [], io, effects = true, showEnd, ...facts }: WholeTraceInput,
): Promise<void> {
  const { header } = trace;
  const lines = linesOfRun(trace);
  const manifests = reportedManifests(lines, sources);
  const isSimulated = isSimulatedIn(header);
  const report = runReport({ ...facts, header, ending, lines, manifests, isSimulated });
  // A run that a signal has ended gets its whole report; a second signal ends kprobe at once.
  const progress = io.signal.aborted
    ? { notes: io.notes, signal: new AbortController().signal }
    : io;
  const simulated = effects
    ? await settingEffects(trace, report, (work) => simulationProgress(progress, work))
    : [];
  await writeTargets({ ...report, effects: simulated }, flags, io, showEnd);
}

export interface Reporter {
  readonly command: string;
  readonly flags: ReportFlags;
  readonly io: Io;
}

export type Unstarted = Omit<UnstartedRun, 'command' | 'header'>;

export async function writeUnstarted(
  { command, flags, io }: Reporter,
  unstarted: Unstarted,
): Promise<void> {
  const header = traceHeader({ kubelet: DEFAULT_RELEASE, target: 'none' }, []);
  await writeTargets(unstartedReport({ command, header, ...unstarted }), flags, io);
}
