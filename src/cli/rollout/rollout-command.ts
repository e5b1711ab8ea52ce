import { type PlannedRollout, planRollout } from '../../app/rollout.js';
import { UsageError } from '../../app/usage-error.js';
import { hasErrors } from '../../manifest/diagnostic.js';
import { formatDiagnostics } from '../../render/format-diagnostic.js';
import { answerLines } from '../../render/rollout/answer.js';
import { paintPlainly } from '../../render/text/paint.js';
import { blockersOf } from '../../rollout/blockers.js';
import {
  type RolloutObserver,
  type RolloutOutcome,
  type RolloutPlan,
  simulateRollout,
} from '../../rollout/rollout.js';
import { checkTargets, saidBy } from '../shared/behaviour-options.js';
import { EXIT } from '../shared/exit-code.js';
import { type CommandInput, type Io, orAborted, write } from '../shared/io.js';
import { readSources, refuseOtherFiles } from '../shared/read-sources.js';
import { screen } from '../shared/screen.js';
import type { RolloutFlags } from './rollout-options.js';

export { rolloutOptions } from './rollout-options.js';

const DEFAULT_UNTIL = 600_000;
const DEFAULT_NODES = 3;

/** `kprobe rollout`: resolves with the exit code. */
export async function rolloutCommand(
  { paths, flags }: CommandInput<RolloutFlags>,
  io: Io,
): Promise<number> {
  if (paths.length === 0) {
    throw new UsageError('nothing to roll out: name a manifest or a folder, or -');
  }
  const { plan, assumptions, diagnostics } = await planned(paths, flags, io);
  const failed = hasErrors(diagnostics);
  if (diagnostics.length > 0) {
    await write(failed ? io.stderr : io.notes, formatDiagnostics(diagnostics));
  }
  if (plan === undefined) return EXIT.usage;
  for (const { subject, assumed } of assumptions) {
    await write(io.notes, `kprobe: not simulated: ${subject}; assumed: ${assumed}\n`);
  }
  return orAborted(io.signal, show(plan, flags, io));
}

async function planned(
  paths: readonly string[],
  flags: RolloutFlags,
  io: Io,
): Promise<PlannedRollout> {
  const sources = await readSources(paths, io, flags);
  const to = flags.to === undefined ? undefined : await readSources([flags.to], io, flags);
  const { nodes = DEFAULT_NODES, drain = [], restart, seed, for: length } = flags;
  checkDrains(drain, nodes);
  const result = planRollout({
    sources,
    to,
    load: { validate: flags.validate, name: flags.workload, replicas: flags.replicas },
    said: saidBy(flags),
    nodes,
    keeps: drain.length > 0 && to === undefined && restart !== true,
    drains: drain,
    until: length ?? DEFAULT_UNTIL,
    endsEarly: length === undefined && drain.length === 0,
    seed,
  });
  if (hasErrors(result.diagnostics)) await refuseOtherFiles([...sources, ...(to ?? [])]);
  if (result.plan !== undefined) checkBehaviour(result.plan, flags);
  return result;
}

function checkDrains(drains: NonNullable<RolloutFlags['drain']>, nodes: number): void {
  for (const { node } of drains) {
    if (Number(node.slice('node-'.length)) <= nodes) continue;
    throw new UsageError(`--drain: there is no ${node} (nodes: node-1 to node-${nodes})`);
  }
}

/** Checks that the containers that flags name are those of the new pods. */
function checkBehaviour({ workload, change = workload }: RolloutPlan, flags: RolloutFlags): void {
  const { template } = change.spec;
  const metadata = { ...change.metadata, uid: '', ...template.metadata };
  checkTargets(saidBy(flags), [
    { metadata: { ...metadata, annotations: {} }, spec: template.spec, status: {} },
  ]);
}

async function show(plan: RolloutPlan, flags: RolloutFlags, io: Io): Promise<number> {
  const isJson = flags.output === 'json';
  const observer: RolloutObserver = isJson
    ? { onLine: (line) => void io.stdout.write(`${JSON.stringify(line)}\n`) }
    : {};
  const outcome = await simulateRollout(plan, observer);
  const exitCode = exitCodeOf(outcome);
  await write(io.stdout, isJson ? resultLine(outcome, exitCode) : answer(outcome, flags, io));
  return exitCode;
}

function answer(outcome: RolloutOutcome, flags: RolloutFlags, io: Io): string {
  const look = screen(flags, io);
  return answerLines(outcome)
    .map((parts) => `${paintPlainly(parts, look)}\n`)
    .join('');
}

/** The last line of `-o json`. */
function resultLine(outcome: RolloutOutcome, exitCode: number): string {
  const { points: _, pods: _pods, length, ...result } = outcome;
  const line = { t: length, kind: 'result', ...resultOf(result), exitCode };
  return `${JSON.stringify({ ...line, blockers: blockersOf(outcome) })}\n`;
}

function resultOf({ kind, name, ...rest }: Omit<RolloutOutcome, 'points' | 'pods' | 'length'>) {
  return { workload: `${kind} ${name}`, ...rest };
}

/** Exit code 0 when it is rolled out, or nothing was rolled out and all replicas are there, and nodes are empty. */
function exitCodeOf({ rollout, counts, drains }: RolloutOutcome): number {
  const { wanted, available } = counts;
  const isGood = rollout === undefined ? available >= wanted : rollout.doneAt !== undefined;
  const isDrained = drains.every(({ emptyAt }) => emptyAt !== undefined);
  return isGood && isDrained ? EXIT.success : EXIT.failure;
}
