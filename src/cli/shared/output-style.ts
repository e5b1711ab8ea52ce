import type { Clock } from '../../clock/clock.js';
import type { IsSimulated } from '../../diagnosis/outlook.js';
import type { PlainTheme, Theme } from '../../text/paint.js';
import { type TextStyle, UNPAINTED } from '../../text/text-style.js';
import { isClusterSide } from '../../trace/cluster-side.js';
import { hasRealRestarts } from '../../trace/real-restarts.js';
import type { Summary } from '../../trace/summary/summary.js';
import type { TraceHeader } from '../../trace/trace-record.js';
import type { Player } from '../../tui/store/state.js';
import type { TuiActions } from '../../tui/tui.js';
import type { Io } from './io.js';
import type { FlagsAmong } from './options.js';

/** Columns of output that is no terminal. */
const COLUMNS = 100;

/** Returns width and color of the output: those of the terminal, unless flags change them. */
export function outputTheme(
  flags: Pick<ShowFlags, 'color'>,
  { stdout, env }: Io,
): PlainTheme & { readonly columns: number } {
  const isTerminal = stdout.isTTY === true;
  const { columns } = stdout as { readonly columns?: number };
  return {
    columns: isTerminal && columns !== undefined && columns > 0 ? columns : COLUMNS,
    theme: themeOf(flags, env),
    plain: !isTerminal && flags.color !== 'always',
  };
}

/** Returns a style that paints and wraps on a terminal, and leaves texts as they are elsewhere. */
export async function textStyle(flags: Pick<ShowFlags, 'color'>, io: Io): Promise<TextStyle> {
  const { theme, plain, columns } = outputTheme(flags, io);
  if (plain) return UNPAINTED;
  const { terminalStyle } = await import('../../text/paint.js');
  return terminalStyle(theme, io.stdout.isTTY === true ? columns : Infinity);
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns color and Unicode by the flags, then by the environment. */
export function themeOf({ color = 'auto' }: Pick<ShowFlags, 'color'>, env: Environment): Theme {
  return {
    // https://no-color.org: any value but an empty one.
    color: color === 'auto' ? (env['NO_COLOR'] ?? '') === '' : color === 'always',
    unicode: isUnicode(env),
  };
}

/** The first variable that is set decides; without one, terminals take UTF-8. */
function isUnicode({ LC_ALL, LC_CTYPE, LANG, TERM }: Environment): boolean {
  const locale = [LC_ALL, LC_CTYPE, LANG].find((value) => value !== undefined && value !== '');
  if (TERM === 'linux') return false;
  return locale === undefined || /utf-?8/i.test(locale);
}

export const TERMINAL = '/dev/tty';

export type ShowFlags = FlagsAmong<'output' | 'plain' | 'color' | 'noHints' | 'verbose' | 'logs'>;

export interface RunRendererInput {
  readonly flags: ShowFlags;
  /** The command's arguments: `-` is standard input. */
  readonly paths: readonly string[];
  readonly io: Io;
  readonly run: ShownRun;
  readonly clock: Clock;
  readonly header: TraceHeader;
  readonly actions: RunActions;
  /** Present where a trace is played. */
  readonly player?: Player;
  /** False where the terminal UI prints no summary at its end. */
  readonly isSummarized?: boolean;
}

/** Returns whether restarts are only simulated; those of a cluster's kubelet are real. */
export function isSimulatedIn(run: Pick<TraceHeader, 'target' | 'realRestarts'>): IsSimulated {
  return (pod, container) => !isClusterSide(pod) && !hasRealRestarts(run, container);
}

export interface ShownRun {
  readonly summary: Summary;
  /** Seconds since the trace began. */
  readonly now: number;
}

export type RunActions = Pick<TuiActions, 'trigger' | 'try' | 'restart' | 'followLog'>;
