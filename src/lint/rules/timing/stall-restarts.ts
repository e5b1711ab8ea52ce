import type { Container } from '../../../api/index.js';
import { probeTimes } from '../../../explain/probe-times.js';
import { set } from '../../fix/change.js';
import { CONFIGURE_PROBES, type Rule } from '../../rule.js';
import { probesOf } from '../../subject/members.js';
import { rehearse } from '../../subject/rehearse.js';
import type { Subject } from '../../subject/subject.js';

export const stallRestarts: Rule = {
  id: 'stall-restarts',
  severity: 'warning',
  summary: 'a short stall restarts the container',
  reason:
    'A garbage collection pause, a busy node or a slow disk stops a process for seconds. If that is enough to kill it, load leads to restarts, and restarts to more load. kprobe simulates the kubelet to find the shortest stall that is enough.',
  sources: [
    CONFIGURE_PROBES,
    'https://www.vdnt.click/blog/k8s-liveness-probes',
    'https://github.com/kubernetes/kubernetes/issues/89898',
  ],
  check: async (subject) => {
    const advice = [];
    for (const { type, probe, path, member } of probesOf(subject.members)) {
      // What one failure does is another rule's.
      if (type !== 'liveness' || probe.failureThreshold === 1) continue;
      const soonest = Math.floor(probeTimes(probe).hangs.from + probe.timeoutSeconds) + 1;
      if (soonest >= SHORT) continue;
      const stall = await shortestStall(subject, member.container, soonest);
      if (stall === undefined) continue;
      const { seconds, killedAfter } = stall;
      advice.push({
        path,
        message: `simulated: a stall of ${seconds} s restarts the container; the kill comes ${killedAfter.toFixed(1)} s into it`,
        hint: `require more failures in a row or a longer period: failureThreshold × periodSeconds of ${3 * SHORT} s or more`,
        changes: [set(`${path}.failureThreshold`, Math.ceil((3 * SHORT) / probe.periodSeconds))],
      });
    }
    return advice;
  },
};

/** Seconds that every process may stand still for now and then. */
const SHORT = 10;

/** Seconds: longer than an answer takes in a rehearsal. */
const JUST_BEFORE = 0.01;

/** The shortest stall, in whole seconds, that ends in a kill; it begins just before an attempt, and the last one has to time out. */
async function shortestStall(
  subject: Subject,
  container: Container,
  soonest: number,
): Promise<{ readonly seconds: number; readonly killedAfter: number } | undefined> {
  const { livenessProbe } = container;
  const period = livenessProbe?.periodSeconds ?? 1;
  const settled = (livenessProbe?.initialDelaySeconds ?? 0) + 3 * period;
  const { attempts } = await rehearse(subject, container, {}, settled + 2 * period);
  const next = attempts.find(({ probe, at }) => probe === 'liveness' && at > settled);
  if (next === undefined) return undefined;
  const from = next.at - JUST_BEFORE;
  for (let seconds = soonest; seconds < SHORT; seconds++) {
    const behaviour = { hangsFrom: from, hangsUntil: from + seconds };
    const { kills } = await rehearse(subject, container, behaviour, from + 3 * SHORT);
    if (kills[0] !== undefined) return { seconds, killedAfter: kills[0] - from };
  }
  return undefined;
}
