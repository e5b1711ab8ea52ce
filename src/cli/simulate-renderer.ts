import type { Renderer } from '../render/renderer.js';
import type { TimelineOptions } from '../render/timeline/timeline.js';
import type { Scenario } from '../sim/scenario.js';
import type { Io } from './io.js';
import { lookOf } from './look.js';
import type { SimulateFlags } from './simulate-flags.js';

/** Columns where there is no terminal to say how many it has. */
const COLUMNS = 100;

/** What shows a simulation: the timeline, or what is asked for. */
export async function createSimulateRenderer(
  scenarios: readonly Scenario[],
  flags: SimulateFlags,
  io: Io,
): Promise<Renderer> {
  const print = (text: string): void => void io.stdout.write(text);
  const { output = 'timeline', verbose = false } = flags;
  switch (output) {
    case 'timeline': {
      const seconds = Math.max(...scenarios.map(({ until }) => until)) / 1000;
      const { createTimeline } = await import('../render/timeline/timeline.js');
      return createTimeline(print, { seconds, ...screen(flags, io) });
    }
    case 'lines':
      return (await import('../render/lines/lines.js')).createLines(print, {
        verbose,
        output: false,
      });
    case 'json':
      return (await import('../render/json.js')).createJson(print);
    case 'yaml':
      return (await import('../render/yaml.js')).createYaml(print);
  }
}

/** How wide it may be, and whether there is colour: on a terminal, unless told otherwise. */
export function screen(
  flags: Pick<SimulateFlags, 'color'>,
  { stdout, env }: Io,
): Pick<TimelineOptions, 'columns' | 'look' | 'plain'> {
  const isTerminal = stdout.isTTY === true;
  const look = lookOf(flags, env);
  const { columns } = stdout as { readonly columns?: number };
  return {
    columns: isTerminal && columns !== undefined && columns > 0 ? columns : COLUMNS,
    look,
    plain: !isTerminal && flags.color !== 'always',
  };
}
