import type { PlainLook } from '../../render/text/paint.js';
import type { RunFlags } from '../run/run-flags.js';
import type { Io } from '../shared/io.js';
import { lookOf } from './look.js';

/** Columns where there is no terminal to say how many it has. */
const COLUMNS = 100;

/** How wide what is printed may be, and whether there is colour: on a terminal, unless told otherwise. */
export function screen(
  flags: Pick<RunFlags, 'color'>,
  { stdout, env }: Io,
): PlainLook & { readonly columns: number } {
  const isTerminal = stdout.isTTY === true;
  const { columns } = stdout as { readonly columns?: number };
  return {
    columns: isTerminal && columns !== undefined && columns > 0 ? columns : COLUMNS,
    look: lookOf(flags, env),
    plain: !isTerminal && flags.color !== 'always',
  };
}
