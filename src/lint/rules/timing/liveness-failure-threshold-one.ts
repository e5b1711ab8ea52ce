import { set } from '../../fix/change.js';
import { CONFIGURE_PROBES, type Rule } from '../../rule.js';

export const livenessFailureThresholdOne: Rule = {
  id: 'liveness-failure-threshold-one',
  severity: 'warning',
  summary: 'one failed attempt restarts the container',
  reason:
    'A single lost packet, a garbage collection pause or a busy node is enough. That is why the default is 3.',
  sources: [CONFIGURE_PROBES, 'https://github.com/datacommonsorg/website/pull/6624'],
  checkProbe: ({ type, probe, path }) =>
    type !== 'liveness' || probe.failureThreshold !== 1
      ? []
      : {
          path: `${path}.failureThreshold`,
          message: 'one failed attempt restarts the container',
          hint: 'require several in a row; the default is 3',
          changes: [set(`${path}.failureThreshold`, 3)],
        },
};
