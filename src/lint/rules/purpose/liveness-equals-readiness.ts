import { probeTimes } from '../../../explain/probe-times.js';
import { set } from '../../fix/change.js';
import { CONFIGURE_PROBES, type Rule } from '../../rule.js';
import { handlerKey } from '../../subject/handlers.js';

export const livenessEqualsReadiness: Rule = {
  id: 'liveness-equals-readiness',
  severity: 'warning',
  summary: 'the liveness probe is the same as the readiness probe',
  reason:
    'What should only stop traffic then restarts the container: overload or a missing dependency becomes a crash loop. If both use the same endpoint, the Kubernetes documentation recommends a higher failureThreshold for liveness.',
  sources: [
    CONFIGURE_PROBES,
    'https://srcco.de/posts/kubernetes-liveness-probes-are-dangerous.html',
    'https://github.com/zegl/kube-score/issues/296',
  ],
  checkContainer: ({ container, path }) => {
    const { livenessProbe, readinessProbe } = container;
    if (livenessProbe === undefined || readinessProbe === undefined) return [];
    if (handlerKey(livenessProbe, container) !== handlerKey(readinessProbe, container)) return [];
    const [kills, unready] = [probeTimes(livenessProbe), probeTimes(readinessProbe)];
    if (kills.failsFast.to > unready.failsFast.to || kills.failsFast.to >= PATIENT) return [];
    return {
      path: `${path}.livenessProbe`,
      message: `checks the same as the readiness probe and fails just as soon (after ${kills.failsFast.to} s): whatever makes the pod unready also restarts it`,
      hint: 'check something that only a restart can fix, or allow many more failures',
      changes: [
        set(
          `${path}.livenessProbe.failureThreshold`,
          Math.ceil((3 * unready.failsFast.to) / livenessProbe.periodSeconds),
        ),
      ],
    };
  },
};

/** Seconds of failures that are not a passing overload. */
const PATIENT = 120;
