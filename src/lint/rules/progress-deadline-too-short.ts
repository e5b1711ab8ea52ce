import { probeTimes } from '../../explain/probe-times.js';
import { memberOf } from '../../go/json-node.js';
import type { Rule } from '../rule.js';

export const progressDeadlineTooShort: Rule = {
  id: 'progress-deadline-too-short',
  severity: 'warning',
  summary: 'a rollout is given up before the containers are',
  reason:
    'The Deployment reports that it makes no progress while its containers are still within the time that their startup probe leaves them; what waits for the rollout gives up.',
  sources: [
    'https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#progress-deadline-seconds',
  ],
  check: ({ kind, object, members }) => {
    if (kind !== 'Deployment') return [];
    const written = memberOf(memberOf(object, 'spec'), 'progressDeadlineSeconds');
    const deadline = written?.kind === 'number' ? Number(written.literal) : DEFAULT;
    return members.flatMap(({ container, path }) => {
      if (container.startupProbe === undefined) return [];
      const budget = probeTimes(container.startupProbe).neverSucceeds.from;
      if (budget <= deadline) return [];
      return {
        path: `${path}.startupProbe`,
        message: `leaves ${budget} s to start, and the Deployment gives its rollout up after ${deadline} s (progressDeadlineSeconds)`,
        hint: 'make the deadline longer than the slowest start',
      };
    });
  },
};

/** Of progressDeadlineSeconds. */
const DEFAULT = 600;
