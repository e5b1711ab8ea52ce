import { EXIT } from '../../cli/shared/exit-code.js';
import type { Io } from '../../cli/shared/io.js';
import type { ReportFlags } from '../../cli/shared/options.js';
import { traceHeader } from '../../cli/shared/output/trace-file.js';
import { reportTrace } from '../../cli/shared/reports/run-reports.js';
import { DEFAULT_RELEASE } from '../../kubelet/release.js';
import type { ManifestSource } from '../../manifest/documents/source-file.js';
import { type Check, check } from '../../report/check.js';
import type { MeasuredRollout } from '../../rollout/measure.js';
import { counted } from '../../text/count.js';
import { formatSeconds } from '../../text/duration.js';
import { fromZero, type TraceLine } from '../../trace/trace-line.js';
import { type Ending, traceEnd } from '../../trace/trace-record.js';
import { failedText } from './outcome-text.js';

interface Reported {
  readonly flags: ReportFlags;
  readonly sources: readonly ManifestSource[];
  readonly text: string;
  readonly svg: string;
  readonly exitCode: number;
}

/** Writes the reports of a simulated rollout: its answer, its checks, and the final replicas. */
export async function reportRollout(
  measured: MeasuredRollout,
  trace: readonly TraceLine[],
  { flags, sources, text, svg, exitCode }: Reported,
  io: Io,
): Promise<void> {
  const lines = trace.map(fromZero);
  const checks = checksOf(measured);
  const [answer = ''] = text.split('\n');
  const lost = checks.slice(1).filter(({ kind }) => kind === 'failed');
  const sentence = [answer, ...lost.map((check) => check.text)].join('; ');
  const kind = exitCode === EXIT.success ? 'holds' : 'doesNotHold';
  const { length } = measured.outcome;
  const ending: Ending = { t: length, kind: 'goal', verdict: { kind, sentence }, exitCode };
  const header = traceHeader({ kubelet: DEFAULT_RELEASE, target: 'simulated' }, []);
  const end = traceEnd(ending, lines.at(-1)?.t ?? 0);
  const result = { title: 'Rollout', text, svg };
  const facts = { command: 'kprobe rollout', flags, sources, io, result, checks, effects: false };
  await reportTrace({ header, lines, end, unknown: 0 }, ending, facts);
}

function checksOf({ outcome, traffic }: MeasuredRollout): readonly Check[] {
  const { rollout, counts, drains } = outcome;
  const state = `${counts.updated} of ${counted(counts.wanted, 'replica is', 'replicas are')} new, ${counted(counts.available, 'is', 'are')} available`;
  const isUp = counts.available >= counts.wanted;
  return [
    rollout === undefined
      ? check('all replicas are available', isUp, state)
      : check('rolled out', rollout.doneAt !== undefined, state),
    ...drains.map(({ node, t, emptyAt }) => {
      const end =
        emptyAt === undefined ? 'not empty at the end' : `empty at ${formatSeconds(emptyAt)}`;
      const text = `${node}, drained at ${formatSeconds(t)}, is ${end}`;
      return check(`${node} is drained`, emptyAt !== undefined, text);
    }),
    ...(traffic === undefined
      ? []
      : [check('no request fails', traffic.failed === 0, failedText(traffic))]),
  ];
}
