import { Replay } from '../../app/replay.js';
import { RealClock } from '../../clock/real-clock.js';
import type { Ending } from '../../render/renderer.js';
import type { Trace } from '../../trace/read-trace.js';
import { verdictOf } from '../../trace/summary/verdict.js';
import { EXIT, exitCodeOfVerdict } from '../shared/exit-code.js';
import { type CommandInput, type Io, orAborted, tellOfSecrets } from '../shared/io.js';
import { readTraceFile, refuseWatched } from '../shared/read-trace-file.js';
import { checkReports } from '../shared/reports.js';
import { createRunRenderer, isInteractive, playInto } from '../shared/run-renderer.js';
import type { RunActions } from '../shared/shown-run.js';
import type { ReplayFlags } from './replay-options.js';

export { replayOptions } from './replay-options.js';

/** A recorded run cannot be changed. */
const REPLAY_ACTIONS: RunActions = {
  trigger: () => 'this is a replay: nothing to probe',
  restart: () => Promise.resolve('this is a replay: nothing to restart'),
};

/** `kprobe replay`; resolves with the exit code. */
export async function replayCommand(input: CommandInput<ReplayFlags>, io: Io): Promise<number> {
  const { paths, flags } = input;
  const [path = ''] = paths;
  await checkReports(flags);
  const trace = await readTraceFile(path, flags, io);
  if (trace === undefined) return EXIT.usage;
  await tellOfSecrets(flags, io);
  if (flags.set === undefined) return play(trace, input, io);
  refuseWatched(trace, '--set');
  const { whatIfCommand } = await import('./what-if-command.js');
  return orAborted(io.signal, whatIfCommand(trace, flags.set, flags, io));
}

async function play(
  trace: Trace,
  { flags, paths }: CommandInput<ReplayFlags>,
  io: Io,
): Promise<number> {
  const clock = new RealClock();
  const interactive = isInteractive(flags, io, paths);
  const whole = wholeLength(trace, interactive);
  const length = Math.min(whole, (flags.until ?? Infinity) / 1000);
  const { speed = interactive ? 1 : Infinity } = flags;
  const replay = new Replay({ clock, lines: trace.lines, length, speed });
  const { header } = trace;
  const renderer = await createRunRenderer({
    flags,
    paths,
    io,
    run: replay,
    clock,
    header,
    actions: REPLAY_ACTIONS,
    player: replay,
  });
  await playInto(renderer, replay, io.signal);
  const ending = replayEnding(trace, replay, whole, io.signal);
  await renderer.end(ending, replay.summary);
  if (flags.report !== undefined) {
    const { reportTrace } = await import('../reports/trace-reports.js');
    const lines = trace.lines.filter(({ t }) => t <= length);
    await reportTrace({ ...trace, lines }, ending, { command: 'kprobe replay', flags, io });
  }
  return ending.exitCode;
}

/** Seconds; the terminal UI stays at how things stood when the run was to end, not at what ending it did. */
function wholeLength({ end, lines }: Trace, stays: boolean): number {
  return (stays ? end?.at : end?.t) ?? lines.at(-1)?.t ?? 0;
}

/** The end of a replay: that of the run, or the state so far where only a part was shown. */
export function replayEnding(
  { end }: Pick<Trace, 'end'>,
  { summary, now }: Pick<Replay, 'summary' | 'now'>,
  whole: number,
  signal: AbortSignal,
): Ending {
  const verdict = verdictOf(summary);
  if (signal.aborted) {
    return { t: now, kind: 'interrupted', verdict, exitCode: Number(signal.reason) };
  }
  if (end === undefined || now < whole) {
    return { t: now, kind: 'goal', verdict, exitCode: exitCodeOfVerdict(verdict.kind) };
  }
  const { at, how: kind, verdict: holds, sentence, exitCode } = end;
  return { t: at, kind, verdict: { kind: holds, sentence }, exitCode };
}
