import type { Look } from '../../render/text/paint.js';
import type { ShowFlags } from './show-flags.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** How the terminal's screen may look, by flags first, then by what the environment says. */
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
