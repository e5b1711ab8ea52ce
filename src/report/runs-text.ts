import type { RolloutRuns } from '../rollout/measure.js';
import type { Distribution, RunsSummary } from '../sim/many-runs.js';
import type { Obstacle } from '../sim/run-figures.js';
import { counted } from '../text/count.js';
import { formatSeconds as time } from '../text/duration.js';
import { clipLine, type Line, line, span } from '../text/line.js';

const BAR = 40;

/** `seconds` is the length of each run. */
export function runsLines(name: string, seconds: number, summary: RunsSummary): Line[] {
  const { runs, readyAfter, neverReady, restarts, unready, readyFor } = summary;
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  const sinceWhen =
    readyFor === null
      ? ''
      : `, ready for ${time(readyFor.min)} or longer (p50 ${time(readyFor.p50)})`;
  return [
    line(`${name}, ${counted(runs, 'run')} of ${time(seconds)}`, 'strong'),
    line(`  ready or succeeded at the end  ${percent(summary.good)}${sinceWhen}`),
    line(`  restarted                      ${percent(summary.restarted)}`),
    line(`  crash-looped                   ${percent(summary.crashLooped)}`),
    line(`  never ready                    ${percent(neverReady / Math.max(1, runs))}`),
    ...obstacleLines(summary),
    ...distributionLines('time to ready', readyAfter, time),
    ...distributionLines('restarts', restarts, String),
    ...distributionLines('time not ready again', unready, time),
  ];
}

/** Characters of a message; a probe's output may be 10 KiB. */
const MAX_MESSAGE = 200;

function obstacleLines({ obstacles }: RunsSummary): Line[] {
  if (obstacles.length === 0) return [];
  const width = Math.max(...obstacles.map(({ runs }) => counted(runs, 'run').length));
  return [
    [],
    line('  why it was not ready at the end', 'strong'),
    ...obstacles.map((obstacle) => [
      span(`  ${counted(obstacle.runs, 'run').padStart(width)}  `),
      ...clipLine(line(obstacleText(obstacle)), MAX_MESSAGE),
    ]),
  ];
}

function obstacleText({ container, probe, state, lastState, message }: Obstacle): string {
  const before = lastState === '' || lastState === state ? '' : `, before that ${lastState}`;
  if (probe === undefined) {
    return `${container}: ${state}${before}${message === '' ? '' : `: ${message}`}`;
  }
  return `${container}: ${message === '' ? `its ${probe} probe has not succeeded` : message}`;
}

function distributionLines(
  name: string,
  distribution: Distribution | null,
  text: (amount: number) => string,
): Line[] {
  if (distribution === null) return [];
  const { min, p50, p90, p99, max, histogram } = distribution;
  const amounts = { min, p50, p90, p99, max };
  const shown = Object.entries(amounts).map(([key, amount]) => `${key} ${text(amount)}`);
  const maxCount = Math.max(...histogram.map(({ count }) => count));
  return [
    [],
    [span(`  ${name}`, 'strong'), span(`  ${shown.join('  ')}`)],
    ...histogram.map(({ from, count }): Line => {
      const bar = '█'.repeat(Math.ceil((count / maxCount) * BAR));
      return [
        span(`  ${text(from).padStart(8)}  `),
        span(bar, 'info'),
        span(count === 0 ? '' : ` ${count}`, 'dim'),
      ];
    }),
  ];
}

/** `simulated` names the parts that were simulated. */
export function manyRolloutsLines(
  { runs, rolledOut, leastReady, losing, failed, backAt }: RolloutRuns,
  simulated: { name: string; rollsOut: boolean; hasTraffic: boolean; hasOutage: boolean },
): Line[] {
  const shareOf = (distribution: Distribution | null): string =>
    percent((distribution?.count ?? 0) / Math.max(1, runs));
  const lost = failed === null ? '' : `: ${range(failed)} (p50 ${failed.p50})`;
  return [
    line(`${simulated.name}, ${counted(runs, 'run')}`, 'strong'),
    ...(simulated.rollsOut
      ? [line(`  rolled out in ${shareOf(rolledOut)} of the runs${inTime(rolledOut)}`)]
      : []),
    line(`  at least ${leastReady === null ? 0 : range(leastReady)} replicas ready`),
    ...(simulated.hasOutage
      ? [line(`  all replicas back in ${shareOf(backAt)} of the runs${inTime(backAt)}`)]
      : []),
    ...(simulated.hasTraffic
      ? [line(`  ${percent(losing)} of the runs lose requests${lost}`)]
      : []),
  ];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
}

function inTime(seconds: Distribution | null): string {
  return seconds === null ? '' : `: in ${range(seconds)} s (p50 ${Math.round(seconds.p50)})`;
}

function range({ min, max }: Distribution): string {
  const [from, to] = [Math.round(min), Math.round(max)];
  return from === to ? String(from) : `${from} – ${to}`;
}
