import { remove } from '../fix/change.js';
import type { Rule } from '../rule.js';

export const initialDelayAfterStartupProbe: Rule = {
  id: 'initial-delay-after-startup-probe',
  severity: 'info',
  safeFix: true,
  summary: 'the liveness probe waits although a startup probe does',
  reason:
    "The liveness probe does not begin before the startup probe has succeeded. The initial delay counts from the container's start all the same (not from that success), so it adds nothing but a time in which a hang goes unseen.",
  sources: [
    'https://kubernetes.io/docs/concepts/workloads/pods/probes/',
    'https://github.com/kubernetes/website/issues/40072',
  ],
  check: ({ members }) =>
    members.flatMap(({ container, path }) => {
      const { livenessProbe, startupProbe } = container;
      const delay = livenessProbe?.initialDelaySeconds ?? 0;
      if (startupProbe === undefined || delay === 0) return [];
      return {
        path: `${path}.livenessProbe.initialDelaySeconds`,
        message: `the startup probe holds the liveness probe back already; the ${delay} s count from the container's start, not from its success`,
        hint: 'leave it out',
        changes: [remove(`${path}.livenessProbe.initialDelaySeconds`)],
      };
    }),
};
