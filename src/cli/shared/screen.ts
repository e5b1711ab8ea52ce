import type { Look, PlainLook } from '../../render/text/paint.js';
import { type Screen, UNPAINTED } from '../../render/text/screen.js';
import type { Io } from './io.js';
import type { ShowFlags } from './shown-run.js';

/** Columns where there is no terminal to say how many it has. */
const COLUMNS = 100;

/** Width and color of what is printed: those of the terminal, unless flags say otherwise. */
export function screen(
  flags: Pick<ShowFlags, 'color'>,
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

/** Where a command prints its texts: painted and wrapped on a terminal, as they are elsewhere. */
export async function textScreen(flags: Pick<ShowFlags, 'color'>, io: Io): Promise<Screen> {
  const { look, plain, columns } = screen(flags, io);
  if (plain) return UNPAINTED;
  const { terminalScreen } = await import('../../render/text/paint.js');
  return terminalScreen(look, io.stdout.isTTY === true ? columns : Infinity);
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Color and Unicode of the terminal's screen, by flags first, then by the environment. */
export function lookOf({ color = 'auto' }: Pick<ShowFlags, 'color'>, env: Environment): Look {
  return {
    color: color === 'auto' ? wantsColor(env) : color === 'always',
    unicode: isUnicode(env),
  };
}

/** https://no-color.org: any value but an empty one. */
function wantsColor({ NO_COLOR = '' }: Environment): boolean {
  return NO_COLOR === '';
}

/** The first that is set says what the terminal is sent; where none is, terminals take UTF-8. */
function isUnicode({ LC_ALL, LC_CTYPE, LANG, TERM }: Environment): boolean {
  const locale = [LC_ALL, LC_CTYPE, LANG].find((value) => value !== undefined && value !== '');
  if (TERM === 'linux') return false;
  return locale === undefined || /utf-?8/i.test(locale);
}
