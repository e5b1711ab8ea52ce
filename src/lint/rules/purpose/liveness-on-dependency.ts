import { PROBE_CONCEPTS, type Rule } from '../../rule.js';
import { otherHost } from '../../subject/handlers.js';

export const livenessOnDependency: Rule = {
  id: 'liveness-on-dependency',
  severity: 'warning',
  summary: 'the liveness probe checks another machine',
  reason:
    'When that machine is down, every container that checks it is restarted again and again, and restarts fix nothing. If any probe should check it, it is the readiness probe.',
  sources: [
    PROBE_CONCEPTS,
    'https://srcco.de/posts/kubernetes-liveness-probes-are-dangerous.html',
    'https://www.vdnt.click/blog/k8s-liveness-probes',
  ],
  checkProbe: ({ type, probe, path }) => {
    const host = type === 'liveness' ? otherHost(probe) : undefined;
    if (host === undefined) return [];
    return {
      path,
      message: `checks ${host}: when that is down, this container is restarted, which does not help`,
      hint: 'check the container itself, and dependencies in the readiness probe if at all',
    };
  },
};
