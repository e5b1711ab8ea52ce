import { probeTimes } from '../../explain/probe-times.js';
import type { Rule } from '../rule.js';
import { rehearse } from '../subject/rehearse.js';
import { isBatch } from '../subject/subject.js';

export const lateReady: Rule = {
  id: 'late-ready',
  severity: 'info',
  summary: 'a container that is up at once gets traffic late',
  reason:
    'Initial delays and long periods hold a container back that could serve: every rollout and every scale-up takes as much longer. How late is found by simulating the kubelet with a container that answers from its first moment.',
  sources: [
    'https://kubernetes.io/docs/concepts/workloads/pods/probes/',
    'https://github.com/kubernetes/kubernetes/issues/95436',
    'https://github.com/kubernetes/kubernetes/issues/62036',
  ],
  check: async (subject) => {
    if (isBatch(subject)) return [];
    const advice = [];
    for (const { container, path } of subject.members) {
      const { readinessProbe, startupProbe } = container;
      if (readinessProbe === undefined) continue;
      const latest =
        probeTimes(readinessProbe).firstAttempt.to +
        (startupProbe ? probeTimes(startupProbe).firstAttempt.to : 0);
      if (latest < LATE) continue;
      const { readyAt } = await rehearse(subject, container, {}, Math.min(4 * latest, HOUR));
      if (readyAt === undefined || readyAt < LATE) continue;
      advice.push({
        path: `${path}.readinessProbe`,
        message: `a container that answers at once is ready ${readyAt.toFixed(0)} s after its start, simulated`,
        hint: 'a short period without an initial delay finds out sooner; a startup probe covers slow starts',
      });
    }
    return advice;
  },
};

/** Seconds. */
const LATE = 30;
const HOUR = 3600;
