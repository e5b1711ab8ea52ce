import { longerPeriod } from '../../fix/change.js';
import { CONFIGURE_PROBES, type Rule } from '../../rule.js';

export const timeoutExceedsPeriod: Rule = {
  id: 'timeout-exceeds-period',
  severity: 'warning',
  summary: 'the timeout is longer than the period',
  reason:
    'The kubelet makes one attempt at a time and drops the ticks that it misses: while a container hangs, failures are a timeout apart instead of a period, and the restart comes later than the settings suggest.',
  sources: ['https://github.com/openshift/openshift-docs/pull/32219', CONFIGURE_PROBES],
  checkProbe: (member) => {
    const { probe, path } = member;
    const { timeoutSeconds, periodSeconds } = probe;
    if (timeoutSeconds <= periodSeconds) return [];
    return {
      path: `${path}.timeoutSeconds`,
      message: `a timeout of ${timeoutSeconds} s with a period of ${periodSeconds} s: while the container hangs, ticks are dropped and failures are a timeout apart`,
      hint: 'make the period longer than the timeout',
      changes: longerPeriod(member),
    };
  },
};
