import type { Rule } from '../rule.js';
import { otherHost } from '../subject/hosts.js';
import { probesOf } from '../subject/members.js';

export const livenessOnDependency: Rule = {
  id: 'liveness-on-dependency',
  severity: 'warning',
  summary: 'the liveness probe asks another machine',
  reason:
    'When what it asks is down, every container that asks it is restarted, again and again, and a restart mends nothing. That is for the readiness probe, if for any.',
  sources: [
    'https://kubernetes.io/docs/concepts/workloads/pods/probes/',
    'https://srcco.de/posts/kubernetes-liveness-probes-are-dangerous.html',
    'https://www.vdnt.click/blog/k8s-liveness-probes',
  ],
  check: ({ members }) =>
    probesOf(members).flatMap(({ type, probe, path }) => {
      const host = type === 'liveness' ? otherHost(probe) : undefined;
      if (host === undefined) return [];
      return {
        path,
        message: `asks ${host}: when that is down, this container is restarted, which does not bring it back`,
        hint: 'let it ask the container itself, and tell of dependencies in the readiness probe',
      };
    }),
};
