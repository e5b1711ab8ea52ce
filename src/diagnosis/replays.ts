import type { ContainerView } from '../trace/summary/container-view.js';
import type { Change } from './change.js';

/** Settings whose effect a replay shows. Nobody knows how long an attempt that timed out would have taken, so timeoutSeconds is not among them. */
const SETTING = /(?:PeriodSeconds|DelaySeconds|periodSeconds|Threshold)$/;

interface UnprovenSetting {
  /** Path of the field in the container, such as `livenessProbe.timeoutSeconds`. */
  readonly field: string;
  readonly to: number;
}

/** Returns the changes of settings that are only guesses: a replay of the run shows whether they help. */
export function unprovenSettings(changes: readonly Change[]): readonly UnprovenSetting[] {
  return changes.flatMap((change) => {
    if (change.kind !== 'field' || change.proof.kind !== 'none') return [];
    const { field, to } = change;
    return typeof to === 'number' && SETTING.test(field) ? [{ field, to }] : [];
  });
}

/** Adds the proof of a replay to a change that helped in it, and leaves out one that did not. */
export function withReplays(
  { replays }: ContainerView,
  changes: readonly Change[],
): readonly Change[] {
  if (replays.length === 0) return changes;
  return changes.flatMap((change): readonly Change[] => {
    const [setting] = unprovenSettings([change]);
    const replay = replays.findLast(
      ({ field, to }) => field === setting?.field && to === setting.to,
    );
    if (change.kind !== 'field' || replay === undefined) return [change];
    const { result, length, before, after } = replay;
    if (result === 'failure') return [];
    return [{ ...change, proof: { kind: 'replayed', length, before, after } }];
  });
}
