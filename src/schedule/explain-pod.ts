import { type Container, type ContainerPort, type Pod, type Probe, valueAt } from '../api/index.js';
import {
  MINIMUM_GRACE_PERIOD,
  setTerminationGracePeriod,
} from '../kubelet/containers/termination-grace-period.js';
import { podKey } from '../kubelet/pod-name.js';
import { containerProbes } from '../kubelet/prober/probe-of.js';
import type { ReleaseBehavior } from '../kubelet/release.js';
import { isRestartableInitContainer } from '../kubelet/restart-policy.js';
import { explainProbe, type Explanation, inARow } from './explain-probe.js';
import { failureMoments, initFailures, unansweredLife } from './failure-moments.js';
import { type Moment, probeFields, RELIST } from './probe-times.js';
import { type BackOffStep, backOffSteps, restartsWhen } from './restarts.js';
import { firstStart, podReady, readyTimes, START_FIELDS, startedTimes } from './start-times.js';
import { deletedMoment, sidecarTerm, stopTimes } from './stop-times.js';

export interface ExplainedMoment extends Omit<Moment, 'fields'> {
  readonly fields: readonly Field[];
}

interface ExplainedProbe {
  readonly type: 'startup' | 'readiness' | 'liveness';
  /** Settings of the probe, with the API's defaults. */
  readonly probe: Probe;
  readonly sentences: readonly Explanation[];
}

export type Role = 'container' | 'sidecar' | 'init';

export interface ExplainedContainer {
  readonly name: string;
  readonly role: Role;
  /** Path in the pod: `spec.containers[0]`. */
  readonly path: string;
  readonly ports: readonly ContainerPort[];
  /** Times when nothing fails, and of its stop. */
  readonly life: readonly ExplainedMoment[];
  readonly failures: readonly ExplainedMoment[];
  readonly probes: readonly ExplainedProbe[];
  readonly backOff: readonly BackOffStep[];
}

export interface ExplainedPod {
  readonly pod: string;
  readonly containers: readonly ExplainedContainer[];
  readonly ready: ExplainedMoment;
  readonly gone: ExplainedMoment;
}

/** Explains the times that follow from a pod's settings; `defaulted` has the paths that the API has defaulted. */
export function explainPod(
  pod: Pod,
  defaulted: ReadonlySet<string>,
  behavior?: ReleaseBehavior,
): ExplainedPod {
  const { initContainers = [], containers } = pod.spec;
  const findInPod = fieldFinder(pod, undefined, 'spec', defaulted);
  const explain = (list: string) => (container: Container, index: number) => {
    const path = `spec.${list}[${index}]`;
    const find = fieldFinder(pod, container, path, defaulted);
    const role = roleOf(pod, container);
    const probed = role !== 'init';
    const failures = probed ? failureMoments(pod, container) : initFailures(pod, container);
    const life = probed ? unansweredLife(pod, container) : undefined;
    return {
      name: container.name,
      role,
      path,
      ports: container.ports ?? [],
      life: containerMoments(pod, container, probed).map((moment) => withFields(moment, find)),
      failures: failures.map((moment) => withFields(moment, find)),
      probes: probed ? explainedProbes(pod, container, behavior) : [],
      backOff: restartsWhen(pod, container) === 'never' ? [] : backOffSteps(life, behavior),
    };
  };
  return {
    pod: podKey(pod),
    containers: [
      ...initContainers.map(explain('initContainers')),
      ...containers.map(explain('containers')),
    ],
    ready: withFields(podReady(pod), findInPod),
    gone: withFields(deletedMoment(pod), findInPod),
  };
}

export function roleOf({ spec }: Pod, container: Container): Role {
  if (spec.initContainers?.includes(container) !== true) return 'container';
  return isRestartableInitContainer(container) ? 'sidecar' : 'init';
}

function explainedProbes(
  pod: Pod,
  container: Container,
  behavior: ReleaseBehavior | undefined,
): ExplainedProbe[] {
  return containerProbes(container).map(({ type, probe }) => {
    return { type, probe, sentences: explainProbe(pod, container, type, probe, behavior) };
  });
}

function withFields({ fields, ...moment }: Moment, find: (path: string) => Field): ExplainedMoment {
  return { ...moment, fields: fields.map(find) };
}

export interface Field {
  /** Path in the pod: `spec.containers[0].livenessProbe.periodSeconds`. */
  readonly path: string;
  readonly value?: unknown;
  readonly isDefault: boolean;
}

/** Returns a function that finds a field in the container or, from `spec.` on, in the pod. */
function fieldFinder(
  pod: Pod,
  container: Container | undefined,
  containerPath: string,
  defaulted: ReadonlySet<string>,
): (path: string) => Field {
  return (path) => {
    const inPod = path.startsWith('spec.');
    const full = inPod ? path : `${containerPath}.${path}`;
    const keys = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
    const value = valueAt(inPod ? pod : container, keys);
    const isDefault = [...ancestors(full)].some((each) => defaulted.has(each));
    return { path: full, isDefault, ...(value !== undefined && { value }) };
  };
}

function* ancestors(path: string): Generator<string> {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) yield at;
}

function containerMoments(pod: Pod, container: Container, probed: boolean): Moment[] {
  const moments = [
    firstStart(pod, container),
    ...(probed ? [started(container), ready(container)] : []),
    ended(pod, container),
    sidecarTerm(pod, container),
  ];
  return moments.filter((moment) => moment !== undefined);
}

function started(container: Container): Moment {
  const common = { topic: 'started', since: 'its start', span: startedTimes(container) };
  if (container.startupProbe === undefined) {
    const reason = `Without a startup probe it counts as started once the kubelet sees it run; the kubelet checks every ${RELIST} s.${hookNote(container)}`;
    return { ...common, reason, fields: [] };
  }
  const { periodSeconds } = container.startupProbe;
  return {
    ...common,
    reason: `If it answers from the start, its startup probe succeeds then. If it takes longer, up to ${periodSeconds} s after its first answer.${hookNote(container)}`,
    fields: probeFields('startup', ...START_FIELDS),
  };
}

function ready(container: Container): Moment {
  const { startupProbe, readinessProbe } = container;
  const common = { topic: 'ready', since: 'its start', span: readyTimes(container) };
  if (readinessProbe === undefined) {
    const reason = 'Without a readiness probe it is ready once it has started.';
    return { ...common, reason, fields: [] };
  }
  const { successThreshold: count, periodSeconds } = readinessProbe;
  const startup = startupProbe === undefined ? '' : ' after the success of its startup probe';
  return {
    ...common,
    reason: `If it answers from the start, its readiness probe has had ${inARow(count, 'success')} by then${startup}. If it takes longer, up to ${periodSeconds} s after its first answer, plus the time of the successes.`,
    fields: [
      ...probeFields('readiness', ...START_FIELDS, 'successThreshold'),
      ...(startupProbe === undefined ? [] : probeFields('startup', ...START_FIELDS)),
    ],
  };
}

/** Returns a note about the postStart hook: the kubelet sees the container run only after it. */
function hookNote({ lifecycle }: Container): string {
  if (lifecycle?.postStart === undefined) return '';
  return ' Add the time of the postStart hook, which runs first.';
}

function ended(pod: Pod, container: Container): Moment {
  const grace = setTerminationGracePeriod(pod, container, 'Unknown');
  const hook = container.lifecycle?.preStop;
  const reason =
    hook === undefined
      ? `TERM, and KILL at most ${Math.max(grace, MINIMUM_GRACE_PERIOD)} s later.`
      : `The preStop hook runs first, then TERM: KILL comes after ${grace} s for both, but at least ${MINIMUM_GRACE_PERIOD} s after TERM.`;
  return {
    topic: 'stopped',
    span: stopTimes(container, grace),
    since: 'it is to stop',
    reason,
    fields: [
      'spec.terminationGracePeriodSeconds',
      ...(hook === undefined ? [] : ['lifecycle.preStop']),
    ],
  };
}
