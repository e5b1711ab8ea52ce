import type { Probe } from '../../api/index.js';
import { probeTimes } from '../../explain/probe-times.js';
import { set } from '../fix/change.js';
import type { Rule } from '../rule.js';
import { handlerKey } from '../subject/handlers.js';

export const livenessEqualsReadiness: Rule = {
  id: 'liveness-equals-readiness',
  severity: 'warning',
  summary: 'the liveness probe is the readiness probe again',
  reason:
    "What should only stop traffic then restarts the container: overload, or a dependency that is gone, becomes a crash loop. Kubernetes' own advice, where both ask the same endpoint, is a higher failureThreshold for liveness.",
  sources: [
    'https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/',
    'https://srcco.de/posts/kubernetes-liveness-probes-are-dangerous.html',
    'https://github.com/zegl/kube-score/issues/296',
  ],
  check: ({ members }) =>
    members.flatMap(({ container, path }) => {
      const { livenessProbe, readinessProbe } = container;
      if (livenessProbe === undefined || readinessProbe === undefined) return [];
      if (handlerKey(livenessProbe, container) !== handlerKey(readinessProbe, container)) return [];
      const [kills, unready] = [probeTimes(livenessProbe), probeTimes(readinessProbe)];
      if (kills.failsFast.to > unready.failsFast.to) return [];
      return {
        path: `${path}.livenessProbe`,
        message: `asks the same as the readiness probe and fails as soon (after ${kills.failsFast.to} s): what makes the pod unready restarts it`,
        hint: 'ask something that only a restart can mend, or give up much later',
        changes: [
          set(
            `${path}.livenessProbe.failureThreshold`,
            patience(livenessProbe, unready.failsFast.to),
          ),
        ],
      };
    }),
};

/** The failures in a row that take three times as long as the readiness probe's. */
function patience({ periodSeconds }: Probe, unreadyAfter: number): number {
  return Math.ceil((3 * unreadyAfter) / periodSeconds);
}
