import type { Verdict } from '../../trace/summary/verdict.js';

/** What kprobe's exit codes say. They stand in `--help` and in the README. */
export const EXIT = {
  /** It holds: success, ready, what `--until` asked for. */
  holds: 0,
  /** It does not: a probe failed, a restart was decided, the pod failed. */
  doesNotHold: 1,
  /** Usage or manifest: nothing was started. */
  usage: 2,
  /** It could not be told: a probe errored, the runtime cannot be reached. */
  unknown: 3,
  /** A bug in kprobe. */
  bug: 70,
  /** `--timeout` ran out. */
  timeout: 124,
  hangup: 129,
  interrupted: 130,
  terminated: 143,
} as const;

export function exitCodeOfVerdict({ kind }: Verdict): number {
  return EXIT[kind];
}

export const EXIT_CODES_HELP = `
Exit codes:
  0    it holds: success, ready, what --until asked for
  1    it does not: a probe failed, a restart was decided, the pod failed
  2    usage or manifest; nothing was started
  3    it could not be told: a probe errored, the runtime cannot be reached
  70   a bug in kprobe
  124  --timeout ran out
  129, 130, 143  hung up, interrupted, terminated
`;
