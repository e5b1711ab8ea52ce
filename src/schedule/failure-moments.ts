import type { Container, Pod, Probe } from '../api/index.js';
import { containerProbes, probeOf } from '../kubelet/prober/probe-of.js';
import { times } from '../text/count.js';
import {
  isTCP,
  type Moment,
  NEVER,
  plus,
  probeFields,
  probeTimes,
  RELIST,
  type Span,
  syncTimes,
} from './probe-times.js';
import { restartsWhen, restartText } from './restarts.js';
import { BUDGET_FIELDS } from './start-times.js';
import { graceAfter, stopTimes } from './stop-times.js';

type HangProbe = 'readiness' | 'liveness';

/** Returns when the kubelet notices that a container fails, and when it acts. */
export function failureMoments(pod: Pod, container: Container): Moment[] {
  return [
    ...crash(pod, container),
    ...slowStart(pod, container),
    ...hang(pod, container),
    slowAnswer(container),
    deadTraffic(pod, container),
  ];
}

function crash(pod: Pod, container: Container): Moment[] {
  const restarts = restartText(restartsWhen(pod, container));
  return [
    noticed(container, `; from then on this one is not ready. ${restarts}`),
    {
      topic: 'crash: still sent traffic',
      span: { from: 0, to: RELIST },
      since: 'it exits',
      reason: `Until the kubelet notices${container.readinessProbe === undefined ? '' : ', or its readiness probe fails before that'}.`,
      fields: [],
    },
  ];
}

function noticed(container: Container, then: string): Moment {
  return {
    topic: 'crash: noticed',
    span: { from: 0, to: RELIST },
    since: 'it exits',
    reason: `The kubelet checks every ${RELIST} s which containers run${then}`,
    fields: [container.restartPolicy === undefined ? 'spec.restartPolicy' : 'restartPolicy'],
  };
}

function slowStart(pod: Pod, container: Container): Moment[] {
  const start = slowStartKill(pod, container);
  if (start === undefined) {
    const reason = 'No startup or liveness probe ends it, however long it takes.';
    return [{ topic: 'slow start: killed', span: NEVER, since: 'its start', reason, fields: [] }];
  }
  const { killed, grace, type } = start;
  return [killed, ...afterKill(pod, container, killed, 'slow start: restarted', grace, type)];
}

/** Returns the length of a run that never answers; undefined when nothing kills it. */
export function unansweredLife(pod: Pod, container: Container): Span | undefined {
  const start = slowStartKill(pod, container);
  return start && plus(start.killed.span, stopTimes(container, start.grace));
}

function slowStartKill(pod: Pod, container: Container) {
  const type: 'startup' | 'liveness' =
    container.startupProbe === undefined ? 'liveness' : 'startup';
  const probe = probeOf(container, type);
  if (probe === undefined) return undefined;
  const killed = {
    topic: 'slow start: killed',
    span: syncTimes(probeTimes(probe).neverSucceeds),
    since: 'its start',
    reason: `A container that does not answer has failed its ${type} probe ${times(probe.failureThreshold)} by then.`,
    fields: probeFields(type, ...BUDGET_FIELDS),
  };
  return { killed, grace: graceAfter(pod, container, type), type };
}

function hang(pod: Pod, container: Container): Moment[] {
  const moment = (type: HangProbe, topic: string, span: Span): Moment => ({
    topic,
    span,
    since: 'it begins to hang',
    reason: hangReason(probeOf(container, type), type),
    fields: hangFields(container, type),
  });
  const notReady = hangNotReady(pod, container);
  const killSpan = syncTimes(hangSpan(container.livenessProbe));
  const killed = moment('liveness', 'hang: killed', killSpan);
  if (killSpan.from === Infinity) return [notReady, killed];
  const grace = graceAfter(pod, container, 'liveness');
  const restarted = afterKill(pod, container, killed, 'hang: restarted', grace, 'liveness');
  return [notReady, killed, ...restarted];
}

/** Returns when a hanging container is no longer ready: its readiness probe has failed, or a kill has ended it. */
function hangNotReady(pod: Pod, container: Container): Moment {
  const { notReady, ended, span } = readyWhileHanging(pod, container);
  const byReadiness = hangReason(container.readinessProbe, 'readiness');
  const isKilledFirst = ended.from < notReady.to;
  // The next run starts at once and is ready without a probe, so the status may not change.
  const staysReady =
    container.readinessProbe === undefined && restartsWhen(pod, container) !== 'never';
  const after = staysReady
    ? "The liveness probe's kill ends it, but the next run counts as ready at once: the status may never say that it is not ready."
    : "It is also not ready once the liveness probe's kill has ended it.";
  return {
    topic: 'hang: not ready',
    span: isKilledFirst && staysReady ? { from: span.from, to: Infinity } : span,
    since: 'it begins to hang',
    reason: isKilledFirst ? `${byReadiness} ${after}` : byReadiness,
    fields: [
      ...hangFields(container, 'readiness'),
      ...(isKilledFirst ? hangFields(container, 'liveness') : []),
    ],
  };
}

interface ReadyWhileHanging {
  readonly notReady: Span;
  /** When a kill by the liveness probe has ended the container and the kubelet has seen it. */
  readonly ended: Span;
  /** The earlier of both. */
  readonly span: Span;
}

function readyWhileHanging(pod: Pod, container: Container): ReadyWhileHanging {
  const notReady = hangSpan(container.readinessProbe);
  const killed = syncTimes(hangSpan(container.livenessProbe));
  const stop = stopTimes(container, graceAfter(pod, container, 'liveness'));
  const ended = { from: killed.from + stop.from, to: killed.to + stop.to + RELIST };
  const span = { from: Math.min(notReady.from, ended.from), to: Math.min(notReady.to, ended.to) };
  return { notReady, ended, span };
}

/** Returns the restart of a killed container, which comes after its end; a hanging app may ignore TERM. */
function afterKill(
  { spec }: Pod,
  container: Container,
  killed: Moment,
  topic: string,
  grace: number,
  type: 'startup' | 'liveness',
): Moment[] {
  if ((container.restartPolicy ?? spec.restartPolicy) === 'Never') return [];
  return [
    {
      topic,
      span: plus(killed.span, stopTimes(container, grace)),
      since: killed.since,
      reason: `It gets ${grace} s to end and is restarted right after its end; a back-off may delay later restarts.`,
      fields: [
        ...killed.fields,
        'spec.terminationGracePeriodSeconds',
        `${type}Probe.terminationGracePeriodSeconds`,
      ],
    },
  ];
}

function slowAnswer(container: Container): Moment {
  const probes = containerProbes(container);
  const limits = probes.map(({ probe }) => probe.timeoutSeconds);
  const isProbed = limits.length > 0;
  return {
    topic: 'slow answer: a failure',
    span: isProbed ? { from: Math.min(...limits), to: Math.max(...limits) } : NEVER,
    since: 'an attempt begins',
    reason: isProbed
      ? 'An answer after the timeout counts as no answer. A slow answer within the timeout is a success.'
      : 'It has no probe.',
    fields: probes.flatMap(({ type }) => probeFields(type, 'timeoutSeconds')),
  };
}

/** Returns how long a Service sends traffic to a hanging container, without the delay of endpoint changes. */
function deadTraffic(pod: Pod, container: Container): Moment {
  const { notReady, ended, span } = readyWhileHanging(pod, container);
  return {
    topic: 'hang: still sent traffic',
    span,
    since: 'it begins to hang',
    reason: trafficReason(notReady.from < Infinity, ended.from < Infinity),
    fields: [...hangFields(container, 'readiness'), ...hangFields(container, 'liveness')],
  };
}

function trafficReason(isSeen: boolean, isKilled: boolean): string {
  if (isSeen && isKilled) {
    return 'Until its readiness probe has failed, or until it was killed and has ended.';
  }
  if (isSeen) return 'Until its readiness probe has failed; nothing ends it.';
  if (isKilled) return 'Readiness does not notice: until it was killed and has ended.';
  return 'Nothing notices that it hangs: it stays ready.';
}

function hangSpan(probe: Probe | undefined): Span {
  return probe === undefined || isTCP(probe) ? NEVER : probeTimes(probe).hangs;
}

function hangReason(probe: Probe | undefined, type: HangProbe): string {
  if (probe === undefined) return `There is no ${type} probe to notice it.`;
  if (isTCP(probe)) {
    return `The ${type} probe only connects, and the kernel accepts connections for a hanging app, too.`;
  }
  const { failureThreshold: count, timeoutSeconds } = probe;
  const attempts = count === 1 ? 'One attempt' : `${count} attempts in a row`;
  return `${attempts} of the ${type} probe ${count === 1 ? 'ends' : 'end'} with the timeout of ${timeoutSeconds} s.`;
}

function hangFields(container: Container, type: HangProbe): string[] {
  if (probeOf(container, type) === undefined) return [];
  return probeFields(type, 'failureThreshold', 'periodSeconds', 'timeoutSeconds');
}

/** Returns the consequence of a failed init container; later containers wait. */
export function initFailures(pod: Pod, container: Container): Moment[] {
  const restarts = restartsWhen(pod, container);
  const end =
    restarts === 'never' ? 'It is not restarted, and the pod fails.' : restartText(restarts);
  return [noticed(container, `. ${end}`)];
}
