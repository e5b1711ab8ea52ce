import { probeTimes } from '../../explain/probe-times.js';
import type { Rule } from '../rule.js';
import { rehearse } from '../subject/rehearse.js';

export const slowStartRestarts: Rule = {
  id: 'slow-start-restarts',
  severity: 'warning',
  summary: 'a start that takes a while is killed, each time',
  reason:
    'Without a startup probe the liveness probe begins at once. A start that is slower than it allows (a cold node, a migration, a full cache to read) is killed and begins anew: a crash loop that looks like a broken application. How slow a start may be is found by simulating the kubelet.',
  sources: [
    'https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/',
    'https://github.com/kubernetes/kubernetes/issues/27114',
  ],
  check: async (subject) => {
    const advice = [];
    for (const { container, path } of subject.members) {
      const { livenessProbe, startupProbe } = container;
      if (livenessProbe === undefined || startupProbe !== undefined) continue;
      if (probeTimes(livenessProbe).neverSucceeds.from >= SLOW) continue;
      const { kills } = await rehearse(subject, container, { upAfter: SLOW }, 4 * SLOW);
      const [first] = kills;
      if (first === undefined || kills.length < 2) continue;
      advice.push({
        path: `${path}.livenessProbe`,
        message: `a start of ${SLOW} s never ends: simulated, it is killed after ${first.toFixed(0)} s, ${kills.length} times within ${4 * SLOW} s`,
        hint: 'add a startup probe that leaves time for the slowest start',
      });
    }
    return advice;
  },
};

/** Seconds that a start may well take on a busy node. */
const SLOW = 20;
