import type { Container } from '../api/types/container.js';
import type { Pod } from '../api/types/pod.js';
import { MINIMUM_GRACE_PERIOD } from '../kubelet/sync/grace-period.js';
import { calculateEffectiveGracePeriod } from '../kubelet/sync/pod-sync-status.js';
import { isRestartableInitContainer } from '../kubelet/sync/restart-policy.js';
import type { Moment } from './moment.js';
import { stopTimes } from './stop-times.js';

/** All containers are stopped at once; sidecars wait for the others, within the same grace period. */
export function gone(pod: Pod): Moment {
  const grace = calculateEffectiveGracePeriod(0, pod, undefined);
  const sidecars = (pod.spec.initContainers ?? []).filter(isRestartableInitContainer);
  const main = pod.spec.containers.map((container) => stopTimes(container, grace));
  const all = [...main, ...sidecars.map((sidecar) => stopTimes(sidecar, grace))];
  const order = sidecars.length === 0 ? '' : ' Sidecars get TERM when the containers have ended.';
  return {
    topic: 'gone',
    span: {
      from: Math.max(...all.map(({ from }) => from)),
      to: lastEnd(sidecars, grace, Math.max(...main.map(({ to }) => to))),
    },
    since: 'the pod is deleted',
    why: `Every container gets ${grace} s from then: preStop, TERM, and KILL when they are over, but at least ${MINIMUM_GRACE_PERIOD} s after TERM.${order}`,
    fields: ['spec.terminationGracePeriodSeconds'],
  };
}

/** A sidecar waits after its own hook, of whose time only whole seconds count. */
function lastEnd(sidecars: readonly Container[], grace: number, mainEnd: number): number {
  return sidecars.reduceRight((end, { lifecycle }) => {
    const hook = lifecycle?.preStop;
    const longest = hook === undefined || hook.sleep !== undefined ? grace : grace + 1;
    return Math.max(end, Math.min(end, longest) + MINIMUM_GRACE_PERIOD);
  }, mainEnd);
}
