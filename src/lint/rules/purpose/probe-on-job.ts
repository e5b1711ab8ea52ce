import type { Rule } from '../../rule.js';
import { probesOf } from '../../subject/members.js';
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
  check: (subject) =>
    !isJob(subject)
      ? []
      : probesOf(subject.members)
          .filter(({ member, type }) => !member.isSidecar && type !== 'startup')
          .filter(({ type }) => type === 'liveness' || subject.services.length === 0)
          .map(({ type, path }) => ({
            path,
            message:
              type === 'liveness'
                ? 'kills the work in progress when it fails'
                : 'controls traffic, but a Job gets none',
            hint:
              type === 'liveness'
                ? 'use activeDeadlineSeconds to stop a Job that hangs'
                : 'remove it',
          })),
};
