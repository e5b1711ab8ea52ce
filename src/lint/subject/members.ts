import type { Container, Pod, Probe } from '../../api/index.js';
import type { ProbeType } from '../../kubelet/event.js';
import { PROBE_TYPES } from '../../kubelet/prober/probe-of.js';

/** A container that may have probes, and its place in the pod. */
export interface Member {
  readonly container: Container;
  /** Such as `spec.containers[0]`. */
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
  const sidecars = (spec.initContainers ?? []).flatMap((container, index) =>
    container.restartPolicy === 'Always'
      ? [{ container, path: `spec.initContainers[${index}]`, isSidecar: true }]
      : [],
  );
  const containers = spec.containers.map((container, index) => ({
    container,
    path: `spec.containers[${index}]`,
    isSidecar: false,
  }));
  return [...sidecars, ...containers];
}

/** Returns the probes of containers, in the order in which they run. */
export function probesOf(members: readonly Member[]): readonly MemberProbe[] {
  return members.flatMap((member) =>
    PROBE_TYPES.flatMap((type) => {
      const probe = member.container[`${type}Probe`];
      return probe === undefined
        ? []
        : [{ type, probe, path: `${member.path}.${type}Probe`, member }];
    }),
  );
}
