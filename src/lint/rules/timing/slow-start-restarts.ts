import { probeTimes } from '../../../explain/probe-times.js';
import { CONFIGURE_PROBES, type Rule } from '../../rule.js';
import { rehearse } from '../../subject/rehearse.js';

export const slowStartRestarts: Rule = {
  id: 'slow-start-restarts',
  severity: 'warning',
  summary: 'every slow start is killed',
  reason:
    'Without a startup probe the liveness probe runs from the start. A start that is slower than it allows (a cold node, a migration, a large cache to load) is killed and begins again: a crash loop that looks like a broken application. kprobe simulates the kubelet to find out how slow a start may be.',
  sources: [CONFIGURE_PROBES, 'https://github.com/kubernetes/kubernetes/issues/27114'],
  check: async (subject) => {
    const advice = [];
    for (const { container, path } of subject.members) {
      const { livenessProbe, startupProbe } = container;
      if (livenessProbe === undefined || startupProbe !== undefined) continue;
      if (FAST.test(container.image)) continue;
      if (probeTimes(livenessProbe).neverSucceeds.from >= SLOW) continue;
      const { kills } = await rehearse(subject, container, { upAfter: SLOW }, 4 * SLOW);
      const [first] = kills;
      if (first === undefined || kills.length < 2) continue;
      advice.push({
        path: `${path}.livenessProbe`,
        message: `simulated: a ${SLOW} s start never finishes; it is killed after ${first.toFixed(0)} s, ${kills.length} times within ${4 * SLOW} s`,
        hint: 'add a startup probe that allows for the slowest start',
      });
    }
    return advice;
  },
};

/** Images of servers that listen within a second on any node. */
const FAST =
  /(?:^|\/)(?:redis|valkey|memcached|haproxy|nginx|httpd|envoy|traefik|caddy|busybox|agnhost)(?:[:@]|$)/;
/** Seconds that a start may well take on a busy node. */
const SLOW = 20;
