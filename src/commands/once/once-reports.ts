import { exitCodeOfVerdict } from '../../cli/shared/exit-code.js';
import { reportTrace } from '../../cli/shared/reports/trace-reports.js';
import { traceHeader } from '../../cli/shared/trace-file.js';
import { KUBELET_VERSION } from '../../kubelet/prober/http-request.js';
import type { TraceLine } from '../../trace/trace-line.js';
import { traceEnd } from '../../trace/trace-record.js';
import type { OnceVerdict, ReportedAttempt } from './attempt-text.js';
import type { OncePlan } from './once.js';
import type { OnceOutputInput } from './once-output.js';

/** Attempts as the trace of a run with nothing else in it. */
export class OnceReports {
  readonly #lines: TraceLine[] = [];
  readonly #pods = new Map<OncePlan, string>();

  constructor(private readonly input: OnceOutputInput) {
    for (const [index, plan] of input.plans.entries()) this.#add(plan, index);
  }

  round(plan: OncePlan, { answer, latency, attempt, tally, threshold, at }: ReportedAttempt): void {
    const { container, probeType: probe } = plan.probe;
    const of = { pod: this.#pods.get(plan) ?? '', container: container.name, probe, attempt };
    const { outputBytes: _, ...outcome } = answer.outcome;
    const { last: lastResult = 'unknown', run: resultRun, set } = tally;
    const counted = { lastResult, resultRun, threshold, ...(set !== undefined && { set }) };
    const latest = this.#lines.at(-1)?.t ?? 0;
    const t = Math.max(latest, Math.round(at * 1000) / 1000);
    const begin = Math.max(latest, Math.round(at * 1000 - latency) / 1000);
    const own = { ...of, containerID: '' };
    this.#lines.push(
      { t: begin, kind: 'attempt', ...own },
      {
        t,
        kind: 'attemptDone',
        ...own,
        ...outcome,
        ...counted,
        tries: answer.tries,
        latency,
        nextTick: t,
      },
    );
  }

  /** Writes the reports; the worst verdict is that of all. */
  async end(verdicts: readonly OnceVerdict[], exitCode: number): Promise<void> {
    const { plans, flags, io } = this.input;
    const t = this.#lines.at(-1)?.t ?? 0;
    const kind =
      (['doesNotHold', 'unknown', 'holds'] as const).find((one) => verdicts.includes(one)) ??
      'unknown';
    const good = verdicts.filter((verdict) => verdict === 'holds').length;
    const sentence = `${good} of ${plans.length} ${plans.length === 1 ? 'probe' : 'probes'} as wanted`;
    const how = exitCode === exitCodeOfVerdict(kind) ? 'goal' : 'interrupted';
    const ending = { t, kind: how, verdict: { kind, sentence }, exitCode } as const;
    const header = traceHeader({ kubelet: KUBELET_VERSION, target: 'attached' }, []);
    const trace = { header, lines: this.#lines, end: traceEnd(ending, t), unknown: 0 };
    await reportTrace(trace, ending, { command: 'kprobe once', flags, io, effects: false });
  }

  /** A pod for each probe that the command line describes; those of a manifest have theirs. */
  #add(plan: OncePlan, index: number): void {
    const { named, mask, plans } = this.input;
    const { pod, container } = plan.probe;
    const { name, namespace } = pod.metadata;
    const own = named || plans.length === 1 ? name : `${name}-${index + 1}`;
    const key = `${namespace}/${own}`;
    const isKnown = [...this.#pods.values()].includes(key);
    this.#pods.set(plan, key);
    const object = { ...pod, metadata: { ...pod.metadata, name: own } };
    if (!isKnown)
      this.#lines.push({ t: 0, kind: 'pod', pod: key, object: mask?.pod(object) ?? object });
    this.#lines.push({ t: 0, kind: 'started', pod: key, container: container.name, run: 0 });
  }
}
