import type { RolloutRuns } from '../../rollout/measure.js';
import type { Distribution } from '../../sim/many-runs.js';
import { counted } from '../text/count.js';
import { type Line, line } from '../text/line.js';

interface ManyRolloutsAbout {
  readonly name: string;
  /** Parts that were simulated. */
  readonly rollsOut: boolean;
  readonly hasTraffic: boolean;
  readonly hasOutage: boolean;
}

export function manyRolloutsLines(found: RolloutRuns, about: ManyRolloutsAbout): Line[] {
  const { runs, rolledOut, leastReady, losing, failed, backAt } = found;
  const shareOf = (distribution: Distribution | null): string =>
    percent((distribution?.count ?? 0) / Math.max(1, runs));
  return [
    line(`${about.name}, ${counted(runs, 'run')}`, 'strong'),
    ...(about.rollsOut
      ? [line(`  rolled out in ${shareOf(rolledOut)} of the runs${inTime(rolledOut)}`)]
      : []),
    line(`  at least ${leastReady === null ? 0 : range(leastReady)} replicas ready`),
    ...(about.hasOutage
      ? [line(`  all replicas back in ${shareOf(backAt)} of the runs${inTime(backAt)}`)]
      : []),
    ...(about.hasTraffic
      ? [
          line(
            `  ${percent(losing)} of the runs lose requests${failed === null ? '' : `: ${range(failed)} (p50 ${failed.p50})`}`,
          ),
        ]
      : []),
  ];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
}

function inTime(seconds: Distribution | null): string {
  if (seconds === null) return '';
  return `: in ${range(seconds)} s (p50 ${Math.round(seconds.p50)})`;
}

function range({ min, max }: Distribution): string {
  const [from, to] = [Math.round(min), Math.round(max)];
  return from === to ? String(from) : `${from} – ${to}`;
}
