import { probeTimes } from '../../../explain/probe-times.js';
import { CONFIGURE_PROBES, type Rule } from '../../rule.js';
import { handlerKey } from '../../subject/handlers.js';

export const livenessFasterThanReadiness: Rule = {
  id: 'liveness-faster-than-readiness',
  severity: 'info',
  summary: 'the container is restarted before it is taken out of traffic',
  reason:
    'A container that fails both probes should first lose its traffic and only then, if that does not help, be restarted: a restart under load loses requests in flight.',
  sources: [CONFIGURE_PROBES],
  checkContainer: ({ container, path }) => {
    const { livenessProbe, readinessProbe } = container;
    if (livenessProbe === undefined || readinessProbe === undefined) return [];
    if (handlerKey(livenessProbe, container) === handlerKey(readinessProbe, container)) return [];
    const kills = probeTimes(livenessProbe).failsFast.to;
    const unready = probeTimes(readinessProbe).failsFast.to;
    if (kills >= unready) return [];
    return {
      path: `${path}.livenessProbe`,
      message: `fails after at most ${kills} s, the readiness probe after up to ${unready} s: the container is restarted while it still receives traffic`,
      hint: 'give the liveness probe a higher failureThreshold than the readiness probe',
    };
  },
};
