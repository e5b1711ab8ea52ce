import type { Rule } from '../../rule.js';

export const tcpSocketHook: Rule = {
  id: 'tcp-socket-hook',
  severity: 'error',
  summary: 'the kubelet does not run tcpSocket hooks',
  reason:
    'The API server accepts tcpSocket in a hook for backward compatibility, but the kubelet fails it. A failed postStart hook kills the container.',
  sources: ['https://kubernetes.io/docs/concepts/containers/container-lifecycle-hooks/'],
  checkContainer: ({ container, path }) =>
    (['postStart', 'preStop'] as const)
      .filter((hook) => container.lifecycle?.[hook]?.tcpSocket !== undefined)
      .map((hook) => ({
        path: `${path}.lifecycle.${hook}.tcpSocket`,
        message: 'the API server accepts it, but the kubelet fails it',
        hint: 'use exec, httpGet or sleep',
      })),
};
