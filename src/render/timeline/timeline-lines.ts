import type { PodSummary } from '../../trace/summary/summary.js';
import { fitLine, type Line, span, textWidth } from '../text/line.js';
import { containerLane } from '../tui/views/timeline/container-lane.js';
import { probeLane } from '../tui/views/timeline/probe-lane.js';
import { timeAxis } from '../tui/views/timeline/time-axis.js';
import type { AttemptHistory } from './attempt-history.js';
import { wholeWindow } from './whole-window.js';

const LONGEST_LABEL = 24;
const INDENT = '  ';

/** A pod from its begin to its end: a lane for each container and each probe. */
export function timelineLines(
  pod: PodSummary,
  history: AttemptHistory,
  seconds: number,
  columns: number,
): Line[] {
  const names = pod.containers.flatMap(({ name, probes }) => [
    name,
    ...probes.map(({ type }) => INDENT + type),
  ]);
  const label = Math.min(LONGEST_LABEL, Math.max(...names.map(textWidth)));
  const window = wholeWindow(seconds, Math.max(10, columns - label - 1));
  const lane = (name: string, isContainer: boolean, cells: Line): Line => [
    ...fitLine([span(name, isContainer ? 'strong' : 'plain')], label),
    span(' '),
    ...cells,
  ];
  return [
    timeAxis(window, ' '.repeat(label + 1)),
    ...pod.containers.flatMap((container) => [
      lane(container.name, true, containerLane(container, pod.addedAt, seconds, window)),
      ...container.probes.map((probe) => {
        const attempts = history.of(pod.key, container.name, probe.type);
        const cells = probeLane({ ...probe, attempts }, seconds, window, undefined);
        return lane(INDENT + probe.type, false, cells);
      }),
    ]),
  ];
}
