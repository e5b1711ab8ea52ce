import { EXIT } from '../../cli/shared/exit-code.js';
import { unlessQuiet, write } from '../../cli/shared/io.js';
import { runPods } from '../../cli/shared/run/run-pods.js';
import { RealClock } from '../../clock/real-clock.js';
import { DEFAULT_KUBELET } from '../../kubelet/release.js';
import { type RunEnd, waitForGoal } from '../../session/wait-for-goal.js';
import { escapeControl } from '../../text/escape.js';
import type { Measured, MeasureInput } from './measure.js';
import { LOCALHOST } from './started-command.js';

/** Runs the command with the proposed probes until its pod is ready; resolves with the exit code. */
export async function prove(
  { loaded, pod }: Measured,
  { manifest, commandLine, limit, io }: MeasureInput,
): Promise<number> {
  const clock = new RealClock();
  const found: { end?: RunEnd } = {};
  const exitCode = await runPods({
    command: 'kprobe run',
    paths: [],
    commandLine,
    sources: [],
    clock,
    manifest: { ...manifest, pods: [{ ...loaded, pod }] },
    flags: { host: LOCALHOST, validate: true, plain: true },
    kubelet: DEFAULT_KUBELET,
    io: unlessQuiet({ quiet: true }, io),
    files: { metrics: undefined, traceFile: undefined },
    run: async ({ session, start }) => {
      start();
      const goal = { kind: 'until', condition: 'ready' } as const;
      const limits = { timeout: 2 * limit, signal: io.signal };
      return (found.end = await waitForGoal({ clock, session, goal, ...limits }));
    },
  });
  const sentence = found.end?.verdict.sentence ?? 'it did not run';
  const [stream, word] =
    exitCode === EXIT.success ? [io.notes, 'proved'] : [io.stderr, 'not proved'];
  await write(stream, `kprobe: ${word}: ${escapeControl(sentence)}\n`);
  return exitCode;
}
