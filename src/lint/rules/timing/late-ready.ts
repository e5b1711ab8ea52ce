import { probeTimes } from '../../../explain/probe-times.js';
import { PROBE_CONCEPTS, type Rule } from '../../rule.js';
import { rehearse } from '../../subject/rehearse.js';
import { isBatch } from '../../subject/subject.js';

export const lateReady: Rule = {
  id: 'late-ready',
  severity: 'info',
  summary: 'a container that is up immediately gets traffic late',
  reason:
    'Initial delays and long periods keep traffic from a container that could serve, which slows down every rollout and scale-up. kprobe simulates the kubelet with a container that answers from the start to find out how late it is.',
  sources: [
    PROBE_CONCEPTS,
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
      const { readyAt } = await rehearse(
        subject,
        container,
        {},
        Math.min(latest + probeTimes(readinessProbe).recovers.to + MARGIN, HOUR),
        'ready',
      );
      if (readyAt === undefined || readyAt < LATE) continue;
      advice.push({
        path: `${path}.readinessProbe`,
        message: `simulated: a container that answers immediately is ready ${readyAt.toFixed(0)} s after its start`,
        hint: 'use a short period without an initial delay; a startup probe covers slow starts',
      });
    }
    return advice;
  },
};

/** Seconds. */
const LATE = 30;
const HOUR = 3600;
const MARGIN = 10;
