import { Box } from 'ink';
import type { FC } from 'react';

import type { PodSummary } from '../../../trace/summary/summary.js';
import { elideLine, fitLine, type Line, line, span } from '../../text/line.js';
import { containerLane, probeLane, timeAxis, type TimeWindow } from '../../timeline/lanes.js';
import { useSnapshot } from '../hooks/use-store.js';
import { listInView } from '../store/lists.js';
import { chosenTarget, type RowTarget, rowTargets } from '../store/selection.js';
import type { Snapshot } from '../store/state.js';
import { cursorAttempt, laneLabelWidth, timeWindow } from '../store/timeline.js';
import { Row } from './row.js';
import { ScrollBox } from './scroll-box.js';

interface LanesProps {
  readonly pod: PodSummary;
  readonly width: number;
  readonly height: number;
  /** The key under which the scroll position is kept, where the lanes are what scrolls. */
  readonly id?: string;
}

/** A lane for each container and each probe, below an axis. */
export const Lanes: FC<LanesProps> = ({ pod, width, height, id }) => {
  const snapshot = useSnapshot();
  const window = timeWindow(snapshot, width);
  const targets = rowTargets(pod, snapshot);
  const chosen = chosenTarget(pod, snapshot);
  const axis = [span(' '.repeat(laneLabelWidth(width) + 1), 'dim'), ...timeAxis(window)];
  const lane = (target: RowTarget): Line => {
    const label = laneLabel(target, target.id === chosen?.id, laneLabelWidth(width));
    const cells = laneCells(pod, target, target.id === chosen?.id, snapshot, window);
    return [...label, span(' '), ...cells];
  };
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Row line={axis} width={width} />
      <ScrollBox
        id={id}
        lines={targets.map(lane)}
        shown={targets.length}
        total={id === undefined ? targets.length : listInView(snapshot)?.total}
        ids={targets.map((target) => target.id)}
        width={width}
        height={height - 1}
        chosen={targets.findIndex((target) => target.id === chosen?.id)}
      />
    </Box>
  );
};

function laneLabel({ container, probe }: RowTarget, isChosen: boolean, width: number): Line {
  const name = probe === undefined ? container.name : `  ${probe.type}`;
  const tone = isChosen ? 'cursor' : probe === undefined ? 'strong' : 'plain';
  return fitLine(elideLine(line(name, tone), width), width);
}

function laneCells(
  pod: PodSummary,
  target: RowTarget,
  isChosen: boolean,
  snapshot: Snapshot,
  window: TimeWindow,
): Line {
  const { now } = snapshot;
  const { container, probe } = target;
  return probe === undefined
    ? containerLane(container, pod.addedAt, now, window)
    : probeLane(probe, now, window, isChosen ? cursorAttempt(target, snapshot) : undefined);
}
