import { behaviorSpecOf, checkBehaviorTargets } from '../../cli/shared/behavior-options.js';
import { EXIT } from '../../cli/shared/exit-code.js';
import { type CommandInput, type Io, jsonOutput, orAborted, write } from '../../cli/shared/io.js';
import { kubeletBy } from '../../cli/shared/kubelet/kubelet-flags.js';
import { outputTheme } from '../../cli/shared/output-style.js';
import { createProgress } from '../../cli/shared/progress.js';
import { readSources, refuseOtherFiles } from '../../cli/shared/read-sources.js';
import { hasErrors } from '../../manifest/diagnostic.js';
import { formatDiagnostics } from '../../report/format-diagnostic.js';
import { type MeasuredRollout, measureRollout } from '../../rollout/measure.js';
import {
  DEFAULT_NODES,
  DEFAULT_UNTIL,
  type PlannedRollout,
  planRollout,
  type RolloutRequest,
  type RolloutRun,
} from '../../rollout/plan-rollout.js';
import type { RolloutLine } from '../../rollout/recorder.js';
import type { RolloutObserver, RolloutPlan } from '../../rollout/rollout.js';
import { RolloutTrace } from '../../rollout/rollout-trace.js';
import { blockersOf, countsOf, isWorkload } from '../../rollout/workload.js';
import { counted } from '../../text/count.js';
import { formatSeconds } from '../../text/duration.js';
import { printableJson } from '../../text/escape.js';
import { type Line, lineText } from '../../text/line.js';
import { paintLines } from '../../text/paint.js';
import { UsageError } from '../../usage-error.js';
import { answerLines, compareLines, outageLines, trafficLines } from './outcome-text.js';
import { replicasSvg, type ReplicasTimeline, replicasTimelineLines } from './replicas-timeline.js';
import { faultsBy, hasOutage, type RolloutFlags, trafficBy } from './rollout-options.js';

export { options, relations } from './rollout-options.js';

export async function command({ paths, flags }: CommandInput<RolloutFlags>, io: Io) {
  if (paths.length === 0) {
    throw new UsageError('nothing to roll out: name a manifest or a folder, or -');
  }
  if (flags.tui === true) (await import('./rollout-tui.js')).checkTerminal(io, paths);
  const request = await requestOf(paths, flags, io);
  const { plan, assumptions, diagnostics } = await planned(request, flags);
  const failed = hasErrors(diagnostics);
  await write(failed ? io.stderr : io.notes, formatDiagnostics(diagnostics));
  if (plan === undefined) return EXIT.usage;
  for (const { subject, assumed } of assumptions) {
    await write(io.notes, `kprobe: not simulated: ${subject}; assumed: ${assumed}\n`);
  }
  const { runs, compare } = flags;
  if (compare !== undefined) return showCompared(compare, paths, { plan, request, flags }, io);
  if (runs === undefined) return show({ plan, request, flags }, paths, io);
  return rolloutRuns(plan, request, { ...flags, runs }, io);
}

/** Largest number of requests: they take some seconds to simulate. */
const MAX_REQUESTS = 10_000_000;

function refuseManyRequests(rate: number, seconds: number): void {
  if (rate * seconds <= MAX_REQUESTS) return;
  const limit = `kprobe simulates at most ${MAX_REQUESTS} requests`;
  throw new UsageError(
    `${limit}, and ${rate}/s for ${formatSeconds(seconds)} are more: use a lower --rate, or shorten it with --for`,
  );
}

async function requestOf(paths: readonly string[], flags: RolloutFlags, io: Io) {
  const sources = await readSources(paths, io, flags);
  const to = flags.to === undefined ? undefined : await readSources([flags.to], io, flags);
  const { nodes = DEFAULT_NODES, drain = [], restart, seed, for: length } = flags;
  const { validate, workload: name, replicas } = flags;
  for (const { node } of drain) {
    if (Number(node.slice('node-'.length)) <= nodes) continue;
    throw new UsageError(`--drain: there is no ${node} (nodes: node-1 to node-${nodes})`);
  }
  const until = length ?? DEFAULT_UNTIL;
  refuseManyRequests(flags.rate ?? 0, until / 1000);
  const happens = drain.length > 0 || hasOutage(flags);
  const kubelet = await kubeletBy(flags, io);
  return {
    sources,
    to,
    load: { validate, name, replicas, server: kubelet },
    behavior: behaviorSpecOf(flags),
    nodes,
    isUnchanged: happens && to === undefined && restart !== true,
    drains: drain,
    until,
    endsEarly: length === undefined && !happens,
    traffic: trafficBy(flags),
    faults: faultsBy(flags),
    seed,
    kubelet,
  };
}

async function planned(request: RolloutRequest, flags: RolloutFlags): Promise<PlannedRollout> {
  const { sources, to = [] } = request;
  const result = planRollout(request);
  if (hasErrors(result.diagnostics)) await refuseOtherFiles([...sources, ...to]);
  if (result.plan !== undefined) {
    const workload = result.plan.change ?? result.plan.workload;
    const { metadata: inTemplate, spec } = workload.spec.template;
    const metadata = { ...workload.metadata, uid: '', ...inTemplate, annotations: {} };
    checkBehaviorTargets(behaviorSpecOf(flags), [{ metadata, spec, status: {} }]);
  }
  return result;
}

/**
 * Measures a rollout; a long one says how many pods it has left to start, those before the rollout and then the new ones, or how
 * many seconds, where it goes on when all have started.
 */
async function measureWithProgress(
  plan: RolloutPlan,
  { output }: RolloutFlags,
  { notes, signal }: Io,
  ...observers: readonly RolloutObserver[]
): Promise<MeasuredRollout> {
  const isLive = notes.isTTY === true && output !== 'json';
  let pods: ReturnType<typeof createProgress> | undefined;
  let seconds: typeof pods;
  let isBegun = false;
  const observer: RolloutObserver = {
    onBegin: () => (isBegun = true),
    onChange: (change) => {
      if (change.kind !== 'object' || !isWorkload(change.object)) return;
      const { wanted, updated, available } = countsOf(change.object);
      const total = plan.change === undefined ? wanted : 2 * wanted;
      pods ??= createProgress(notes, `of ${counted(total, 'pod')} started`, { total, isLive });
      pods.show(Math.min(total, isBegun ? wanted + updated : available));
    },
    onSecond: (done) => {
      if (plan.endsEarly) return;
      const total = plan.until / 1000;
      seconds ??= createProgress(notes, `of ${total} s simulated`, { total, isLive });
      seconds.show(Math.round(done));
    },
  };
  try {
    return await orAborted(signal, measureRollout(plan, observer, ...observers));
  } finally {
    pods?.clear();
    seconds?.clear();
  }
}

async function show({ plan, request, flags }: Planned, paths: readonly string[], io: Io) {
  const { output = 'text', report, tui } = flags;
  const trace = report === undefined && tui !== true ? undefined : new RolloutTrace();
  const onLine = (line: RolloutLine): void => void io.stdout.write(`${printableJson(line)}\n`);
  const observers = [...(trace ? [trace] : []), ...(output === 'json' ? [{ onLine }] : [])];
  const measured = await measureWithProgress(plan, flags, io, ...observers);
  if (trace !== undefined && tui === true) {
    const { showInTui } = await import('./rollout-tui.js');
    await showInTui(measured, trace.lines(), { paths, flags }, io);
    if (io.signal.aborted) return Number(io.signal.reason);
  }
  const exitCode = exitCodeOf(measured);
  const text = {
    json: () => resultLine(measured, exitCode),
    svg: () => replicasSvg(titleOf(measured), timelineOf(measured)),
    text: () => answer(measured, flags, io),
  }[output]();
  await write(io.stdout, text);
  if (trace !== undefined && report !== undefined) {
    await writeReports(measured, trace, { request, flags }, io);
  }
  return exitCode;
}

/** Columns of the answer in a report. */
const REPORT_COLUMNS = 100;

interface Planned {
  readonly plan: RolloutPlan;
  readonly request: RolloutRequest;
  readonly flags: RolloutFlags;
}

async function writeReports(
  measured: MeasuredRollout,
  trace: RolloutTrace,
  { request: { sources, to = [] }, flags }: Omit<Planned, 'plan'>,
  io: Io,
): Promise<void> {
  const { reportRollout } = await import('./rollout-reports.js');
  const text = answerLinesOf(measured, REPORT_COLUMNS).map(lineText).join('\n');
  const svg = replicasSvg(titleOf(measured), timelineOf(measured));
  const facts = { flags, sources: [...sources, ...to], text, svg, exitCode: exitCodeOf(measured) };
  await reportRollout(measured, trace.lines(), facts, io);
}

/** Compares the rollout of the paths with that of another file; exit code 0 when the former succeeds. */
async function showCompared(
  file: string,
  paths: readonly string[],
  { plan, request, flags }: Planned,
  io: Io,
): Promise<number> {
  const sources = await readSources([file], io, flags);
  const first = await planned({ ...request, sources }, flags);
  if (first.plan === undefined) {
    await write(io.stderr, formatDiagnostics(first.diagnostics));
    return EXIT.usage;
  }
  const a = await measureWithProgress(first.plan, flags, io);
  const b = await measureWithProgress(plan, flags, io);
  const lines = compareLines({ name: file, measured: a }, { name: paths.join(' '), measured: b });
  await write(io.stdout, paintLines(lines, outputTheme(flags, io)));
  return exitCodeOf(b);
}

function titleOf({ outcome: { kind, name } }: MeasuredRollout): string {
  return `Rollout of ${kind} ${name}`;
}

function timelineOf({ outcome: { points, length }, traffic }: MeasuredRollout): ReplicasTimeline {
  return { points, seconds: Math.max(1, length), failedBySecond: traffic?.failedBySecond };
}

function answer(measured: MeasuredRollout, flags: RolloutFlags, io: Io): string {
  const theme = outputTheme(flags, io);
  return paintLines(answerLinesOf(measured, theme.columns), theme);
}

function answerLinesOf(measured: MeasuredRollout, columns: number): readonly Line[] {
  const { outcome, traffic, outages } = measured;
  return [
    ...answerLines(outcome),
    ...(traffic === undefined ? [] : trafficLines(traffic)),
    ...outages.flatMap(outageLines),
    [],
    ...replicasTimelineLines(timelineOf(measured), columns),
  ];
}

function resultLine(measured: MeasuredRollout, exitCode: number): string {
  const { outcome, traffic, outages } = measured;
  const { points: _, pods: _pods, length: t, kind, name, ...result } = outcome;
  const line = { t, kind: 'result', workload: `${kind} ${name}`, ...result, exitCode };
  const failedBySecond = traffic && Object.fromEntries(traffic.failedBySecond);
  const found = {
    blockers: blockersOf(outcome),
    ...(traffic && { traffic: { ...traffic, failedBySecond } }),
    ...(outages.length > 0 && { outages }),
  };
  return `${printableJson({ ...line, ...found })}\n`;
}

/** Returns 0 when it is rolled out, or all replicas are available where nothing was; nodes are drained and no request failed. */
function exitCodeOf({ outcome, traffic }: MeasuredRollout): number {
  const { rollout, counts, drains } = outcome;
  const { wanted, available } = counts;
  const isGood = rollout === undefined ? available >= wanted : rollout.doneAt !== undefined;
  const isDrained = drains.every(({ emptyAt }) => emptyAt !== undefined);
  const isServed = (traffic?.failed ?? 0) === 0;
  return isGood && isDrained && isServed ? EXIT.success : EXIT.failure;
}

/** Simulates a rollout many times; exit code 0 when every run succeeds without a failed request. */
async function rolloutRuns(
  plan: RolloutPlan,
  request: RolloutRequest,
  flags: RolloutFlags & { readonly runs: number },
  io: Io,
): Promise<number> {
  const { runs, seed = 1, output } = flags;
  const name = `${plan.workload.kind} ${plan.workload.metadata.name}`;
  const work = { job: { request }, runs, seed, program: 'rollout-worker', name } as const;
  const { runInWorkers } = await import('../../cli/shared/worker-runs.js');
  const { summarizeRollouts } = await import('../../rollout/plan-rollout.js');
  const { manyRolloutsLines } = await import('../../report/runs-text.js');
  const figures = await runInWorkers<RolloutRun>(work, io);
  if (io.signal.aborted) return Number(io.signal.reason);
  const found = summarizeRollouts(figures);
  const facts = {
    name,
    rollsOut: plan.change !== undefined,
    hasTraffic: plan.traffic !== undefined,
    hasOutage: (plan.faults?.outages ?? []).length > 0,
  };
  const text =
    output === 'json'
      ? jsonOutput({ workload: name, seed, ...found })
      : paintLines(manyRolloutsLines(found, facts), outputTheme(flags, io));
  await write(io.stdout, text);
  const isGood = ({ doneAt, failed, backAt }: RolloutRun): boolean =>
    failed === 0 && backAt !== null && (doneAt !== null || !facts.rollsOut);
  return figures.every(isGood) ? EXIT.success : EXIT.failure;
}
