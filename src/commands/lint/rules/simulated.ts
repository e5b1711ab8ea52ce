import type { Container, Probe } from '../../../api/index.js';
import { probeTimes } from '../../../schedule/probe-times.js';
import { set } from '../fix/change.js';
import { CONFIGURE_PROBES, kubernetesIssue, PROBE_CONCEPTS, type Rule } from '../rule.js';
import { onlyFindsProcess } from '../subject/commands.js';
import { simulateAlone } from '../subject/simulate-alone.js';
import { isBatch, type Subject } from '../subject/subject.js';

export const lateReady: Rule = {
  id: 'late-ready',
  severity: 'info',
  summary: 'a container that is up immediately gets traffic late',
  reason:
    'Initial delays and long periods keep traffic from a container that could serve, which slows down every rollout and scale-up. kprobe simulates the kubelet with a container that answers from the start to find out how late it is.',
  sources: [PROBE_CONCEPTS, kubernetesIssue(95436), kubernetesIssue(62036)],
  checkContainer: async ({ container, path }, subject) => {
    const { readinessProbe, startupProbe } = container;
    if (readinessProbe === undefined || isBatch(subject)) return [];
    const { firstAttempt, recovers } = probeTimes(readinessProbe);
    const latest = firstAttempt.to + (startupProbe ? probeTimes(startupProbe).firstAttempt.to : 0);
    if (latest < LATE) return [];
    const limit = Math.min(latest + recovers.to + LATE_MARGIN, HOUR);
    const { readyAt = 0 } = await simulateAlone(subject, container, {}, limit, 'ready');
    if (readyAt < LATE) return [];
    return {
      path: `${path}.readinessProbe`,
      message: `simulated: a container that answers immediately is ready ${readyAt.toFixed(0)} s after its start`,
      hint: 'use a short period without an initial delay; a startup probe covers slow starts',
    };
  },
};

/** Seconds. */
const LATE = 30;
const HOUR = 3600;
const LATE_MARGIN = 10;

export const slowRecovery: Rule = {
  id: 'slow-recovery',
  severity: 'warning',
  summary: 'a hung container is down for minutes before it is restarted',
  reason:
    'The time to detect the hang and the grace period add up: a hung process does not react to TERM, so it is killed only when the grace period is over. kprobe simulates the kubelet to find out how long that takes.',
  sources: [
    `${CONFIGURE_PROBES}#probe-level-terminationgraceperiodseconds`,
    kubernetesIssue(64715),
  ],
  checkProbe: async ({ type, probe, path, member }, subject) => {
    const { failureThreshold, periodSeconds, timeoutSeconds } = probe;
    const grace =
      probe.terminationGracePeriodSeconds ?? subject.pod.spec.terminationGracePeriodSeconds ?? 30;
    const notice = probeTimes(probe).hangs.to;
    if (type !== 'liveness' || notice + grace < LONG_OUTAGE || notice + grace > DAY) return [];
    const short = withShortDelay(probe);
    const from = short.initialDelaySeconds + 2 * periodSeconds + 1;
    const isRegular = timeoutSeconds <= periodSeconds && failureThreshold > SIMULATED_FAILURES;
    const rest = isRegular ? (failureThreshold - SIMULATED_FAILURES) * periodSeconds : 0;
    const { name, image } = member.container;
    const livenessProbe = { ...short, ...(isRegular && { failureThreshold: SIMULATED_FAILURES }) };
    const { kills, starts } = await simulateAlone(
      subject,
      { name, image, livenessProbe },
      { hangsFrom: from, ignoresTerm: true },
      from + notice + grace + 60 - rest,
      'restarted',
    );
    const [killed, restarted] = [kills[0], starts[1]];
    if (killed === undefined || restarted === undefined) return [];
    const outage = restarted + rest - from;
    if (outage < LONG_OUTAGE) return [];
    const parts = `${(killed + rest - from).toFixed(0)} s to detect it, ${(restarted - killed).toFixed(0)} s of grace`;
    return {
      path,
      message: `simulated: a hung container runs again after ${outage.toFixed(0)} s: ${parts}`,
      hint: 'give the probe its own terminationGracePeriodSeconds, or make it fail sooner',
      ...(grace > 60 &&
        notice + SHORT_GRACE < LONG_OUTAGE && {
          changes: [set(`${path}.terminationGracePeriodSeconds`, SHORT_GRACE)],
        }),
    };
  },
};

/** Takes whole periods, which may be days, off a delay: they move the attempts, and keep their phase. */
function withShortDelay(probe: Probe): Probe {
  return { ...probe, initialDelaySeconds: probe.initialDelaySeconds % probe.periodSeconds };
}

/** Failures to simulate; each further one takes a period more. */
const SIMULATED_FAILURES = 3;
/** Seconds. */
const LONG_OUTAGE = 300;
const SHORT_GRACE = 30;
const DAY = 86_400;

export const slowStartRestarts: Rule = {
  id: 'slow-start-restarts',
  severity: 'warning',
  summary: 'every slow start is killed',
  reason:
    'Without a startup probe the liveness probe runs from the start. A start that is slower than it allows (a cold node, a migration, a large cache to load) is killed and begins again: a crash loop that looks like a broken application. kprobe simulates the kubelet to find out how slow a start may be.',
  sources: [CONFIGURE_PROBES, kubernetesIssue(27114)],
  checkContainer: async ({ container, path }, subject) => {
    const { livenessProbe, startupProbe, image } = container;
    if (livenessProbe === undefined || startupProbe !== undefined || FAST_IMAGES.test(image))
      return [];
    if (onlyFindsProcess(livenessProbe)) return [];
    const { from, to } = probeTimes(livenessProbe).neverSucceeds;
    if (from >= SLOW_START || to > MAX_SLOW_START) return [];
    // The probe's phase moves the kill: this start is too slow for the latest one.
    const start = Math.max(SLOW_START, Math.ceil(to));
    const { kills } = await simulateAlone(subject, container, { upAfter: start }, 4 * start);
    const [first, second] = kills;
    if (first === undefined || second === undefined) return [];
    return {
      path: `${path}.livenessProbe`,
      message: `simulated: a ${start} s start never finishes; it is killed after ${first.toFixed(0)} s, ${kills.length} times within ${4 * start} s`,
      hint: 'add a startup probe that allows for the slowest start',
    };
  },
};

/** Images of servers that listen within a second on any node. */
const FAST_IMAGES =
  /(?:^|\/)(?:redis|valkey|memcached|haproxy|nginx|httpd|envoy|traefik|caddy|busybox|agnhost)(?:[:@]|$)/;
/** Seconds that a start may well take on a busy node: always, and at most. */
const SLOW_START = 20;
const MAX_SLOW_START = 30;

export const stallRestarts: Rule = {
  id: 'stall-restarts',
  severity: 'warning',
  summary: 'a short stall restarts the container',
  reason:
    'A garbage collection pause, a busy node or a slow disk stops a process for seconds. If that is enough to kill it, load leads to restarts, and restarts to more load. kprobe simulates the kubelet to find the shortest stall that is enough.',
  sources: [
    CONFIGURE_PROBES,
    'https://www.vdnt.click/blog/k8s-liveness-probes',
    kubernetesIssue(89898),
  ],
  checkProbe: async ({ type, probe, path, member }, subject) => {
    // Another rule reports that one failure is enough.
    if (type !== 'liveness' || probe.failureThreshold === 1) return [];
    const soonest = Math.floor(probeTimes(probe).hangs.from + probe.timeoutSeconds) + 1;
    const stall = await shortestStall(subject, member.container, probe, soonest);
    if (stall === undefined) return [];
    const { seconds, killedAfter } = stall;
    return {
      path,
      message: `simulated: a stall of ${seconds} s restarts the container; the kill comes ${killedAfter.toFixed(1)} s into it`,
      hint: `require more failures in a row or a longer period: failureThreshold × periodSeconds of ${3 * SHORT} s or more`,
      changes: [set(`${path}.failureThreshold`, Math.ceil((3 * SHORT) / probe.periodSeconds))],
    };
  },
};

/** Seconds for which every process may stall now and then. */
const SHORT = 10;

/** Seconds: longer than an answer takes in a simulation. */
const JUST_BEFORE = 0.01;

/** The shortest stall, in whole seconds, that ends in a kill; it begins just before an attempt, and the last one has to time out. */
async function shortestStall(
  subject: Subject,
  { name, image }: Container,
  probe: Probe,
  soonest: number,
): Promise<{ readonly seconds: number; readonly killedAfter: number } | undefined> {
  if (soonest >= SHORT) return undefined;
  const livenessProbe = withShortDelay(probe);
  const { initialDelaySeconds, periodSeconds: period } = livenessProbe;
  const container = { name, image, livenessProbe };
  const settled = initialDelaySeconds + 3 * period;
  const { attempts } = await simulateAlone(subject, container, {}, settled + 2 * period);
  const next = attempts.find(({ at }) => at > settled);
  if (next === undefined) return undefined;
  const from = next.at - JUST_BEFORE;
  for (let seconds = soonest; seconds < SHORT; seconds++) {
    const behavior = { hangsFrom: from, hangsUntil: from + seconds };
    const { kills } = await simulateAlone(subject, container, behavior, from + 3 * SHORT);
    if (kills[0] !== undefined) return { seconds, killedAfter: kills[0] - from };
  }
  return undefined;
}
