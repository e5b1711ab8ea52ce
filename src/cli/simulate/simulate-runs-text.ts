import { runsLines } from '../../render/simulate/runs-text.js';
import { paintPlainly } from '../../render/text/paint.js';
import type { RunsSummary } from '../../sim/runs-summary.js';
import type { Io } from '../shared/io.js';
import { screen } from '../show/screen.js';
import type { SimulateFlags } from './simulate-flags.js';

/** What many runs of each scenario came to, for the terminal. */
export function runsText(
  found: readonly (RunsSummary & { readonly name: string })[],
  flags: SimulateFlags,
  io: Io,
): string {
  const look = screen(flags, io);
  const lines = found.flatMap((summary, index) => [
    ...(index === 0 ? [] : [[]]),
    ...runsLines(summary.name.replace('_', '/'), summary),
  ]);
  return lines.map((parts) => `${paintPlainly(parts, look)}\n`).join('');
}
