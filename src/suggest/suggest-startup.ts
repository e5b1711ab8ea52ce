import type { Probe } from '../api/index.js';
import { counted } from '../render/text/count.js';
import type { Measure } from './measure.js';
import type { ProbedRole } from './probed-role.js';
import type { ProposedSettings } from './proposed-settings.js';
import { timeoutOf, timeoutReasons } from './timeout.js';

/** A start may take so many times the slowest one that was measured, and always so many seconds. */
const START_MARGIN = 3;
const LEAST_START = 30;
/** A budget so many times what is enough is shortened, when so many starts were measured. */
const TOO_LONG = 4;
const ENOUGH_STARTS = 3;
/** Seconds: a longer period finds out late that it has started. */
const LONGEST_PERIOD = 10;

/** What a new startup probe holds up. */
const WAITS: Readonly<Record<ProbedRole, string>> = {
  container: 'readiness waits for it',
  sidecar: 'the containers behind a sidecar wait for it',
};

/** A startup probe that leaves the slowest start its time; `asked` is what it asks when there is none yet. */
export function suggestStartup(
  before: Probe | undefined,
  asked: Probe,
  role: ProbedRole,
  measured: Measure,
): ProposedSettings {
  const slowest = Math.max(...measured.starts.map(({ to }) => to));
  const needed = Math.max(LEAST_START, START_MARGIN * slowest);
  const had = before === undefined ? 0 : budgetOf(before);
  const isLong = had > TOO_LONG * needed;
  const isKept = had >= needed && (!isLong || measured.starts.length < ENOUGH_STARTS);
  const periodSeconds =
    isKept && before !== undefined && before.periodSeconds <= LONGEST_PERIOD
      ? before.periodSeconds
      : Math.min(LONGEST_PERIOD, Math.max(1, Math.ceil(slowest / 10)));
  const failureThreshold = Math.ceil((isKept ? had : needed) / periodSeconds);
  const { terminationGracePeriodSeconds: _, ...handler } = asked;
  const after = {
    ...(before ?? handler),
    initialDelaySeconds: 0,
    periodSeconds,
    failureThreshold,
    successThreshold: 1,
    timeoutSeconds: timeoutOf({ ...asked, periodSeconds }, measured),
  };
  const never = measured.neverAnswered;
  const starts = measured.starts.length;
  return {
    after,
    reasons: [
      `budget: the ${starts === 1 ? 'only start' : `slowest of ${starts} starts`} was answered after ${slowest.toFixed(1)} s; ${periodSeconds} s × ${failureThreshold} leave it ${leaves(periodSeconds * failureThreshold, slowest)}`,
      ...(isLong && isKept
        ? [
            `kept, long as it is: ${counted(starts, 'start')} ${starts === 1 ? 'is' : 'are'} little to shorten it by`,
          ]
        : []),
      ...inBetween(measured),
      'a busy node is slower than the machine that was measured, and a long budget costs only when a start never ends',
      ...(before === undefined || before.initialDelaySeconds > 0
        ? ['no initial delay: the other probes wait for its first success, however soon that comes']
        : []),
      ...(before === undefined
        ? [`trade: up to ${periodSeconds} s later ready, as ${WAITS[role]}`]
        : []),
      // It is asked no more when it has started: what runs into a timeout then is nothing to it.
      ...timeoutReasons({ ...measured, timeouts: 0 }, after),
      ...(never === 0
        ? []
        : [
            `${counted(never, 'run')} ended before the first success: how long ${never === 1 ? 'it' : 'they'} would have taken is not known`,
          ]),
    ],
  };
}

/** A start is known to within the attempts around it; that is told where the budget hangs on it. */
function inBetween({ starts }: Measure): string[] {
  const { from, to, asked } = starts.reduce((most, start) => (start.to > most.to ? start : most));
  if (asked !== undefined) {
    return [
      `that is its first answer to another probe: it was first asked this after ${asked.toFixed(1)} s, and had started`,
    ];
  }
  if (START_MARGIN * to <= LEAST_START || to - from < to / 2) return [];
  return [
    from === 0
      ? `it was first asked after ${to.toFixed(1)} s, and had started: it may have long before; record it with initialDelaySeconds 0 to learn it`
      : `from ${from.toFixed(1)} s to ${to.toFixed(1)} s nobody asked: it may have started soon after the one; record it with a shorter period to learn it`,
  ];
}

function budgetOf({ periodSeconds, failureThreshold }: Probe): number {
  return periodSeconds * failureThreshold;
}

function leaves(budget: number, slowest: number): string {
  return `${budget} s, ${(budget / Math.max(slowest, 0.1)).toFixed(0)} times as long`;
}
