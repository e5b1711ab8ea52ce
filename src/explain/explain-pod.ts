import type { Container, Pod } from '../api/index.js';
import { podKey } from '../kubelet/pod-name.js';
import { probeOf } from '../kubelet/prober/probe-of.js';
import { isRestartableInitContainer } from '../kubelet/restart-policy.js';
import { type BackOffStep, backOffSteps } from './back-off-times.js';
import { containerMoments } from './container-moments.js';
import { explainProbe, type Explanation } from './explain-probe.js';
import { failureMoments, unansweredLife } from './failure-moments.js';
import { type Field, fieldFinder } from './fields.js';
import { gone } from './gone.js';
import { initFailures } from './init-failures.js';
import type { Moment } from './moment.js';
import { podReady } from './pod-ready.js';
import { runsAgain } from './runs-again.js';

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
