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

export interface ExplainedWorkload extends ExplainedPod {
  readonly rollout?: ExplainedRollout;
}

export interface ExplainedRollout {
  readonly workload: string;
  readonly settings: RolloutSettings;
  readonly blocked?: string;
  /** Absent when nothing rolls out, or when there are too many replicas. */
  readonly simulated?: SimulatedRollout;
  readonly assumed: readonly string[];
}

export interface RolloutSettings {
  readonly replicas?: number;
  readonly strategy: 'RollingUpdate' | 'Recreate' | 'OnDelete';
  readonly maxSurge?: number | string;
  readonly maxUnavailable?: number | string | undefined;
  readonly podManagementPolicy?: 'OrderedReady' | 'Parallel';
  readonly partition?: number;
  readonly minReadySeconds: number;
}

/** Times are seconds since the rollout began. */
export interface SimulatedRollout {
  readonly nodes: number;
  /** When all replicas are new and available; absent when they are not at the end. */
  readonly doneAt?: number;
  readonly seconds: number;
  readonly counts: WorkloadCounts;
  readonly leastReady: number;
  readonly leastEndpoints: LeastEndpoints;
}

/** Reports whether a change reaches pods, and no more than `limit`. */
export function canRollOut({ workload: { spec }, nodes }: RolloutPlan, limit: number): boolean {
  const replicas = 'replicas' in spec ? spec.replicas : nodes;
  return blockedBySpec({ spec }) === undefined && replicas > 0 && replicas <= limit;
}

const ASSUMED = [
  'all old replicas are available when it begins',
  'nodes start containers at once',
  'containers answer from their start, and end right after TERM',
];

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

function settingsOf({ spec }: AppliedWorkload): RolloutSettings {
  const strategy = 'strategy' in spec ? spec.strategy : spec.updateStrategy;
  return {
    ...('replicas' in spec && { replicas: spec.replicas }),
    strategy: strategy.type,
    ...('podManagementPolicy' in spec && { podManagementPolicy: spec.podManagementPolicy }),
    ...(strategy.type === 'RollingUpdate' && strategy.rollingUpdate),
    minReadySeconds: spec.minReadySeconds,
  };
}
