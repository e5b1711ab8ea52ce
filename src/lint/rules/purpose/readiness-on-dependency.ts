import { PROBE_CONCEPTS, type Rule } from '../../rule.js';
import { otherHost } from '../../subject/handlers.js';

export const readinessOnDependency: Rule = {
  id: 'readiness-on-dependency',
  severity: 'info',
  summary: 'every replica becomes unready when one dependency fails',
  reason:
    'All replicas check the same dependency, so all leave the Service at once when it fails, and requests that do not need it fail too. It is better to return an error only for requests that need it.',
  sources: [
    PROBE_CONCEPTS,
    'https://www.trk7.com/blog/kubernetes-probes-are-not-your-dependency-strategy',
  ],
  checkProbe: ({ type, probe, path }, { replicas }) => {
    const host = type === 'readiness' && replicas >= 2 ? otherHost(probe) : undefined;
    if (host === undefined) return [];
    return {
      path,
      message: `checks ${host}, as all ${replicas} replicas do: they become unready together, and the Service has no endpoints left`,
      hint: 'check the container itself',
    };
  },
};
