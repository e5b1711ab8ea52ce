import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';

import type { Renderer } from '../../report/renderer.js';
import type { Replay } from '../../session/replay.js';
import type { InkTui } from '../../tui/tui.js';
import { type Io, write } from './io.js';
import {
  isSimulatedIn,
  type RunRendererInput,
  type ShowFlags,
  TERMINAL,
  textStyle,
} from './output-style.js';

/** A renderer; the terminal UI also resolves `quit` when the user quits. */
type RunRenderer = Renderer & Partial<Pick<InkTui, 'quit' | 'seek'>>;

/** Returns the renderer that the flags ask for: lines where there is no terminal. */
export async function createRunRenderer(input: RunRendererInput): Promise<RunRenderer> {
  const { flags, io, paths } = input;
  if (isInteractive(flags, io, paths)) {
    return (await import('./tui-renderer.js')).createTuiRenderer(input);
  }
  const output = flags.output ?? 'lines';
  const print = (text: string): void => void io.stdout.write(text);
  const renderer = await loadRenderer(output, print, input);
  return {
    pass: (t) => renderer.pass?.(t),
    line: (line, summary) => renderer.line(line, summary),
    async end(ending, summary) {
      await renderer.end(ending, summary);
      // Waits until everything written so far is out.
      await write(io.stdout, '');
    },
  };
}

/** Plays a trace; the terminal UI stays until the user quits. */
export async function playInto(renderer: RunRenderer, replay: Replay, signal: AbortSignal) {
  replay.onLine((line, summary) => renderer.line(line, summary));
  replay.onSeek((summary, line) => renderer.seek?.(summary, line));
  const over = new AbortController();
  const played = replay.play(AbortSignal.any([signal, over.signal]));
  if (renderer.quit === undefined) await played;
  else await Promise.race([renderer.quit, signal.aborted || once(signal, 'abort')]);
  over.abort();
}

export async function loadRenderer(
  output: NonNullable<ShowFlags['output']>,
  print: (text: string) => void,
  { flags, header, io }: Pick<RunRendererInput, 'flags' | 'header' | 'io'>,
): Promise<Renderer> {
  const { verbose = false, logs = false } = flags;
  // The causes in a simulation are in its scenario.
  const isDiagnosed = flags.hints !== false && header.target !== 'simulated';
  const isSimulated = isDiagnosed ? isSimulatedIn(header) : undefined;
  switch (output) {
    case 'lines':
      const { Lines } = await import('../../report/lines/lines.js');
      return new Lines(print, {
        verbose,
        output: logs,
        style: await textStyle(flags, io),
        ...(isSimulated !== undefined && { isSimulated }),
      });
    case 'json':
      const { createJson } = await import('../../report/machine-output.js');
      return createJson(print, header, isSimulated);
    case 'yaml':
      return (await import('../../report/pod-status-yaml.js')).createYaml(print);
  }
}

/** Reports whether a run gets the terminal UI: on a terminal that can show it, without other output flags. */
export function isInteractive(
  { output, plain }: ShowFlags,
  io: Io,
  paths: readonly string[],
): boolean {
  if (output !== undefined || plain === true) return false;
  const { TERM, CI } = io.env;
  if (TERM === 'dumb' || (CI !== undefined && CI !== '' && CI !== 'false' && CI !== '0'))
    return false;
  if (io.stdout.isTTY !== true) return false;
  return io.stdin.isTTY === true || (paths.includes('-') && hasTerminal());
}

/** Reports whether keys can be read from a terminal although the manifest comes through standard input. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync(TERMINAL, 'r'));
    return true;
  } catch {
    return false;
  }
}
