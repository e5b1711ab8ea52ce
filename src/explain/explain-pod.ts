import type { Container, Pod } from '../api/index.js';
import { podKey } from '../kubelet/pod-name.js';
import { probeOf } from '../kubelet/prober/probe-of.js';
import { isRestartableInitContainer } from '../kubelet/restart-policy.js';
import { containerMoments } from './container-moments.js';
import { explainProbe, type Explanation } from './explain-probe.js';
import { failureMoments, initFailures, unansweredLife } from './failure-moments.js';
import type { Moment } from './moment.js';
import { type BackOffStep, backOffSteps, runsAgain } from './restarts.js';
import { podReady } from './start-times.js';
import { gone } from './stop-times.js';

/** A moment with the values that it comes from. */
export interface ExplainedMoment extends Omit<Moment, 'fields'> {
  readonly fields: readonly Field[];
}

export interface ExplainedProbe {
  readonly type: 'startup' | 'readiness' | 'liveness';
  readonly sentences: readonly Explanation[];
}

export interface ExplainedContainer {
  readonly name: string;
  readonly role: 'container' | 'sidecar' | 'init';
  /** Where it stands in the pod: `spec.containers[0]`. */
  readonly path: string;
  /** From what it waits for on, as long as all goes well, and its stop. */
  readonly life: readonly ExplainedMoment[];
  /** What is seen of it when something goes wrong. */
  readonly failures: readonly ExplainedMoment[];
  readonly probes: readonly ExplainedProbe[];
  /** Empty when it is not started again. */
  readonly backOff: readonly BackOffStep[];
}

export interface ExplainedPod {
  readonly pod: string;
  readonly containers: readonly ExplainedContainer[];
  readonly ready: ExplainedMoment;
  /** The pod is deleted. */
  readonly gone: ExplainedMoment;
}

/** What a pod's settings come to in time; `defaulted` are the paths that the API has filled in. */
export function explainPod(pod: Pod, defaulted: ReadonlySet<string>): ExplainedPod {
  const { initContainers = [], containers } = pod.spec;
  const find = fieldFinder(pod, undefined, 'spec', defaulted);
  const explain = (list: string) => (container: Container, index: number) =>
    explainContainer(pod, container, `spec.${list}[${index}]`, defaulted);
  return {
    pod: podKey(pod),
    containers: [
      ...initContainers.map(explain('initContainers')),
      ...containers.map(explain('containers')),
    ],
    ready: withFields(podReady(pod), find),
    gone: withFields(gone(pod), find),
  };
}

function explainContainer(
  pod: Pod,
  container: Container,
  path: string,
  defaulted: ReadonlySet<string>,
): ExplainedContainer {
  const find = fieldFinder(pod, container, path, defaulted);
  const isInit = path.startsWith('spec.init');
  const isSidecar = isInit && isRestartableInitContainer(container);
  const probed = !isInit || isSidecar;
  return {
    name: container.name,
    role: isSidecar ? 'sidecar' : isInit ? 'init' : 'container',
    path,
    life: containerMoments(pod, container, probed).map((moment) => withFields(moment, find)),
    failures: (probed ? failureMoments(pod, container) : initFailures(pod, container)).map(
      (moment) => withFields(moment, find),
    ),
    probes: probed ? explainedProbes(pod, container) : [],
    backOff:
      runsAgain(pod, container) !== 'never'
        ? backOffSteps(probed ? unansweredLife(pod, container) : undefined)
        : [],
  };
}

function explainedProbes(pod: Pod, container: Container): ExplainedProbe[] {
  return (['startup', 'readiness', 'liveness'] as const).flatMap((type) => {
    const probe = probeOf(container, type);
    if (probe === undefined) return [];
    return [{ type, sentences: explainProbe(pod, container, type, probe) }];
  });
}

function withFields({ fields, ...moment }: Moment, find: (path: string) => Field): ExplainedMoment {
  return { ...moment, fields: fields.map(find) };
}

/** A field that something comes from. */
export interface Field {
  /** In the pod: `spec.containers[0].livenessProbe.periodSeconds`. */
  readonly path: string;
  /** Absent when it is not set. */
  readonly value?: unknown;
  /** The API has filled it in: the manifest does not say it. */
  readonly isDefault: boolean;
}

/** Looks fields up: in a container, or from `spec.` in the pod. */
export function fieldFinder(
  pod: Pod,
  container: Container | undefined,
  containerPath: string,
  defaulted: ReadonlySet<string>,
): (path: string) => Field {
  return (path) => {
    const inPod = path.startsWith('spec.');
    const full = inPod ? path : `${containerPath}.${path}`;
    const value = valueAt(inPod ? pod : container, path);
    const isDefault = [...ancestors(full)].some((each) => defaulted.has(each));
    return { path: full, isDefault, ...(value === undefined ? {} : { value }) };
  };
}

function valueAt(root: unknown, path: string): unknown {
  const keys = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  return keys.reduce((value: unknown, key) => {
    return (value as Readonly<Record<string, unknown>> | undefined)?.[key];
  }, root);
}

/** The path, and those that it lies in. */
function* ancestors(path: string): Generator<string> {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) yield at;
}
