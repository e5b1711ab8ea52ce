import { probeTimes } from '../../../explain/probe-times.js';
import { set } from '../../fix/change.js';
import type { Rule } from '../../rule.js';
import { probesOf } from '../../subject/members.js';
import { rehearse } from '../../subject/rehearse.js';

export const slowRecovery: Rule = {
  id: 'slow-recovery',
  severity: 'warning',
  summary: 'a hung container is down for minutes before it is restarted',
  reason:
    'The time to detect the hang and the grace period add up: a hung process does not react to TERM, so it is killed only when the grace period is over. kprobe simulates the kubelet to find out how long that takes.',
  sources: [
    'https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/#probe-level-terminationgraceperiodseconds',
    'https://github.com/kubernetes/kubernetes/issues/64715',
  ],
  check: async (subject) => {
    const advice = [];
    for (const { type, probe, path, member } of probesOf(subject.members)) {
      if (type !== 'liveness') continue;
      const grace =
        probe.terminationGracePeriodSeconds ?? subject.pod.spec.terminationGracePeriodSeconds ?? 30;
      const notice = probeTimes(probe).hangs.to;
      if (notice + grace < LONG || notice + grace > DAY) continue;
      const from = probe.initialDelaySeconds + 2 * probe.periodSeconds + 1;
      const behaviour = { hangsFrom: from, ignoresTerm: true };
      const { failureThreshold, periodSeconds, timeoutSeconds } = probe;
      const isRegular = timeoutSeconds <= periodSeconds && failureThreshold > ENOUGH;
      const rest = isRegular ? (failureThreshold - ENOUGH) * periodSeconds : 0;
      const container = {
        name: member.container.name,
        image: member.container.image,
        livenessProbe: { ...probe, ...(isRegular && { failureThreshold: ENOUGH }) },
      };
      const { kills, starts } = await rehearse(
        subject,
        container,
        behaviour,
        from + notice + grace + 60 - rest,
        'restarted',
      );
      const [killed, restarted] = [kills[0], starts[1]];
      if (killed === undefined || restarted === undefined) continue;
      if (restarted + rest - from < LONG) continue;
      const parts = `${(killed + rest - from).toFixed(0)} s to detect it, ${(restarted - killed).toFixed(0)} s of grace`;
      advice.push({
        path,
        message: `simulated: a hung container runs again after ${(restarted + rest - from).toFixed(0)} s: ${parts}`,
        hint: 'give the probe its own terminationGracePeriodSeconds, or make it fail sooner',
        ...(grace > 60 && { changes: [set(`${path}.terminationGracePeriodSeconds`, 30)] }),
      });
    }
    return advice;
  },
};

/** Failures to simulate; each further one takes a period more. */
const ENOUGH = 3;
/** Seconds. */
const LONG = 300;
const DAY = 86_400;
