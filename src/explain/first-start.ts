import type { Container, Pod } from '../api/index.js';
import { isRestartableInitContainer } from '../kubelet/restart-policy.js';
import type { Moment } from './moment.js';
import { RELIST, type Span, syncTimes } from './probe-times.js';
import { startedTimes } from './start-times.js';

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
