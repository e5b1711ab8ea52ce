import { remove } from '../../fix/change.js';
import type { Rule } from '../../rule.js';
import { isLoopback } from '../../subject/handlers.js';

export const probeHostLoopback: Rule = {
  id: 'probe-host-loopback',
  severity: 'warning',
  safeFix: true,
  summary: 'a probe connects to localhost, which is the node',
  reason:
    'The kubelet makes HTTP and TCP probes from the node, where localhost is the node, not the container. Without a host it connects to the pod.',
  sources: [
    'https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/#http-probes',
    'https://github.com/koki/short/issues/208',
  ],
  checkProbe: ({ probe, path }, { pod }) =>
    (['httpGet', 'tcpSocket'] as const).flatMap((field) => {
      const host = probe[field]?.host ?? '';
      // With the node's network it is the same machine.
      if (!isLoopback(host) || pod.spec.hostNetwork === true) return [];
      return {
        path: `${path}.${field}.host`,
        message: `the kubelet connects from the node, where ${host} is not the container`,
        hint: 'remove it: the kubelet then connects to the pod',
        changes: [remove(`${path}.${field}.host`)],
      };
    }),
};
