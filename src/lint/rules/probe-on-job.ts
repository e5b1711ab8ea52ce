import type { Rule } from '../rule.js';
import { probesOf } from '../subject/members.js';
import { isBatch } from '../subject/subject.js';

export const probeOnJob: Rule = {
  id: 'probe-on-job',
  severity: 'warning',
  summary: 'a Job has a readiness or a liveness probe',
  reason:
    'No Service sends traffic to a Job, and a liveness probe that fails kills the work that is under way; activeDeadlineSeconds is there to end what hangs.',
  sources: [
    'https://kubernetes.io/docs/concepts/workloads/controllers/job/#job-termination-and-cleanup',
    'https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/',
  ],
  check: (subject) =>
    !isBatch(subject)
      ? []
      : probesOf(subject.members)
          .filter(({ member, type }) => !member.isSidecar && type !== 'startup')
          .filter(({ type }) => type === 'liveness' || subject.services.length === 0)
          .map(({ type, path }) => ({
            path,
            message:
              type === 'liveness'
                ? 'kills the work that is under way when it fails'
                : 'decides about traffic, and a Job gets none',
            hint:
              type === 'liveness' ? 'use activeDeadlineSeconds to end what hangs' : 'leave it out',
          })),
};
