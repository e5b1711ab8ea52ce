import { remove } from '../../fix/change.js';
import type { Rule } from '../../rule.js';

export const probeGraceLongerThanPod: Rule = {
  id: 'probe-grace-longer-than-pod',
  severity: 'warning',
  summary: "a probe's grace period is longer than the pod's",
  reason:
    "The probe's own grace period is meant to be short: a hung container does not exit by itself, and it is restarted only after it is killed.",
  sources: [
    'https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/#probe-level-terminationgraceperiodseconds',
    'https://github.com/kubernetes/kubernetes/issues/64715',
  ],
  checkProbe: ({ probe, path }, { pod }) => {
    const own = probe.terminationGracePeriodSeconds;
    const grace = pod.spec.terminationGracePeriodSeconds ?? 30;
    if (own === undefined || own <= grace) return [];
    return {
      path: `${path}.terminationGracePeriodSeconds`,
      message: `a hung container gets ${own} s to shut down, a healthy one ${grace} s`,
      hint: "make it shorter than the pod's, or remove it",
      changes: [remove(`${path}.terminationGracePeriodSeconds`)],
    };
  },
};
