import { portWarnings } from '../../../manifest/pods/port-warnings.js';
import { set } from '../../fix/change.js';
import { CONFIGURE_PROBES, type Rule } from '../../rule.js';

export const namedPortMissing: Rule = {
  id: 'named-port-missing',
  severity: 'error',
  safeFix: true,
  summary: 'a probe or hook names a port that its container does not have',
  reason:
    "The kubelet looks for the name among the container's own ports and fails every attempt. The API server accepts it.",
  sources: [
    CONFIGURE_PROBES,
    'https://github.com/kubernetes/kubernetes/issues/139283',
    'https://github.com/stackrox/kube-linter/issues/455',
  ],
  check: ({ pod }) =>
    portWarnings(pod.spec).map(({ field, near, ...said }) => ({
      path: field,
      ...said,
      ...(near !== undefined && { changes: [set(field, near)] }),
    })),
};
