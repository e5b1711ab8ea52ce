import { KUBELET_VERSION } from '../../kubelet/kubelet.js';
import type { Renderer } from '../../render/renderer.js';
import type { Scenario } from '../../sim/scenario.js';
import type { Io } from '../shared/io.js';
import { simulatedHeader } from '../shared/trace-header.js';
import { screen } from '../show/screen.js';
import type { SimulateFlags } from './simulate-flags.js';

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
      return (await import('../../render/json.js')).createJson(
        print,
        simulatedHeader(KUBELET_VERSION, scenarios),
      );
    case 'yaml':
      return (await import('../../render/yaml.js')).createYaml(print);
  }
}
