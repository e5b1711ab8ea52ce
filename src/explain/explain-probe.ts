import type { Container, Pod, Probe } from '../api/index.js';
import { setTerminationGracePeriod } from '../kubelet/containers/container-to-kill.js';
import type { ProbeType } from '../kubelet/event.js';
import { type Moment, spanText } from './moment.js';
import { probeTimes, soonestAttempt, type Span, syncTimes } from './probe-times.js';
import { firstReadiness, startedTimes } from './start-times.js';

/** One thing that follows from a probe's settings. */
export interface Explanation {
  readonly topic: string;
  readonly text: string;
}

/** What a probe's settings mean in time, in sentences. */
export function explainProbe(
  pod: Pod,
  container: Container,
  type: ProbeType,
  probe: Probe,
): Explanation[] {
  return [
    { topic: 'what for', text: PURPOSE[type] },
    ...probeMoments(container, type, probe).map((moment) => ({
      topic: moment.topic,
      text: `${capitalised(spanText(moment))}. ${moment.why}`,
    })),
    ...(type === 'readiness' ? [] : [{ topic: 'then', text: kill(pod, container, type) }]),
    ...oddities(type, probe),
  ];
}

const PURPOSE: Readonly<Record<ProbeType, string>> = {
  startup:
    'Holds the other probes back until it has succeeded once; if it fails for good, the container is restarted.',
  readiness: 'Decides whether Services send traffic to the pod. It never restarts anything.',
  liveness: 'Has the container restarted when it fails for good.',
};

export function kill(pod: Pod, container: Container, type: 'startup' | 'liveness'): string {
  const reason = type === 'startup' ? 'StartupProbe' : 'LivenessProbe';
  const grace = setTerminationGracePeriod(pod, container, reason);
  const preStop = container.lifecycle?.preStop === undefined ? '' : 'preStop runs, then ';
  const policy = container.restartPolicy ?? pod.spec.restartPolicy;
  const after =
    policy === 'Never'
      ? 'It is not started again (restartPolicy Never).'
      : 'It is started again at once; only when runs get short, a back-off of 10 s, 20 s, 40 s up to 300 s comes in between.';
  return `${preStop}TERM, and KILL after ${grace} s (the grace period). ${after}`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function oddities(type: ProbeType, probe: Probe): Explanation[] {
  const { timeoutSeconds, periodSeconds, initialDelaySeconds } = probe;
  const found: Explanation[] = [];
  if (timeoutSeconds > periodSeconds) {
    found.push({
      topic: 'note',
      text: `The timeout is longer than the period: an attempt that hangs takes ${timeoutSeconds} s, and the ticks in between are dropped.`,
    });
  }
  if (initialDelaySeconds > 0 && type === 'liveness') {
    found.push({
      topic: 'note',
      text: 'A startup probe waits for a slow start better than an initial delay does: it ends as soon as the container answers.',
    });
  }
  return found;
}

/** When a probe does what. */
export function probeMoments(container: Container, type: ProbeType, probe: Probe): Moment[] {
  return [
    firstAttempt(container, type, probe),
    ...(type === 'startup' ? startupResults(probe) : results(type, probe)),
  ];
}

function firstAttempt(container: Container, type: ProbeType, probe: Probe): Moment {
  const { initialDelaySeconds: delay, periodSeconds: period } = probe;
  const gated = type !== 'startup' && container.startupProbe !== undefined;
  const own = fieldsOf(type, 'initialDelaySeconds', 'periodSeconds');
  const about = { topic: 'first attempt', since: 'its start' };
  const ticks = `at the first tick past the initial delay of ${delay} s, with a tick every ${period} s`;
  if (!gated && type !== 'readiness') {
    const why = `The kubelet attempts ${ticks}; ticks do not wait for the container.`;
    return { ...about, span: probeTimes(probe).firstAttempt, why, fields: own };
  }
  const started = gated ? startedTimes(container) : undefined;
  const gate = gated
    ? ' The startup probe has to succeed first. The delay counts from the start all the same.'
    : '';
  const fields = gated
    ? [...own, ...fieldsOf('startup', 'initialDelaySeconds', 'periodSeconds', 'timeoutSeconds')]
    : own;
  if (type === 'readiness') {
    const why = `A start that the kubelet hears of triggers an attempt; what comes before the initial delay of ${delay} s is left out, and then there is a tick every ${period} s.${gate}`;
    return { ...about, span: firstReadiness(probe, started), why, fields };
  }
  const { from, to } = started ?? { from: 0, to: 0 };
  const span = {
    from: Math.max(from, soonestAttempt(delay)),
    to: Math.max(to, delay) + period,
  };
  return { ...about, span, why: `It comes ${ticks}.${gate}`, fields };
}

function startupResults(probe: Probe): Moment[] {
  const { failureThreshold: failures } = probe;
  const safe = probeTimes(probe).neverSucceeds.from;
  return [
    {
      topic: 'budget',
      span: syncTimes(probeTimes(probe).neverSucceeds),
      since: 'its start',
      why: `A container that never answers is killed then, after ${inARow(failures, 'failure')}. One that answers within ${safe} s of its start never is: count on that number only.`,
      fields: fieldsOf(
        'startup',
        'initialDelaySeconds',
        'periodSeconds',
        'failureThreshold',
        'timeoutSeconds',
      ),
    },
  ];
}

function results(type: 'readiness' | 'liveness', probe: Probe): Moment[] {
  const times = probeTimes(probe);
  const acted = type === 'liveness' ? syncTimes : (span: Span): Span => span;
  const { failureThreshold, successThreshold, timeoutSeconds } = probe;
  const effect = type === 'readiness' ? 'it is not ready' : 'it is killed';
  const failing = fieldsOf(type, 'failureThreshold', 'periodSeconds');
  const isTCP = (probe.exec ?? probe.httpGet) === undefined && probe.tcpSocket !== undefined;
  return [
    {
      topic: 'failing',
      span: acted(times.failsFast),
      since: 'it begins to fail at once',
      why: `After ${inARow(failureThreshold, 'failure')} (refused, 503, exit code 1) ${effect}.`,
      fields: failing,
    },
    isTCP
      ? {
          topic: 'hanging',
          span: { from: Infinity, to: Infinity },
          since: 'it begins to hang',
          why: 'A TCP probe only connects, and the kernel does that for an app that hangs, too: it is not seen.',
          fields: [`${type}Probe.tcpSocket`],
        }
      : {
          topic: 'hanging',
          span: acted(times.hangs),
          since: 'it begins to hang',
          why: `Each attempt ends with the timeout of ${timeoutSeconds} s; after ${inARow(failureThreshold, 'failure')} ${effect}. An answer that takes longer than the timeout is the same.`,
          fields: [...failing, ...fieldsOf(type, 'timeoutSeconds')],
        },
    ...(type === 'readiness'
      ? [
          {
            topic: 'recovering',
            span: times.recovers,
            since: 'it answers at once again',
            why: `After ${inARow(successThreshold, 'success')} it is ready again. While it is not, each sync of the pod triggers an attempt besides.`,
            fields: fieldsOf(type, 'successThreshold', 'periodSeconds'),
          },
        ]
      : []),
  ];
}

function inARow(count: number, what: 'failure' | 'success'): string {
  if (count === 1) return `one ${what}`;
  return `${count} ${what === 'success' ? 'successes' : 'failures'} in a row`;
}

function fieldsOf(type: ProbeType, ...names: readonly (keyof Probe)[]): string[] {
  return names.map((name) => `${type}Probe.${name}`);
}
