import type { Fault } from '../../../src/diagnosis/fault.js';

/** Faults that claim nothing beyond what failed. */
const NONE: ReadonlySet<string> = new Set(['unknown', 'statusOnly', 'silentCrash']);

export type Judgment = 'right' | 'none' | 'wrong';

export function judge(
  expected: Readonly<Record<string, unknown>>,
  fault: Fault | undefined,
): Judgment {
  const found = fault as Readonly<Record<string, unknown>> | undefined;
  const isRight = Object.entries(expected).every(
    ([field, value]) => JSON.stringify(found?.[field]) === JSON.stringify(value),
  );
  if (isRight) return 'right';
  return NONE.has(fault?.kind ?? 'unknown') ? 'none' : 'wrong';
}

/** `right 3, none 1, wrong 0` */
export function countText(judgments: readonly Judgment[]): string {
  const count = (kind: Judgment): number => judgments.filter((each) => each === kind).length;
  return `right ${count('right')}, none ${count('none')}, wrong ${count('wrong')}`;
}
