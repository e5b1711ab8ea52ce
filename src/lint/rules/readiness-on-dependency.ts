import type { Rule } from '../rule.js';
import { otherHost } from '../subject/hosts.js';
import { probesOf } from '../subject/members.js';

export const readinessOnDependency: Rule = {
  id: 'readiness-on-dependency',
  severity: 'info',
  summary: 'every replica gets unready when one thing elsewhere fails',
  reason:
    'All replicas ask the same dependency, so all leave the Service at once when it fails, and all come back at once; requests that do not need it fail too. Better to answer with an error where it is needed.',
  sources: [
    'https://kubernetes.io/docs/concepts/workloads/pods/probes/',
    'https://www.trk7.com/blog/kubernetes-probes-are-not-your-dependency-strategy',
  ],
  check: ({ members, replicas }) =>
    replicas < 2
      ? []
      : probesOf(members).flatMap(({ type, probe, path }) => {
          const host = type === 'readiness' ? otherHost(probe) : undefined;
          if (host === undefined) return [];
          return {
            path,
            message: `asks ${host}, as all ${replicas} replicas do: they get unready together, and nothing is left behind the Service`,
            hint: 'let it ask the container itself',
          };
        }),
};
