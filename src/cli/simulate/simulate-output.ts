import { KUBELET_VERSION } from '../../kubelet/prober/http-request.js';
import type { Renderer } from '../../render/renderer.js';
import { runsLines } from '../../render/runs-text.js';
import { paintPlainly } from '../../render/text/paint.js';
import type { RunsSummary } from '../../sim/many-runs.js';
import type { Scenario } from '../../sim/scenario.js';
import type { Io } from '../shared/io.js';
import { screen } from '../shared/screen.js';
import { simulatedHeader } from '../shared/trace-file.js';
import type { SimulateFlags } from './simulate-options.js';

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
      const { createTimeline } = await import('../../render/timeline/timeline.js');
      return createTimeline(print, { seconds, ...screen(flags, io) });
    }
    case 'lines':
      return (await import('../../render/lines/lines.js')).createLines(print, {
        verbose,
        output: false,
      });
    case 'json':
      return (await import('../../render/machine-output.js')).createJson(
        print,
        simulatedHeader(KUBELET_VERSION, scenarios),
      );
    case 'yaml':
      return (await import('../../render/machine-output.js')).createYaml(print);
  }
}
