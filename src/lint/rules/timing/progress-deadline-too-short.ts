import { probeTimes } from '../../../explain/probe-times.js';
import { memberOf } from '../../../go/json-node.js';
import type { Rule } from '../../rule.js';

export const progressDeadlineTooShort: Rule = {
  id: 'progress-deadline-too-short',
  severity: 'warning',
  summary: 'the rollout times out before its containers do',
  reason:
    'The Deployment reports that it makes no progress while its startup probes still allow its containers to start, and tools that wait for the rollout give up.',
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
        message: `allows ${budget} s to start, but the Deployment gives up its rollout after ${deadline} s (progressDeadlineSeconds)`,
        hint: 'make the deadline longer than the slowest start',
      };
    });
  },
};

/** Of progressDeadlineSeconds. */
const DEFAULT = 600;
