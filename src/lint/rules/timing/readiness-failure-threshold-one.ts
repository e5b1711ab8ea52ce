import { set } from '../../fix/change.js';
import { CONFIGURE_PROBES, type Rule } from '../../rule.js';

export const readinessFailureThresholdOne: Rule = {
  id: 'readiness-failure-threshold-one',
  severity: 'info',
  summary: 'one slow answer takes the pod out of the Service',
  reason:
    'With a short timeout, a single late answer makes the pod unready until the next attempt. Under load this happens to all replicas, and none is left.',
  sources: [CONFIGURE_PROBES, 'https://github.com/datacommonsorg/website/pull/6624'],
  checkProbe: ({ type, probe, path }) =>
    type !== 'readiness' || probe.failureThreshold !== 1 || probe.timeoutSeconds > 2
      ? []
      : {
          path: `${path}.failureThreshold`,
          message: `one answer that takes more than ${probe.timeoutSeconds} s makes the pod unready for ${probe.periodSeconds} s or more`,
          hint: 'require two or three failures in a row, or a longer timeout',
          changes: [set(`${path}.failureThreshold`, 3)],
        },
};
