import type { Rule } from '../../rule.js';

export const sidecarWithoutStartupProbe: Rule = {
  id: 'sidecar-without-startup-probe',
  severity: 'info',
  summary: 'containers do not wait until the sidecar is up',
  reason:
    'The kubelet starts the next container once the sidecar has started; without a startup probe that is as soon as its process runs. A readiness probe does not delay the others.',
  sources: ['https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/'],
  checkContainer: ({ isSidecar, container, path }) => {
    if (!isSidecar || container.startupProbe !== undefined) return [];
    if (container.readinessProbe === undefined && (container.ports ?? []).length === 0) return [];
    return {
      path,
      message: `the containers after sidecar "${container.name}" start as soon as its process runs, not when it serves`,
      hint: 'a startup probe makes them wait',
    };
  },
};
