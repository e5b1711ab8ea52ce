import type { Rule } from '../../rule.js';
import { isJob } from '../../subject/subject.js';

export const probeOnJob: Rule = {
  id: 'probe-on-job',
  severity: 'warning',
  summary: 'a Job has a readiness or liveness probe',
  reason:
    'No Service sends traffic to a Job, and a failed liveness probe kills the work in progress. Use activeDeadlineSeconds to stop a Job that hangs.',
  sources: [
    'https://kubernetes.io/docs/concepts/workloads/controllers/job/#job-termination-and-cleanup',
    'https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/',
  ],
  checkProbe: ({ type, path, member }, subject) => {
    if (!isJob(subject) || member.isSidecar || type === 'startup') return [];
    if (type === 'liveness') {
      const hint = 'use activeDeadlineSeconds to stop a Job that hangs';
      return { path, message: 'kills the work in progress when it fails', hint };
    }
    if (subject.services.length > 0) return [];
    return { path, message: 'controls traffic, but a Job gets none', hint: 'remove it' };
  },
};
