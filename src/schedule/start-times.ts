import { allContainers, type Container, type Pod, type Probe } from '../api/index.js';
import { isRestartableInitContainer } from '../kubelet/restart-policy.js';
import {
  lastOf,
  type Moment,
  plus,
  probeFields,
  probeTimes,
  RELIST,
  soonestAttempt,
  soonestRow,
  type Span,
  syncTimes,
} from './probe-times.js';

/** The fields that determine a first attempt and its end. */
export const START_FIELDS = ['initialDelaySeconds', 'periodSeconds', 'timeoutSeconds'] as const;

/** The fields that determine how long a start may take. */
export const BUDGET_FIELDS = [
  'initialDelaySeconds',
  'periodSeconds',
  'failureThreshold',
  'timeoutSeconds',
] as const;

/** Returns when a container that always answers counts as started, in seconds from its start. */
export function startedTimes({ startupProbe }: Container): Span {
  if (startupProbe === undefined) return { from: 0, to: RELIST };
  const { firstAttempt } = probeTimes(startupProbe);
  return { from: firstAttempt.from, to: firstAttempt.to + startupProbe.timeoutSeconds };
}

export function readyTimes(container: Container): Span {
  const { startupProbe, readinessProbe } = container;
  const started = startedTimes(container);
  // `started` is set at once, `ready` by the next sync.
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

/** Syncs that follow the one that sees a container's start. */
const START_SYNCS = 2;

/** Returns the time of the first readiness attempt, which the start triggers. */
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
 * Returns when a container is first started, counted from what it waits for; undefined when it waits for nothing.
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

/** Returns the time from a sidecar's start or an init container's end to the next container's start. */
function holdsBack(init: Container): Span {
  if (!isRestartableInitContainer(init) || init.startupProbe === undefined) {
    return { from: 0, to: RELIST };
  }
  return syncTimes(startedTimes(init));
}

function afterInit(before: Container, path: string): Moment {
  const { name, startupProbe } = before;
  const common = { topic: 'start', span: holdsBack(before), fields: [] };
  if (!isRestartableInitContainer(before)) {
    const reason = `The init container ${name} has to end with exit code 0; the kubelet checks every ${RELIST} s.`;
    return { ...common, since: `${name} has ended`, reason };
  }
  const since = `the start of ${name}`;
  const hook = hasHook(before) ? ' Add the time of its postStart hook, which runs first.' : '';
  if (startupProbe === undefined) {
    const reason = `The sidecar ${name} only has to run: it has no startup probe, and other probes do not count. The kubelet checks every ${RELIST} s.${hook}`;
    return { ...common, since, reason };
  }
  return {
    ...common,
    since,
    reason: `The startup probe of the sidecar ${name} has to succeed; this is when it does if ${name} answers from the start. Its other probes do not count.${hook}`,
    fields: probeFields('startup', ...START_FIELDS).map((field) => `${path}.${field}`),
  };
}

function afterHook({ name }: Container): Moment {
  return {
    topic: 'start',
    span: { from: 0, to: 0 },
    since: `the postStart hook of ${name} has ended`,
    reason: `The kubelet starts the containers one by one, and waits for the hook of ${name}.`,
    fields: [],
  };
}

function hasHook({ lifecycle }: Container): boolean {
  return lifecycle?.postStart !== undefined;
}

/** Returns when the pod is ready if its containers answer from the start. */
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
  const gated = gates === '' ? '' : ` Its readiness gates (${gates}) also have to be True.`;
  return {
    topic: 'ready',
    span: lastOf(ready),
    since: 'the start of its first container',
    reason: `All ${initContainers.some(isRestartableInitContainer) ? 'containers and sidecars' : 'containers'} are ready then, if they answer from the start.${notCounted(spec)}${gated}`,
    fields: [],
  };
}

function notCounted(spec: Pod['spec']): string {
  const { initContainers = [] } = spec;
  const takes = [
    ...(initContainers.every(isRestartableInitContainer) ? [] : ['init containers']),
    ...(allContainers(spec).some(({ lifecycle }) => lifecycle?.postStart)
      ? ['postStart hooks']
      : []),
  ];
  if (takes.length === 0) return '';
  const once = overlaps(initContainers)
    ? ', but only once where sidecars get ready at the same time'
    : '';
  return ` Add the time that ${takes.join(' and ')} take${once}.`;
}

/** Returns whether an init container runs while an earlier sidecar may still be getting ready. */
function overlaps(initContainers: readonly Container[]): boolean {
  const sidecar = initContainers.findIndex(isRestartableInitContainer);
  return sidecar !== -1 && !initContainers.slice(sidecar).every(isRestartableInitContainer);
}
