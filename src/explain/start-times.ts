import type { Container, Pod, Probe } from '../api/index.js';
import { isRestartableInitContainer } from '../kubelet/restart-policy.js';
import { lastOf, type Moment, plus } from './moment.js';
import {
  probeTimes,
  RELIST,
  soonestAttempt,
  soonestRow,
  type Span,
  syncTimes,
} from './probe-times.js';

/** When a container's first run is found to have started, if it answers all along: seconds from its start. */
export function startedTimes({ startupProbe }: Container): Span {
  if (startupProbe === undefined) return { from: 0, to: RELIST };
  const { firstAttempt } = probeTimes(startupProbe);
  return { from: firstAttempt.from, to: firstAttempt.to + startupProbe.timeoutSeconds };
}

/** When it is found to be ready. */
export function readyTimes(container: Container): Span {
  const { startupProbe, readinessProbe } = container;
  const started = startedTimes(container);
  // That it has started is said at once; that it is ready with the sync that follows.
  if (readinessProbe === undefined)
    return startupProbe === undefined ? started : syncTimes(started);
  const first = firstReadiness(readinessProbe, startupProbe === undefined ? undefined : started);
  const {
    periodSeconds: period,
    timeoutSeconds: timeout,
    successThreshold: count,
  } = readinessProbe;
  return {
    from: first.from + soonestRow(count, period, START_SYNCS),
    to: first.to + (count - 1) * Math.max(period, timeout) + timeout,
  };
}

/** Syncs of a pod that follow from the start of one of its containers, beside the one that sees it. */
const START_SYNCS = 2;

/** When readiness is attempted for the first time: a start that is known of triggers an attempt. */
export function firstReadiness(
  { initialDelaySeconds: delay, periodSeconds: period }: Probe,
  started: Span | undefined,
): Span {
  const known = started === undefined ? { from: 0, to: RELIST } : syncTimes(started);
  if (delay === 0) return known;
  return {
    from: Math.max(known.from, soonestAttempt(delay)),
    to: Math.max(known.to, delay + period),
  };
}

/**
 * When a container is started for the first time, counted from what it waits for; none for one that waits for nothing.
 * Follows computeInitContainerActions (pkg/kubelet/kuberuntime/kuberuntime_container.go).
 */
export function firstStart({ spec }: Pod, container: Container): Moment | undefined {
  const { initContainers = [], containers } = spec;
  const inits = initContainers.includes(container)
    ? initContainers.slice(0, initContainers.indexOf(container))
    : initContainers;
  const hooked = containers.slice(0, Math.max(0, containers.indexOf(container))).findLast(hasHook);
  if (hooked !== undefined) return afterHook(hooked);
  const before = inits.at(-1);
  return before && afterInit(before, `spec.initContainers[${inits.length - 1}]`);
}

/** From the start of a sidecar, or the end of an init container, until what comes after it is started. */
export function holdsBack(init: Container): Span {
  if (!isRestartableInitContainer(init) || init.startupProbe === undefined) {
    return { from: 0, to: RELIST };
  }
  return syncTimes(startedTimes(init));
}

function afterInit(before: Container, path: string): Moment {
  const { name, startupProbe } = before;
  const about = { topic: 'start', span: holdsBack(before), fields: [] };
  if (!isRestartableInitContainer(before)) {
    const why = `The init container ${name} has to end with exit code 0; the kubelet looks every ${RELIST} s.`;
    return { ...about, since: `${name} has ended`, why };
  }
  const since = `the start of ${name}`;
  const hook = hasHook(before) ? ' Its postStart hook comes before: its time is to be added.' : '';
  if (startupProbe === undefined) {
    const why = `The sidecar ${name} has to run, no more: it has no startup probe, and others do not count. The kubelet looks every ${RELIST} s.${hook}`;
    return { ...about, since, why };
  }
  return {
    ...about,
    since,
    why: `The startup probe of the sidecar ${name} has to succeed, as it does then if ${name} answers from the first; its other probes do not count.${hook}`,
    fields: ['initialDelaySeconds', 'periodSeconds', 'timeoutSeconds'].map(
      (field) => `${path}.startupProbe.${field}`,
    ),
  };
}

/** Containers are started one after the other: a hook keeps the next one waiting. */
function afterHook({ name }: Container): Moment {
  return {
    topic: 'start',
    span: { from: 0, to: 0 },
    since: `the postStart hook of ${name} has ended`,
    why: `The kubelet starts the containers one after the other, and waits for the hook of ${name}.`,
    fields: [],
  };
}

function hasHook({ lifecycle }: Container): boolean {
  return lifecycle?.postStart !== undefined;
}

/** When a pod is ready whose containers answer from the first: all of them are, sidecars included. */
export function podReady({ spec }: Pod): Moment {
  const { initContainers = [], containers, readinessGates = [] } = spec;
  let start: Span = { from: 0, to: 0 };
  const ready: Span[] = [];
  for (const init of initContainers) {
    if (isRestartableInitContainer(init)) ready.push(plus(start, readyTimes(init)));
    start = plus(start, holdsBack(init));
  }
  ready.push(...containers.map((container) => plus(start, readyTimes(container))));
  const gates = readinessGates.map(({ conditionType }) => conditionType).join(', ');
  const gated = gates === '' ? '' : ` Its readiness gates (${gates}) have to be True besides.`;
  return {
    topic: 'ready',
    span: lastOf(ready),
    since: 'the start of its first container',
    why: `All ${initContainers.some(isRestartableInitContainer) ? 'containers and sidecars' : 'containers'} are ready then, if they answer from the first.${notCounted(spec)}${gated}`,
    fields: [],
  };
}

function notCounted({ initContainers = [], containers }: Pod['spec']): string {
  const takes = [
    ...(initContainers.every(isRestartableInitContainer) ? [] : ['init containers']),
    ...([...initContainers, ...containers].some(({ lifecycle }) => lifecycle?.postStart)
      ? ['postStart hooks']
      : []),
  ];
  if (takes.length === 0) return '';
  const once = overlaps(initContainers) ? ', but once where sidecars get ready meanwhile' : '';
  return ` What ${takes.join(' and ')} take is to be added${once}.`;
}

/** Whether an init container runs while a sidecar before it may yet have to get ready. */
function overlaps(initContainers: readonly Container[]): boolean {
  const sidecar = initContainers.findIndex(isRestartableInitContainer);
  return sidecar !== -1 && !initContainers.slice(sidecar).every(isRestartableInitContainer);
}
