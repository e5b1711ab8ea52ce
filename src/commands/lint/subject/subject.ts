import { type Container, containersWithPath, type Pod, type Probe } from '../../../api/index.js';
import { type JsonNode, memberOf } from '../../../go/json-node.js';
import { containerProbes } from '../../../kubelet/prober/probe-of.js';
import type { KubeletConfig } from '../../../kubelet/release.js';
import { isRestartableInitContainer } from '../../../kubelet/restart-policy.js';
import type { LoadedPod } from '../../../manifest/pods/load-pod.js';
import type { ProbeType } from '../../../trace/event.js';
import type { TraceLine } from '../../../trace/trace-line.js';
import type { BalancerLimit } from './load-balancers.js';
import type { Service } from './services.js';
import type { SimulatedAlone } from './simulate-alone.js';

/** A pod, and the parts of the manifests that matter to it. */
export interface Subject {
  readonly kind: string;
  /** The object as it was written. */
  readonly object: JsonNode;
  readonly loaded: LoadedPod;
  readonly pod: Pod;
  readonly members: readonly Member[];
  /** The Services whose selector takes the pod. */
  readonly services: readonly Service[];
  /** The limits of the load balancers in front of the Services. */
  readonly balancerLimits: readonly BalancerLimit[];
  /** Measured start times of containers, from recorded runs. */
  readonly starts: StartTimes;
  /** Simulations so far, by their input. */
  readonly simulations: Map<string, Promise<SimulatedAlone>>;
  readonly kubelet?: KubeletConfig | undefined;
}

/** Reports whether a Service sends traffic to one of a container's ports; without ports, to the only container. */
export function isBackend({ services, pod }: Subject, container: Container): boolean {
  const targets = services.flatMap(({ ports }) => ports.filter(({ isForTraffic }) => isForTraffic));
  const declared = pod.spec.containers.some((each) => (each.ports ?? []).length > 0);
  if (!declared) return pod.spec.containers.length === 1 && targets.length > 0;
  const names = (container.ports ?? []).flatMap(({ name, containerPort }) => [name, containerPort]);
  return targets.some(({ target }) => names.includes(target));
}

export function isJob({ kind }: Subject): boolean {
  return kind === 'Job' || kind === 'CronJob';
}

/** Reports whether the pods run to an end: a Job's, or those of Helm's hooks, which often have labels that a Service selects. */
export function isBatch(subject: Subject): boolean {
  const annotations = memberOf(memberOf(subject.object, 'metadata'), 'annotations');
  return isJob(subject) || memberOf(annotations, 'helm.sh/hook') !== undefined;
}

/** Seconds from a container's start to its first successful probe, each run's, by container name. */
export type StartTimes = ReadonlyMap<string, readonly number[]>;

/**
 * Measures how long containers took to start in recorded runs: until the first attempt of any probe succeeded. A container
 * may have been up since the attempt before that.
 */
export function startTimes(lines: Iterable<TraceLine>): StartTimes {
  const times = new Map<string, number[]>();
  const startedAt = new Map<string, number>();
  for (const line of lines) {
    if (line.kind === 'started') startedAt.set(`${line.pod}/${line.container}`, line.t);
    if (line.kind !== 'attemptDone' || line.result !== 'success') continue;
    const key = `${line.pod}/${line.container}`;
    const start = startedAt.get(key);
    if (start === undefined) continue;
    startedAt.delete(key);
    times.set(line.container, [...(times.get(line.container) ?? []), line.t - start]);
  }
  return times;
}

/** A container that may have probes, and its place in the pod. */
export interface Member {
  readonly container: Container;
  /** Path of the container, such as `spec.containers[0]`. */
  readonly path: string;
  /** An init container that keeps running beside the others. */
  readonly isSidecar: boolean;
}

export interface MemberProbe {
  readonly type: ProbeType;
  readonly probe: Probe;
  readonly path: string;
  readonly member: Member;
}

/** Returns the containers and the sidecars of a pod; init containers that end have no probes. */
export function membersOf({ spec }: Pod): readonly Member[] {
  const { initContainers = [], containers } = spec;
  return containersWithPath({ initContainers, containers }, 'spec').flatMap(
    ({ container, at: path }) => {
      const isInit = initContainers.includes(container);
      const isSidecar = isInit && isRestartableInitContainer(container);
      return isInit && !isSidecar ? [] : [{ container, path, isSidecar }];
    },
  );
}

/** Returns the probes of containers, in the order in which they run. */
export function probesOf(members: readonly Member[]): readonly MemberProbe[] {
  return members.flatMap((member) =>
    containerProbes(member.container).map(({ type, probe }) => {
      return { type, probe, path: `${member.path}.${type}Probe`, member };
    }),
  );
}
