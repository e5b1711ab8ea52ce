import { longerPeriod } from '../../fix/change.js';
import { CONFIGURE_PROBES, type Rule } from '../../rule.js';

export const timeoutEqualsPeriod: Rule = {
  id: 'timeout-equals-period',
  severity: 'info',
  summary: 'the timeout is as long as the period',
  reason:
    'While a container hangs, attempts follow each other without a pause, so an overloaded server is probed all the time.',
  sources: [CONFIGURE_PROBES],
  checkProbe: (member) => {
    const { probe, path } = member;
    const { timeoutSeconds, periodSeconds } = probe;
    // Of a period of one second nothing shorter is left.
    if (timeoutSeconds !== periodSeconds || timeoutSeconds === 1) return [];
    return {
      path: `${path}.timeoutSeconds`,
      message: `as long as the period, ${periodSeconds} s: while the container hangs, attempts follow each other without a pause`,
      hint: 'make the period longer than the timeout',
      changes: longerPeriod(member),
    };
  },
};
