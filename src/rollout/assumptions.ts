import { type JsonNode, memberOf, stringOf } from '../go/json-node.js';
import type { ManifestObject } from '../manifest/documents/manifest-object.js';
import type { LoadedPod } from '../manifest/pods/load-pod.js';
import type { AppliedWorkload } from './workload.js';

/** Something that is not simulated, and what is assumed instead. */
export interface Assumption {
  readonly subject: string;
  readonly assumed: string;
}

/** Kinds that change a rollout and are not simulated; other kinds do not matter to it. */
const KINDS: Readonly<Record<string, (workload: AppliedWorkload) => string>> = {
  HorizontalPodAutoscaler: ({ spec }) => `the number of replicas stays ${replicasOf(spec)}`,
  ScaledObject: ({ spec }) => `the number of replicas stays ${replicasOf(spec)}`,
  VerticalPodAutoscaler: () => 'requests stay as they are',
  Rollout: () => 'only Kubernetes’ own controllers run',
  Canary: () => 'only Kubernetes’ own controllers run',
  ResourceQuota: () => 'every pod is admitted',
  NetworkPolicy: () => 'all traffic is allowed',
};

function replicasOf(spec: AppliedWorkload['spec']): string {
  return 'replicas' in spec ? String(spec.replicas) : 'as it is';
}

const PLACEMENT = 'a pod goes to the node with the fewest pods';

/** Returns what the files have that is not simulated. */
export function assumptionsOf(
  loaded: LoadedPod,
  objects: readonly ManifestObject[],
  workload: AppliedWorkload,
): readonly Assumption[] {
  const around = objects.flatMap(({ kind, node }): Assumption[] => {
    const assumed = KINDS[kind];
    return assumed === undefined || scalesAnother(node, workload)
      ? []
      : [{ subject: named(kind, node), assumed: assumed(workload) }];
  });
  return [...around, ...ofSpec(loaded)];
}

/** Reports whether an autoscaler is for another workload. */
function scalesAnother(node: JsonNode, { metadata }: AppliedWorkload): boolean {
  const spec = memberOf(node, 'spec');
  const target = memberOf(spec, 'scaleTargetRef') ?? memberOf(spec, 'targetRef');
  return (stringOf(memberOf(target, 'name')) ?? metadata.name) !== metadata.name;
}

function named(kind: string, node: JsonNode): string {
  const name = stringOf(memberOf(memberOf(node, 'metadata'), 'name'));
  return name === undefined ? kind : `${kind} ${name}`;
}

function ofSpec({ written: spec }: LoadedPod): readonly Assumption[] {
  const found: Assumption[] = [];
  const add = (subject: string, assumed: string, isThere: boolean): void => {
    if (isThere) found.push({ subject, assumed });
  };
  add('affinity', PLACEMENT, spec.affinity !== undefined);
  add('nodeSelector', PLACEMENT, Object.keys(spec.nodeSelector ?? {}).length > 0);
  add('topologySpreadConstraints', PLACEMENT, (spec.topologySpreadConstraints ?? []).length > 0);
  add('priorityClassName', 'no pod is preempted', spec.priorityClassName !== undefined);
  add('readinessGates', 'their conditions are true', (spec.readinessGates ?? []).length > 0);
  add('schedulingGates', 'they are removed at once', (spec.schedulingGates ?? []).length > 0);
  add('volumes', 'they are mounted at once', (spec.volumes ?? []).length > 0);
  return found;
}
