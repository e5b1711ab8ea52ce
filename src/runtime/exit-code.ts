import { constants } from 'node:os';

/** A process's end as a runtime reports it: its own exit code, or 128 and the number of the signal. */
export function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  if (signal === null) return code ?? 0;
  return 128 + constants.signals[signal];
}
