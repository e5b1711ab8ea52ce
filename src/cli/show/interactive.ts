import type { Io } from '../shared/io.js';
import type { ShowFlags } from './show-flags.js';

/** Whether a run gets the terminal UI: on a terminal that can show it, with nothing else asked for. */
export function isInteractive({ output, plain = false }: ShowFlags, io: Io): boolean {
  if (output !== undefined || plain) return false;
  const { TERM, CI } = io.env;
  if (TERM === 'dumb' || (CI !== undefined && CI !== '' && CI !== 'false' && CI !== '0'))
    return false;
  return io.stdin.isTTY === true && io.stdout.isTTY === true;
}
