import { exitCodeOfVerdict } from '../../cli/shared/exit-code.js';
import { traceHeader } from '../../cli/shared/output/trace-file.js';
import { reportTrace } from '../../cli/shared/reports/run-reports.js';
import { DEFAULT_RELEASE } from '../../kubelet/release.js';
import { counted } from '../../text/count.js';
import type { Verdict } from '../../trace/summary/verdict.js';
import type { TraceLine } from '../../trace/trace-line.js';
import { traceEnd } from '../../trace/trace-record.js';
import type { OncePlan } from './once.js';
import type { OnceOutputInput } from './once-output.js';

/** Reports the attempts as the trace of a run. */
export class OnceReports {
  readonly #lines: TraceLine[] = [];

  constructor(private readonly input: OnceOutputInput) {
    for (const plan of input.plans) this.#addPod(plan);
  }

  add(line: TraceLine): void {
    this.#lines.push(line);
  }

  async end(verdicts: readonly Verdict['kind'][], exitCode: number): Promise<void> {
    const { plans, flags, io } = this.input;
    const t = this.#lines.at(-1)?.t ?? 0;
    const worstFirst = ['doesNotHold', 'unknown', 'holds'] as const;
    const kind = worstFirst.find((verdict) => verdicts.includes(verdict)) ?? 'unknown';
    const good = verdicts.filter((verdict) => verdict === 'holds').length;
    const sentence = `${good} of ${counted(plans.length, 'probe')} as wanted`;
    const reason = exitCode === exitCodeOfVerdict(kind) ? 'goal' : 'interrupted';
    const ending = { t, kind: reason, verdict: { kind, sentence }, exitCode } as const;
    const header = traceHeader({ kubelet: DEFAULT_RELEASE, target: 'attached' }, []);
    const trace = { header, lines: this.#lines, end: traceEnd(ending, t), unknown: 0 };
    await reportTrace(trace, ending, { command: 'kprobe once', flags, io, effects: false });
  }

  #addPod({ pod: key, probe: { pod, container } }: OncePlan): void {
    const { mask } = this.input;
    const isKnown = this.#lines.some((line) => line.kind === 'pod' && line.pod === key);
    const [, name = ''] = key.split('/');
    const object = { ...pod, metadata: { ...pod.metadata, name } };
    if (!isKnown) this.add({ t: 0, kind: 'pod', pod: key, object: mask?.pod(object) ?? object });
    this.add({ t: 0, kind: 'started', pod: key, container: container.name, run: 0 });
  }
}
