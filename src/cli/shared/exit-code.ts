import { RuntimeError } from '../../kubelet/ports.js';
import type { RunEnd } from '../../session/wait-for-goal.js';
import type { Verdict } from '../../trace/summary/verdict.js';
import type { Ending } from '../../trace/trace-record.js';
import { UsageError } from '../../usage-error.js';
import { machineErrorMessage } from './file-errors.js';

/** Exit codes, as `--help` and the README list them. */
export const EXIT = {
  success: 0,
  failure: 1,
  usage: 2,
  undetermined: 3,
  bug: 70,
  timeout: 124,
  hangup: 129,
  interrupted: 130,
  quit: 131,
  brokenPipe: 141,
  terminated: 143,
} as const;

const OF_VERDICT = {
  holds: EXIT.success,
  doesNotHold: EXIT.failure,
  unknown: EXIT.undetermined,
} as const;

export function exitCodeOfVerdict(kind: Verdict['kind']): number {
  return OF_VERDICT[kind];
}

/** Returns an ending, at a time in seconds, whose exit code is that of its verdict. */
export function endingBy(verdict: Verdict, kind: Ending['kind'], t: number): Ending {
  return { t, kind, verdict, exitCode: exitCodeOfVerdict(verdict.kind) };
}

/** Maps `--timeout` to 124, a signal to its code, and everything else to the code of the verdict. */
export function exitCodeOfEnd({ kind, verdict }: RunEnd, signal: AbortSignal): number {
  if (kind === 'timeout') return EXIT.timeout;
  if (kind === 'interrupted') return Number(signal.reason);
  return exitCodeOfVerdict(verdict.kind);
}

export function exitCodeOfError(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof RuntimeError && error.code === 'timeout') return EXIT.timeout;
  const isKnown = error instanceof RuntimeError || machineErrorMessage(error) !== undefined;
  return isKnown ? EXIT.undetermined : EXIT.bug;
}

export const EXIT_CODES_HELP = `
Exit codes:
  0    success: ready, or the --until condition was met
  1    failure: a probe failed, a restart was decided, the pod failed
  2    usage or manifest error; nothing was started
  3    undetermined: a probe could not run, the runtime cannot be reached
  70   a bug in kprobe
  124  --timeout ran out
  129, 130, 131, 143  hung up, interrupted, quit, terminated
  141  the reader of the output has gone, as in kprobe … | head
`;
