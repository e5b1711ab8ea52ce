import type { Session } from '../app/session.js';
import type { Clock } from '../clock/clock.js';
import type { Renderer } from '../render/renderer.js';
import { isInteractive } from './interactive.js';
import { type Io, write } from './io.js';
import type { RunFlags } from './run-flags.js';

export interface RunRendererInput {
  readonly flags: RunFlags;
  readonly io: Io;
  readonly session: Session;
  readonly clock: Clock;
  /** `attached` or `process`. */
  readonly target: string;
}

/** A renderer; an interactive one says when the user has seen enough. */
export type RunRenderer = Renderer & { readonly quit?: Promise<void> };

/** What shows a run: as asked for, the terminal UI, or lines where there is no terminal. */
export async function createRunRenderer(input: RunRendererInput): Promise<RunRenderer> {
  const { flags, io } = input;
  if (isInteractive(flags, io)) {
    return (await import('./tui-renderer.js')).createTuiRenderer(input);
  }
  const output = flags.output ?? 'lines';
  const print = (text: string): void => void io.stdout.write(text);
  const renderer = await load(output, print, flags);
  return {
    line: (line, summary) => renderer.line(line, summary),
    async end(ending, summary) {
      await renderer.end(ending, summary);
      // What was written before is out when this is.
      await write(io.stdout, '');
    },
  };
}

async function load(
  output: NonNullable<RunFlags['output']>,
  print: (text: string) => void,
  { verbose = false, logs = false }: RunFlags,
): Promise<Renderer> {
  switch (output) {
    case 'lines':
      return (await import('../render/lines/lines.js')).createLines(print, {
        verbose,
        output: logs,
      });
    case 'json':
      return (await import('../render/json.js')).createJson(print);
    case 'yaml':
      return (await import('../render/yaml.js')).createYaml(print);
  }
}
