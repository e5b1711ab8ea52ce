import { beforeAll, describe, expect, it } from 'vitest';

import { suggestFor, type Suggestions } from '../../../src/commands/suggest/suggest-pods.js';
import { applyChanges } from '../../../src/suggest/suggest.js';
import {
  isBetter,
  isNear,
  meanOutcome,
  type Outcome,
  outcomeOf,
  patient,
  record,
  recordLiving,
  type Truth,
  truths,
} from './truths.js';

const COUNT = 100;
const SEEDS = [11, 12, 13, 14, 15, 16];

interface Judged {
  readonly isProposed: boolean;
  readonly before: Outcome;
  readonly after: Outcome;
  readonly forecast: Outcome;
  /** Nothing is proposed, although more patient settings would help. */
  readonly isMissing: boolean;
}

async function judge(truth: Truth, found: Suggestions): Promise<Judged> {
  const { pods, simulated } = found;
  const isProposed = pods.some(({ patch }) => patch !== undefined);
  const mean = (pod: Truth['pod']): Promise<Outcome> => meanOutcome(pod, truth.behavior, SEEDS);
  const before = await mean(truth.pod);
  const proposal = applyChanges(truth.pod, pods[0]?.suggestions ?? []);
  return {
    isProposed,
    before,
    after: isProposed ? await mean(proposal) : before,
    forecast: outcomeOf(simulated.after[0]),
    isMissing: !isProposed && isBetter(await mean(patient(truth.pod)), before),
  };
}

/** Whether the output asks for a recording of a process that lives on. */
function asksForMore({ pods }: Suggestions): boolean {
  const reasons = pods.flatMap(({ suggestions }) => suggestions.flatMap((one) => one.reasons));
  return (
    pods.some(({ unanswered }) => unanswered.length > 0) ||
    reasons.some((reason) => reason.includes('--restart simulated'))
  );
}

describe(`what suggest proposes for ${COUNT} known truths, applied and run with other seeds`, () => {
  const rows: Judged[] = [];
  beforeAll(async () => {
    for (const [index, truth] of truths(COUNT, 2026).entries()) {
      const found = await suggestFor(await record(truth, 1000 + index));
      const more = asksForMore(found)
        ? await suggestFor(await recordLiving(truth, 1000 + index))
        : found;
      rows.push(await judge(truth, more));
    }
    const count = (is: (row: Judged) => boolean): number => rows.filter(is).length;
    const near = (of: (outcome: Outcome) => number, slack = 0): number =>
      count(({ forecast, after }) => isNear(of(forecast), of(after), slack));
    // eslint-disable-next-line no-console -- The figures are the result of the study.
    console.log(
      [
        `better ${count(({ before, after }) => isBetter(after, before))}`,
        `worse ${count(({ before, after }) => isBetter(before, after))}`,
        `nothing proposed where a change helps ${count(({ isMissing }) => isMissing)}`,
        `forecast within 10 %: restarts ${near(({ restarts }) => restarts, 0.5)}`,
        `ready for ${near(({ readyFor }) => readyFor)}`,
        `ready after ${near(({ readyAfter }) => readyAfter, 1)}`,
      ].join(', '),
    );
  });

  it('is never worse', () => {
    expect(rows.filter(({ before, after }) => isBetter(before, after))).toEqual([]);
  });

  it('is better where more patient settings help', () => {
    expect(rows.filter(({ isMissing }) => isMissing)).toEqual([]);
    const better = rows.filter(({ before, after }) => isBetter(after, before));
    expect(better.length).toBeGreaterThan(0.75 * COUNT);
  });

  it('has the restarts and the ready time that were forecast', () => {
    const off = rows.filter(
      ({ forecast, after }) =>
        !isNear(forecast.restarts, after.restarts, 0.5) ||
        !isNear(forecast.readyFor, after.readyFor, 0),
    );
    expect(off.length).toBeLessThanOrEqual(0.03 * COUNT);
  });
});
