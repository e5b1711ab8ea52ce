import { EXIT } from '../../cli/shared/exit-code.js';
import type { Io } from '../../cli/shared/io.js';
import { traceHeader } from '../../cli/shared/output/trace-file.js';
import { createRunRenderer, isInteractive, playInto } from '../../cli/shared/run-renderer.js';
import { RealClock } from '../../clock/real-clock.js';
import { DEFAULT_RELEASE } from '../../kubelet/release.js';
import type { MeasuredRollout } from '../../rollout/measure.js';
import type { RolloutPoint } from '../../rollout/recorder.js';
import { Replay } from '../../session/replay.js';
import { thousands } from '../../text/count.js';
import type { TraceLine } from '../../trace/trace-line.js';
import { UsageError } from '../../usage-error.js';
import { replicasText } from './replicas-timeline.js';
import type { RolloutFlags } from './rollout-options.js';

/** Approximate seconds of the playback of a whole rollout. */
const PLAYBACK = 30;

/** Throws a UsageError where there is no terminal. */
export function checkTerminal(io: Io, paths: readonly string[]): void {
  if (isInteractive({}, io, paths)) return;
  throw new UsageError(
    '--tui needs a terminal for standard input and output, TERM other than dumb, and CI not set',
  );
}

/** Plays a simulated rollout in the terminal UI until the user quits or the signal is aborted. */
export async function showInTui(
  measured: MeasuredRollout,
  trace: readonly TraceLine[],
  { paths, flags: { color } }: { readonly paths: readonly string[]; readonly flags: RolloutFlags },
  io: Io,
): Promise<void> {
  const { length } = measured.outcome;
  const lines = [...trace, ...replicaLines(measured)].sort((a, b) => a.t - b.t);
  const speed = 2 ** Math.min(6, Math.max(-2, Math.round(Math.log2(length / PLAYBACK))));
  const clock = new RealClock();
  const replay = new Replay({ clock, lines, length, speed });
  const renderer = await createRunRenderer({
    flags: { ...(color !== undefined && { color }) },
    paths,
    io,
    run: replay,
    clock,
    header: traceHeader({ kubelet: DEFAULT_RELEASE, target: 'simulated' }, []),
    actions: {
      trigger: () => 'this is a simulated rollout: nothing to probe',
      restart: () => Promise.resolve('this is a simulated rollout: nothing to restart'),
    },
    player: replay,
    isSummarized: false,
  });
  await playInto(renderer, replay, io.signal);
  const verdict = { kind: 'unknown', sentence: '' } as const;
  const ending = { t: replay.now, kind: 'quit', verdict, exitCode: EXIT.success } as const;
  await renderer.end(ending, replay.summary);
}

function replicaLines({ outcome, traffic }: MeasuredRollout): TraceLine[] {
  const { kind, name, points, rollout, length, pods } = outcome;
  const hasEndpoints = points.some(({ endpoints }) => endpoints > 0);
  // The failed requests of a second are known at its end.
  const failures = [...(traffic?.failedBySecond ?? [])]
    .map(([second, count]) => ({ t: Math.min(length, second + 1), count }))
    .sort((a, b) => a.t - b.t);
  const { doneAt = Infinity, deadlineAt = Infinity } = rollout ?? {};
  const times = [...[...points, ...failures].map(({ t }) => t), doneAt, deadlineAt];
  const namespace = pods[0]?.pod.metadata.namespace ?? 'default';
  const workload = `${kind.toLowerCase()}/${name}`;
  const [pointsUntil, failuresUntil] = [takeUntil(points), takeUntil(failures)];
  let point: RolloutPoint | undefined;
  let failed = 0;
  const lines: TraceLine[] = [];
  for (const t of [...new Set(times)].sort((a, b) => a - b)) {
    if (t > length) break;
    point = pointsUntil(t).at(-1) ?? point;
    for (const { count } of failuresUntil(t)) failed += count;
    if (point === undefined) continue;
    const lost =
      failed === 0 ? '' : `, ${thousands(failed)} failed ${failed === 1 ? 'request' : 'requests'}`;
    const done = t >= doneAt;
    const title = done ? 'rolled out: ' : t >= deadlineAt ? 'ProgressDeadlineExceeded: ' : '';
    const sentence = `${kind} ${name}: ${title}${replicasText(point, hasEndpoints)}${lost}`;
    const state = { done, failed: !done && t >= deadlineAt };
    lines.push({ t, kind: 'workload', workload, namespace, sentence, ...state });
  }
  return lines;
}

/** Returns a function that takes the next items of a sorted list up to a time. */
function takeUntil<T extends { readonly t: number }>(items: readonly T[]) {
  let next = 0;
  return (time: number): readonly T[] => {
    const begin = next;
    while ((items[next]?.t ?? Infinity) <= time) next++;
    return items.slice(begin, next);
  };
}
