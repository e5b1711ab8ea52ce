import type { MeasuredRollout } from '../../rollout/measure.js';
import { formatSeconds } from '../text/duration.js';
import { type Line, line, span } from '../text/line.js';

interface ComparedRollout {
  readonly name: string;
  readonly measured: MeasuredRollout;
}

interface Row {
  readonly label: string;
  readonly of: (measured: MeasuredRollout) => number;
  readonly text: (value: number) => string;
  readonly moreIsBetter?: true;
}

const ROWS: readonly Row[] = [
  {
    label: 'rolled out in',
    of: ({ outcome }) => outcome.rollout?.doneAt ?? Infinity,
    text: (value) => (value === Infinity ? 'not' : formatSeconds(value)),
  },
  {
    label: 'least ready replicas',
    of: ({ outcome }) => outcome.leastReady.count,
    text: String,
    moreIsBetter: true,
  },
  { label: 'failed requests', of: ({ traffic }) => traffic?.failed ?? 0, text: String },
  {
    label: 'all back after outages at',
    of: ({ outages }) =>
      Math.max(
        0,
        ...outages.map(({ lastBack = 0, stillOut }) => (stillOut > 0 ? Infinity : lastBack / 1000)),
      ),
    text: (value) => (value === Infinity ? 'not' : formatSeconds(value)),
  },
  {
    label: 'restarts in outages',
    of: ({ outages }) => outages.reduce((sum, { restarts }) => sum + restarts, 0),
    text: String,
  },
  { label: 'most pods at once', of: ({ outcome }) => mostPods(outcome.points), text: String },
];

function mostPods(points: MeasuredRollout['outcome']['points']): number {
  return points.reduce((most, point) => {
    const counts = [...Object.values(point.old), ...Object.values(point.new)];
    return Math.max(
      most,
      counts.reduce((sum, count) => sum + count, 0),
    );
  }, 0);
}

const LABEL = 28;

/** Two rollouts side by side, with what is better in the second one and what it costs. */
export function compareLines(first: ComparedRollout, second: ComparedRollout): Line[] {
  const width = Math.max(10, first.name.length, second.name.length) + 2;
  const rows = ROWS.map((row) => ({
    ...row,
    a: row.of(first.measured),
    b: row.of(second.measured),
  }));
  const shown = rows.filter(({ a, b }) => a > 0 || b > 0);
  const differing = shown.filter(({ a, b }) => a !== b);
  const isBetter = ({ a, b, moreIsBetter }: (typeof rows)[number]): boolean =>
    moreIsBetter === true ? b > a : b < a;
  const names = (found: typeof rows): string => found.map(({ label }) => label).join(', ');
  const [better, worse] = [differing.filter(isBetter), differing.filter((row) => !isBetter(row))];
  return [
    line(' '.repeat(LABEL) + first.name.padEnd(width) + second.name, 'strong'),
    ...shown.map((row): Line => {
      const tone = row.a === row.b ? 'plain' : isBetter(row) ? 'good' : 'bad';
      return [
        span(row.label.padEnd(LABEL) + row.text(row.a).padEnd(width)),
        span(row.text(row.b), tone),
      ];
    }),
    line(`better in ${second.name}: ${better.length === 0 ? 'nothing' : names(better)}`),
    line(`it costs: ${worse.length === 0 ? 'nothing' : names(worse)}`),
  ];
}
