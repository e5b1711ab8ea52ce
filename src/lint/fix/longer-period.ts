import type { MemberProbe } from '../subject/members.js';
import { type Change, set } from './change.js';

/** A period of twice the timeout; a startup probe keeps about the time that it leaves to a start. */
export function longerPeriod({
  type,
  probe,
  path,
}: Pick<MemberProbe, 'type' | 'probe' | 'path'>): Change[] {
  const { timeoutSeconds, periodSeconds, failureThreshold } = probe;
  const longer = 2 * timeoutSeconds;
  const budget = failureThreshold * periodSeconds;
  return [
    set(`${path}.periodSeconds`, longer),
    ...(type === 'startup' ? [set(`${path}.failureThreshold`, Math.ceil(budget / longer))] : []),
  ];
}
