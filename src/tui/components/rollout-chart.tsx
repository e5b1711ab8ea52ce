import { Box } from 'ink';
import type { FC } from 'react';

import { timeAxis, wholeWindow } from '../../report/lanes.js';
import { elideLine, fitLine, type Line, line, span } from '../../text/line.js';
import type { ReplicaPoint, WorkloadView } from '../../trace/summary/summary.js';
import { useColumns } from './columns.js';
import { Fitting } from './fitting.js';
import { LEVELS } from './format.js';
import { Painted } from './painted.js';

const COUNTS: Readonly<Record<string, (point: ReplicaPoint) => number | undefined>> = {
  new: ({ updated }) => updated,
  old: ({ current, updated }) => updated && current - updated,
  ready: ({ ready }) => ready,
  available: ({ available }) => available,
  endpoints: ({ endpoints }) => endpoints,
};

/** Rows of a chart at most, with its axis. */
export const CHART_ROWS = Object.keys(COUNTS).length + 1;

/** Columns of the names of counts, and of the counts. */
const NAME_WIDTH = 12;
const COUNT_WIDTH = 9;

interface ChartProps {
  readonly workload: WorkloadView;
  /** Seconds of the trace. */
  readonly now: number;
}

/** A row for each count of a rollout's replicas: what it is, and what it was since the rollout began. */
export const RolloutChart: FC<ChartProps> = ({ workload: { workload, history, done }, now }) => {
  const columns = useColumns();
  const [first, last] = [history[0], history.at(-1)];
  if (first === undefined || last === undefined) return null;
  const labelWidth = NAME_WIDTH + COUNT_WIDTH + 1;
  const end = done ? last.t : now;
  const { cell, width } = wholeWindow(Math.max(1, end - first.t), columns - labelWidth);
  const begin = Math.floor(first.t / cell);
  const max = Math.max(...history.flatMap(({ desired, current }) => [desired, current]));
  const points = Array.from({ length: width }, (_, index) => {
    const time = index === width - 1 ? end : (begin + index + 1) * cell;
    return history.findLast(({ t }) => t <= time) ?? first;
  });
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Painted
        line={[
          ...fitLine(elideLine(line(workload, 'strong'), labelWidth - 1), labelWidth),
          ...timeAxis({ cell, first: begin, width }),
        ]}
      />
      {countsOf(last).map(({ name, count, text }) => (
        <Painted
          key={name}
          line={[
            span(`  ${name}`.padEnd(NAME_WIDTH), 'dim'),
            span(`${text.padStart(COUNT_WIDTH)} `, toneOf(name, count, last)),
            ...points.map((point) => bar(name, point, max)),
          ]}
        />
      ))}
    </Box>
  );
};

/** The latest counts in one row. */
export const RolloutCounts: FC<Pick<ChartProps, 'workload'>> = ({ workload: { history } }) => {
  const last = history.at(-1);
  if (last === undefined) return null;
  const parts = countsOf(last).map(({ name, count, text }): Line => [
    span(`${name} `, 'dim'),
    span(text, toneOf(name, count, last)),
  ]);
  return (
    <Box flexShrink={0}>
      <Fitting flexGrow={1} gap={{ marginRight: 2 }} parts={parts} />
    </Box>
  );
};

function countsOf(point: ReplicaPoint) {
  return Object.entries(COUNTS).flatMap(([name, countOf]) => {
    const count = countOf(point);
    const text = name === 'new' ? `${count} of ${point.desired}` : `${count}`;
    return count === undefined ? [] : { name, count, text };
  });
}

function toneOf(name: string, count: number, { desired }: ReplicaPoint) {
  if (name === 'old') return 'dim';
  if (count >= desired) return 'good';
  return count > 0 || name === 'new' ? 'warn' : 'bad';
}

function bar(name: string, point: ReplicaPoint, max: number) {
  const count = COUNTS[name]?.(point) ?? 0;
  const level = Math.round((count / max) * (LEVELS.length - 1));
  return count === 0 ? span('·', 'dim') : span(LEVELS[level] ?? '█', toneOf(name, count, point));
}
