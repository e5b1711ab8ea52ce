import type { Container, Pod, Probe } from '../api/index.js';
import { setTerminationGracePeriod } from '../kubelet/containers/container-to-kill.js';
import { type Moment, plus } from './moment.js';
import { isTCP, NEVER, probeTimes, RELIST, type Span, syncTimes } from './probe-times.js';
import { againText, policyField, runsAgain } from './restarts.js';
import { stopTimes } from './stop-times.js';

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
  const again = againText(runsAgain(pod, container));
  return [
    {
      topic: 'crash: noticed',
      span: { from: 0, to: RELIST },
      since: 'it exits',
      why: `The kubelet checks every ${RELIST} s which containers run; from then on this one is not ready. ${again}`,
      fields: [policyField(container)],
    },
    {
      topic: 'crash: still sent traffic',
      span: { from: 0, to: RELIST },
      since: 'it exits',
      why: `Until the kubelet notices${container.readinessProbe === undefined ? '' : ', or its readiness probe fails before that'}.`,
      fields: [],
    },
  ];
}

function slowStart(pod: Pod, container: Container): Moment[] {
  const start = slowStartKill(pod, container);
  if (start === undefined) {
    const why = 'No startup or liveness probe ends it, however long it takes.';
    return [{ topic: 'slow start: killed', span: NEVER, since: 'its start', why, fields: [] }];
  }
  const { killed, grace, type } = start;
  return [killed, ...afterKill(pod, container, killed, 'slow start: restarted', grace, type)];
}

/** Returns how long a run lasts that never answers; undefined when nothing kills it. */
export function unansweredLife(pod: Pod, container: Container): Span | undefined {
  const start = slowStartKill(pod, container);
  return start && plus(start.killed.span, stopTimes(container, start.grace));
}

interface SlowStartKill {
  readonly killed: Moment;
  readonly grace: number;
  readonly type: 'startup' | 'liveness';
}

function slowStartKill(pod: Pod, container: Container): SlowStartKill | undefined {
  const { startupProbe, livenessProbe } = container;
  const probe = startupProbe ?? livenessProbe;
  if (probe === undefined) return undefined;
  const [type, reason] =
    startupProbe === undefined
      ? (['liveness', 'LivenessProbe'] as const)
      : (['startup', 'StartupProbe'] as const);
  const { neverSucceeds } = probeTimes(probe);
  const fields = ['initialDelaySeconds', 'periodSeconds', 'failureThreshold', 'timeoutSeconds'].map(
    (name) => `${type}Probe.${name}`,
  );
  const killed = {
    topic: 'slow start: killed',
    span: syncTimes(neverSucceeds),
    since: 'its start',
    why: `A container that does not answer has failed its ${type} probe ${times(probe.failureThreshold)} by then.`,
    fields,
  };
  return { killed, grace: setTerminationGracePeriod(pod, container, reason), type };
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function hang(pod: Pod, container: Container): Moment[] {
  const { readinessProbe, livenessProbe } = container;
  const since = 'it begins to hang';
  const unready: Moment = {
    topic: 'hang: not ready',
    span: hangSpan(readinessProbe),
    since,
    why: whyHang(readinessProbe, 'readiness'),
    fields: readinessProbe === undefined ? [] : hangFields('readiness'),
  };
  const killed: Moment = {
    topic: 'hang: killed',
    span: syncTimes(hangSpan(livenessProbe)),
    since,
    why: whyHang(livenessProbe, 'liveness'),
    fields: livenessProbe === undefined ? [] : hangFields('liveness'),
  };
  if (killed.span.from === Infinity) return [unready, killed];
  const grace = setTerminationGracePeriod(pod, container, 'LivenessProbe');
  return [
    unready,
    killed,
    ...afterKill(pod, container, killed, 'hang: restarted', grace, 'liveness'),
  ];
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
      why: `It gets ${grace} s to end and is restarted right after its end; a back-off may delay later restarts.`,
      fields: [
        ...killed.fields,
        'spec.terminationGracePeriodSeconds',
        `${type}Probe.terminationGracePeriodSeconds`,
      ],
    },
  ];
}

function slowAnswer({ startupProbe, readinessProbe, livenessProbe }: Container): Moment {
  const all = [startupProbe, readinessProbe, livenessProbe].filter((probe) => probe !== undefined);
  const limits = [...new Set(all.map(({ timeoutSeconds }) => timeoutSeconds))].sort(
    (a, b) => a - b,
  );
  const fields = (['startup', 'readiness', 'liveness'] as const)
    .filter((_, index) => [startupProbe, readinessProbe, livenessProbe][index] !== undefined)
    .map((type) => `${type}Probe.timeoutSeconds`);
  const since = 'an attempt begins';
  const topic = 'slow answer: a failure';
  const [shortest = Infinity] = limits;
  if (shortest === Infinity) {
    return { topic, span: NEVER, since, why: 'It has no probe.', fields };
  }
  return {
    topic,
    span: { from: shortest, to: limits.at(-1) ?? shortest },
    since,
    why: 'An answer after the timeout counts as no answer. A slow answer within the timeout is a success.',
    fields,
  };
}

/** Returns how long a Service sends traffic to a hanging container, without the time that the cluster takes to apply a change. */
function deadTraffic(pod: Pod, container: Container): Moment {
  const { readinessProbe, livenessProbe } = container;
  const unready = hangSpan(readinessProbe);
  const killed = syncTimes(hangSpan(livenessProbe));
  const grace = setTerminationGracePeriod(pod, container, 'LivenessProbe');
  const stop = stopTimes(container, grace);
  const ended = { from: killed.from + stop.from, to: killed.to + stop.to + RELIST };
  const span = {
    from: Math.min(unready.from, ended.from),
    to: Math.min(unready.to, ended.to),
  };
  return {
    topic: 'hang: still sent traffic',
    span,
    since: 'it begins to hang',
    why: whyTraffic(unready.from < Infinity, killed.from < Infinity),
    fields: [
      ...(readinessProbe === undefined ? [] : hangFields('readiness')),
      ...(livenessProbe === undefined ? [] : hangFields('liveness')),
    ],
  };
}

function whyTraffic(isSeen: boolean, isKilled: boolean): string {
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

function whyHang(probe: Probe | undefined, type: 'readiness' | 'liveness'): string {
  if (probe === undefined) return `There is no ${type} probe to notice it.`;
  if (isTCP(probe)) {
    return `The ${type} probe only connects, and the kernel accepts connections for a hanging app, too.`;
  }
  const { failureThreshold: count, timeoutSeconds } = probe;
  const attempts = count === 1 ? 'One attempt' : `${count} attempts in a row`;
  return `${attempts} of the ${type} probe ${count === 1 ? 'ends' : 'end'} with the timeout of ${timeoutSeconds} s.`;
}

function hangFields(type: 'readiness' | 'liveness'): string[] {
  return ['failureThreshold', 'periodSeconds', 'timeoutSeconds'].map(
    (name) => `${type}Probe.${name}`,
  );
}

/** Returns what happens when an init container fails; the containers after it wait. */
export function initFailures(pod: Pod, container: Container): Moment[] {
  const again = runsAgain(pod, container);
  const end = again === 'never' ? 'It is not restarted, and the pod fails.' : againText(again);
  return [
    {
      topic: 'crash: noticed',
      span: { from: 0, to: RELIST },
      since: 'it exits',
      why: `The kubelet checks every ${RELIST} s which containers run. ${end}`,
      fields: [policyField(container)],
    },
  ];
}
