import { KUBELET_VERSION } from '../../kubelet/prober/http-request.js';
import type { Renderer } from '../../render/renderer.js';
import { runsLines } from '../../render/runs-text.js';
import { paintLines } from '../../render/text/paint.js';
import type { RunsSummary } from '../../sim/many-runs.js';
import type { Scenario } from '../../sim/scenario.js';
import type { TraceHeader } from '../../trace/trace-record.js';
import type { Io } from '../shared/io.js';
import { loadRenderer } from '../shared/run-renderer.js';
import { screen, textScreen } from '../shared/screen.js';
import { traceHeader } from '../shared/trace-file.js';
import type { SimulateFlags } from './simulate-options.js';

/** The results of many runs of each scenario, for the terminal. */
export function runsText(
  found: readonly (RunsSummary & { readonly name: string })[],
  flags: SimulateFlags,
  io: Io,
): string {
  const lines = found.flatMap((summary, index) => [
    ...(index === 0 ? [] : [[]]),
    ...runsLines(summary.name.replace('_', '/'), summary),
  ]);
  return paintLines(lines, screen(flags, io));
}

/** Chooses the renderer of a simulation: the one asked for, or the timeline. */
export async function createSimulateRenderer(
  scenarios: readonly Scenario[],
  flags: SimulateFlags,
  io: Io,
): Promise<Renderer> {
  const print = (text: string): void => void io.stdout.write(text);
  const { output = 'timeline' } = flags;
  if (output !== 'timeline') {
    const header = simulatedHeader(scenarios);
    return loadRenderer(output, print, { flags: { verbose: flags.verbose === true }, header, io });
  }
  const seconds = Math.max(...scenarios.map(({ until }) => until)) / 1000;
  const { Timeline } = await import('../../render/timeline/timeline.js');
  const look = { ...screen(flags, io), screen: await textScreen(flags, io) };
  return new Timeline(print, { seconds, ...look });
}

/** Returns the first line of a simulation's trace. */
export function simulatedHeader(scenarios: readonly Scenario[]): TraceHeader {
  return traceHeader({ kubelet: KUBELET_VERSION, target: 'simulated' }, scenarios);
}
