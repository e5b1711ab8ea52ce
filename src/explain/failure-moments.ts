import type { Container, Pod, Probe } from '../api/index.js';
import { setTerminationGracePeriod } from '../kubelet/containers/container-to-kill.js';
import { type Moment, plus } from './moment.js';
import { probeTimes, RELIST, type Span, syncTimes } from './probe-times.js';
import { againText, policyField, runsAgain } from './restarts.js';
import { stopTimes } from './stop-times.js';

const NEVER: Span = { from: Infinity, to: Infinity };

/** What the kubelet sees of a container with which something is wrong, and does about it. */
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
      why: `The kubelet looks at what runs every ${RELIST} s; it is not ready from then on. ${again}`,
      fields: [policyField(container)],
    },
    {
      topic: 'crash: still sent traffic',
      span: { from: 0, to: RELIST },
      since: 'it exits',
      why: `Until the kubelet has noticed${container.readinessProbe === undefined ? '' : ', or its readiness probe has failed before that'}.`,
      fields: [],
    },
  ];
}

function slowStart(pod: Pod, container: Container): Moment[] {
  const start = slowStartKill(pod, container);
  if (start === undefined) {
    const why = 'Neither a startup nor a liveness probe ends it, however long it takes.';
    return [{ topic: 'slow start: killed', span: NEVER, since: 'its start', why, fields: [] }];
  }
  const { killed, grace, type } = start;
  return [killed, ...afterKill(pod, container, killed, 'slow start: restarted', grace, type)];
}

/** How long a run takes that never answers, until it has been killed and has ended; undefined when nothing ends it. */
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
    why: `A container that does not answer has failed its ${type} probe ${times(probe.failureThreshold)} then.`,
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

/** A killed container is started again when it has ended; a hang may well swallow TERM. */
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
      why: `It gets ${grace} s to end, and is started again at once when it has; a later start may be put off (back-off).`,
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
    return { topic, span: NEVER, since, why: 'There is no probe that would wait.', fields };
  }
  return {
    topic,
    span: { from: shortest, to: limits.at(-1) ?? shortest },
    since,
    why: 'An answer that comes later than the timeout is none: it counts as one that never comes. One that comes in time is a success, however slow.',
    fields,
  };
}

/** A Service sends traffic to what is ready; how long it takes others to hear of a change is not counted. */
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
    return 'Until its readiness probe has failed, or until it has been killed and has ended.';
  }
  if (isSeen) return 'Until its readiness probe has failed; nothing ends it.';
  if (isKilled) return 'Readiness does not see it: until it has been killed and has ended.';
  return 'Nothing notices that it hangs: it stays ready.';
}

/** A TCP probe connects to what hangs, too: the kernel answers. */
function hangSpan(probe: Probe | undefined): Span {
  return probe === undefined || isTCP(probe) ? NEVER : probeTimes(probe).hangs;
}

function isTCP({ exec, httpGet, tcpSocket }: Probe): boolean {
  return exec === undefined && httpGet === undefined && tcpSocket !== undefined;
}

function whyHang(probe: Probe | undefined, type: 'readiness' | 'liveness'): string {
  if (probe === undefined) return `There is no ${type} probe to notice it.`;
  if (isTCP(probe)) {
    return `The ${type} probe only connects, and the kernel does that for an app that hangs, too.`;
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

/** What becomes of an init container that fails: what comes after it waits. */
export function initFailures(pod: Pod, container: Container): Moment[] {
  const again = runsAgain(pod, container);
  const end = again === 'never' ? 'It is not started again, and the pod fails.' : againText(again);
  return [
    {
      topic: 'crash: noticed',
      span: { from: 0, to: RELIST },
      since: 'it exits',
      why: `The kubelet looks at what runs every ${RELIST} s. ${end}`,
      fields: [policyField(container)],
    },
  ];
}
