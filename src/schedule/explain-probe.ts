import type { Container, Pod, Probe } from '../api/index.js';
import type { ReleaseBehavior } from '../kubelet/release.js';
import type { ProbeType } from '../trace/event.js';
import {
  isTCP,
  type Moment,
  NEVER,
  probeFields,
  probeTimes,
  soonestAttempt,
  type Span,
  spanText,
  syncTimes,
} from './probe-times.js';
import { backOffText } from './restarts.js';
import { BUDGET_FIELDS, firstReadiness, START_FIELDS, startedTimes } from './start-times.js';
import { graceAfter } from './stop-times.js';

export interface Explanation {
  readonly topic: string;
  readonly text: string;
}

export function explainProbe(
  pod: Pod,
  container: Container,
  type: ProbeType,
  probe: Probe,
  behavior?: ReleaseBehavior,
): Explanation[] {
  return [
    { topic: 'purpose', text: PURPOSE[type] },
    ...probeMoments(container, type, probe).map((moment) => {
      const text = spanText(moment);
      const sentence = text.charAt(0).toUpperCase() + text.slice(1);
      return { topic: moment.topic, text: `${sentence}. ${moment.reason}` };
    }),
    ...(type === 'readiness'
      ? []
      : [{ topic: 'then', text: kill(pod, container, type, behavior) }]),
    ...surprises(type, probe),
  ];
}

const PURPOSE: Readonly<Record<ProbeType, string>> = {
  startup:
    'Holds back the other probes until its first success; when it reaches its failureThreshold, the container is restarted.',
  readiness: 'Decides whether Services send traffic to the pod. It never restarts anything.',
  liveness: 'Restarts the container when it reaches its failureThreshold.',
};

function kill(
  pod: Pod,
  container: Container,
  type: 'startup' | 'liveness',
  behavior?: ReleaseBehavior,
): string {
  const grace = graceAfter(pod, container, type);
  const preStop = container.lifecycle?.preStop === undefined ? '' : 'preStop runs, then ';
  const policy = container.restartPolicy ?? pod.spec.restartPolicy;
  const after =
    policy === 'Never'
      ? 'It is not restarted (restartPolicy Never).'
      : `It is restarted at once; only when runs get short, ${backOffText(behavior)} comes first.`;
  return `${preStop}TERM, and KILL after ${grace} s (the grace period). ${after}`;
}

function surprises(type: ProbeType, probe: Probe): Explanation[] {
  const { timeoutSeconds, periodSeconds, initialDelaySeconds } = probe;
  return [
    timeoutSeconds > periodSeconds &&
      `The timeout is longer than the period: a hanging attempt takes ${timeoutSeconds} s, and the ticks in between are dropped.`,
    initialDelaySeconds > 0 &&
      type === 'liveness' &&
      'A startup probe handles a slow start better than an initial delay: it ends as soon as the container answers.',
  ].flatMap((text) => (text === false ? [] : { topic: 'note', text }));
}

export function probeMoments(container: Container, type: ProbeType, probe: Probe): Moment[] {
  return [
    firstAttempt(container, type, probe),
    ...(type === 'startup' ? [budgetMoment(probe)] : results(type, probe)),
  ];
}

function firstAttempt(container: Container, type: ProbeType, probe: Probe): Moment {
  const { initialDelaySeconds: delay, periodSeconds: period } = probe;
  const gated = type !== 'startup' && container.startupProbe !== undefined;
  const delayFields = probeFields(type, 'initialDelaySeconds', 'periodSeconds');
  const common = { topic: 'first attempt', since: 'its start' };
  const ticks = `at the first tick past the initial delay of ${delay} s, with a tick every ${period} s`;
  if (!gated && type !== 'readiness') {
    const reason = `The first attempt comes ${ticks}; ticks do not wait for the container.`;
    return { ...common, span: probeTimes(probe).firstAttempt, reason, fields: delayFields };
  }
  const started = gated ? startedTimes(container) : undefined;
  const gate = gated
    ? ' The startup probe has to succeed first. The delay still counts from the start.'
    : '';
  const fields = gated ? [...delayFields, ...probeFields('startup', ...START_FIELDS)] : delayFields;
  if (type === 'readiness') {
    const reason = `The kubelet triggers an attempt when it sees the start; it skips attempts before the initial delay of ${delay} s, and then there is a tick every ${period} s.${gate}`;
    return { ...common, span: firstReadiness(probe, started), reason, fields };
  }
  const { from, to } = started ?? { from: 0, to: 0 };
  const span = {
    from: Math.max(from, soonestAttempt(delay)),
    to: Math.max(to, delay) + period,
  };
  return { ...common, span, reason: `The first attempt comes ${ticks}.${gate}`, fields };
}

function budgetMoment(probe: Probe): Moment {
  const { neverSucceeds } = probeTimes(probe);
  const failures = inARow(probe.failureThreshold, 'failure');
  return {
    topic: 'budget',
    span: syncTimes(neverSucceeds),
    since: 'its start',
    reason: `A container that never answers is killed then, after ${failures}. One that answers within ${neverSucceeds.from} s of its start is never killed: rely on that number only.`,
    fields: probeFields('startup', ...BUDGET_FIELDS),
  };
}

function results(type: 'readiness' | 'liveness', probe: Probe): Moment[] {
  const times = probeTimes(probe);
  const acted = type === 'liveness' ? syncTimes : (span: Span): Span => span;
  const effect = type === 'readiness' ? 'it is not ready' : 'it is killed';
  const failures = inARow(probe.failureThreshold, 'failure');
  const failing = probeFields(type, 'failureThreshold', 'periodSeconds');
  return [
    {
      topic: 'failing',
      span: acted(times.failsFast),
      since: 'it begins to fail at once',
      reason: `After ${failures} (refused, 503, exit code 1) ${effect}.`,
      fields: failing,
    },
    isTCP(probe)
      ? unseenHang(type)
      : {
          topic: 'hanging',
          span: acted(times.hangs),
          since: 'it begins to hang',
          reason: `Each attempt ends with the timeout of ${probe.timeoutSeconds} s; after ${failures} ${effect}. An answer slower than the timeout counts the same.`,
          fields: [...failing, ...probeFields(type, 'timeoutSeconds')],
        },
    ...(type === 'readiness' ? [recovery(probe, times.recovers)] : []),
  ];
}

function unseenHang(type: ProbeType): Moment {
  return {
    topic: 'hanging',
    span: NEVER,
    since: 'it begins to hang',
    reason:
      'A TCP probe only connects, and the kernel accepts connections for a hanging app, too: the probe does not notice.',
    fields: [`${type}Probe.tcpSocket`],
  };
}

function recovery({ successThreshold }: Probe, span: Span): Moment {
  return {
    topic: 'recovering',
    span,
    since: 'it answers at once again',
    reason: `After ${inARow(successThreshold, 'success')} it is ready again. While it is not ready, each sync of the pod triggers an extra attempt.`,
    fields: probeFields('readiness', 'successThreshold', 'periodSeconds'),
  };
}

export function inARow(count: number, what: 'failure' | 'success'): string {
  if (count === 1) return `one ${what}`;
  return `${count} ${what === 'success' ? 'successes' : 'failures'} in a row`;
}
