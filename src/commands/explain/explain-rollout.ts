import { omitUndefined } from '../../api/index.js';
import type { Assumption } from '../../rollout/load-rollout.js';
import { type LeastEndpoints, leastEndpoints } from '../../rollout/recorder.js';
import type { RolloutOutcome, RolloutPlan } from '../../rollout/rollout.js';
import {
  type AppliedWorkload,
  blockedBySpec,
  type WorkloadCounts,
} from '../../rollout/workload.js';
import type { ExplainedPod } from '../../schedule/explain-pod.js';

/** A simulated rollout of a workload; times are seconds since it begins. */
/** An explained pod, and the simulated rollout of the workload that makes it. */
export interface ExplainedWorkload extends ExplainedPod {
  readonly rollout?: ExplainedRollout;
}

export interface ExplainedRollout {
  readonly workload: string;
  /** Fields of the workload that decide how it rolls out. */
  readonly settings: RolloutSettings;
  /** The part of its spec that keeps a change from the pods. */
  readonly blocked?: string;
  /** Absent when nothing rolls out, or too many replicas do. */
  readonly simulated?: SimulatedRollout;
  readonly assumed: readonly string[];
}

export interface RolloutSettings {
  readonly replicas?: number;
  /** Of a Deployment, or of the updates of others. */
  readonly strategy: 'RollingUpdate' | 'Recreate' | 'OnDelete';
  readonly maxSurge?: number | string;
  readonly maxUnavailable?: number | string;
  readonly podManagementPolicy?: 'OrderedReady' | 'Parallel';
  readonly partition?: number;
  readonly minReadySeconds: number;
}

export interface SimulatedRollout {
  readonly nodes: number;
  /** When all replicas are new and available; absent when they are not at the end. */
  readonly doneAt?: number;
  /** Length of the simulation. */
  readonly seconds: number;
  /** At the end. */
  readonly counts: WorkloadCounts;
  /** The least number of ready replicas. */
  readonly leastReady: number;
  readonly leastEndpoints: LeastEndpoints;
}

/** Reports whether a change reaches any pods, and no more than these. */
export function canRollOut({ workload: { spec }, nodes }: RolloutPlan, most: number): boolean {
  const replicas = 'replicas' in spec ? spec.replicas : nodes;
  return blockedBySpec({ spec }) === undefined && replicas > 0 && replicas <= most;
}

const ASSUMED = [
  'all old replicas are available when it begins',
  'nodes start containers at once',
  'containers answer from their start, and end right after TERM',
];

/** Explains a rollout: what was simulated, and what was assumed. */
export function explainRollout(
  { workload, nodes }: RolloutPlan,
  assumptions: readonly Assumption[],
  outcome: RolloutOutcome | undefined,
): ExplainedRollout {
  const { kind, metadata, spec } = workload;
  return omitUndefined({
    workload: `${kind} ${metadata.name}`,
    settings: settingsOf(workload),
    blocked: blockedBySpec({ spec }),
    simulated: outcome && simulatedOf(outcome, nodes),
    assumed: [...ASSUMED, ...assumptions.map(({ subject, assumed }) => `${subject}: ${assumed}`)],
  });
}

function simulatedOf(outcome: RolloutOutcome, nodes: number): SimulatedRollout {
  const { rollout, counts, leastReady, points, length } = outcome;
  return omitUndefined({
    nodes,
    doneAt: rollout?.doneAt,
    seconds: length,
    counts,
    leastReady: leastReady.count,
    leastEndpoints: leastEndpoints(points, length),
  });
}

function settingsOf(workload: AppliedWorkload): RolloutSettings {
  const { minReadySeconds } = workload.spec;
  if (workload.kind === 'Deployment') {
    const { replicas, strategy } = workload.spec;
    const { type } = strategy;
    const rolling = type === 'RollingUpdate' ? strategy.rollingUpdate : {};
    return { replicas, strategy: type, ...rolling, minReadySeconds };
  }
  const { type: strategy, ...rolling } = workload.spec.updateStrategy;
  if (workload.kind === 'DaemonSet') return { strategy, ...rolling, minReadySeconds };
  const { replicas, podManagementPolicy } = workload.spec;
  return { replicas, strategy, podManagementPolicy, ...rolling, minReadySeconds };
}
