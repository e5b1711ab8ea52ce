import { type Diagnostic, hasErrors } from '../manifest/diagnostic.js';
import type { ManifestObject } from '../manifest/documents/manifest-object.js';
import type { ManifestSource } from '../manifest/documents/source-file.js';
import type { LoadedPod } from '../manifest/pods/load-pod.js';
import { distributionOf, seedOf } from '../sim/many-runs.js';
import { EMPTY_BEHAVIOR, type PodBehaviorSpec, podScenario } from '../sim/pod-scenario.js';
import type { Scenario } from '../sim/scenario.js';
import { UsageError } from '../usage-error.js';
import type { ApiPod } from './controllers/objects.js';
import {
  type Assumption,
  loadRollout,
  type LoadRolloutOptions,
  withRelatedObjects,
} from './load-rollout.js';
import { measureRollout, type RolloutRuns } from './measure.js';
import type { RolloutPlan } from './rollout.js';
import { type AppliedWorkload, restarted, templateHash } from './workload.js';

export interface RolloutRequest extends Omit<
  RolloutPlan,
  'workload' | 'change' | 'related' | 'behaviorOf'
> {
  readonly sources: readonly ManifestSource[];
  /** The new version; absent for a restart. */
  readonly to?: readonly ManifestSource[] | undefined;
  readonly load: LoadRolloutOptions;
  readonly behavior: PodBehaviorSpec;
  /** True where nothing is rolled out: the pods run as they are. */
  readonly isUnchanged: boolean;
}

export interface PlannedRollout {
  /** Absent when the files have errors. */
  readonly plan?: RolloutPlan;
  readonly assumptions: readonly Assumption[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Default length of a simulation in milliseconds, and number of nodes. */
export const DEFAULT_UNTIL = 600_000;
export const DEFAULT_NODES = 3;

/** Plans `kubectl rollout restart` of a workload, as kprobe rollout simulates it by default. */
export function planRestart(
  loaded: LoadedPod,
  objects: readonly ManifestObject[],
): Required<Pick<PlannedRollout, 'plan' | 'assumptions'>> {
  const { workload, related, assumptions } = withRelatedObjects(loaded, objects);
  return { plan: planOf(workload, related, restarted(workload, 'kprobe'), RESTART), assumptions };
}

const RESTART = {
  behavior: EMPTY_BEHAVIOR,
  nodes: DEFAULT_NODES,
  isUnchanged: false,
  drains: [],
  until: DEFAULT_UNTIL,
  endsEarly: true,
};

export function planRollout(request: RolloutRequest): PlannedRollout {
  const { sources, to, load, ...settings } = request;
  const before = loadRollout(sources, load);
  const after = to === undefined ? before : loadRollout(to, load);
  const files = to === undefined ? [before] : [before, after];
  const diagnostics = files.flatMap((file) => file.diagnostics);
  const { workload, related } = before;
  const { workload: changed, assumptions } = after;
  if (workload === undefined || changed === undefined || hasErrors(diagnostics)) {
    return { assumptions: [], diagnostics };
  }
  const [name, changedName] = [workload, changed].map(
    ({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`,
  );
  if (name !== changedName) {
    throw new UsageError(`--to has another workload: ${changedName ?? ''}, not ${name ?? ''}`);
  }
  const change = to === undefined ? restarted(workload, 'kprobe') : changed;
  return { plan: planOf(workload, related, change, settings), assumptions, diagnostics };
}

function planOf(
  workload: AppliedWorkload,
  related: RolloutPlan['related'],
  change: AppliedWorkload,
  { behavior, isUnchanged, ...settings }: Omit<RolloutRequest, 'sources' | 'to' | 'load'>,
): RolloutPlan {
  return {
    ...settings,
    workload,
    related,
    change: isUnchanged ? undefined : change,
    behaviorOf: scriptsByTemplate(behavior, isUnchanged),
  };
}

/** Returns the scripts of containers. In a rollout, old pods get only latency and stop times from the flags. */
function scriptsByTemplate(
  behavior: PodBehaviorSpec,
  isUnchanged: boolean,
): RolloutPlan['behaviorOf'] {
  const { latency, stopTakes } = behavior;
  const oldBehavior = isUnchanged ? behavior : { ...EMPTY_BEHAVIOR, latency, stopTakes };
  const known = new Map<string, Scenario['containers']>();
  return (pod, version) => {
    // Pods of one template have one script.
    const key = `${version} ${templateHash(pod)}`;
    const containers = known.get(key) ?? scriptsOf(pod, version === 'old' ? oldBehavior : behavior);
    known.set(key, containers);
    return containers;
  };
}

function scriptsOf(pod: ApiPod, behavior: PodBehaviorSpec): Scenario['containers'] {
  const { scenario, problems } = podScenario(pod, behavior, { until: 0 });
  const [problem] = problems;
  if (problem !== undefined) throw new UsageError(problem);
  return scenario.containers;
}

/** One of many rollouts; `seed` and its number determine its random numbers. */
export interface NumberedRollout {
  readonly request: RolloutRequest;
  readonly seed: number;
  readonly run: number;
}

export interface RolloutRun {
  /** Seconds; null when it was not rolled out. */
  readonly doneAt: number | null;
  readonly leastReady: number;
  readonly failed: number;
  /** Seconds until the last replica was back after an outage; null when one was not. */
  readonly backAt: number | null;
}

/** Simulates one rollout of a manifest without errors. */
export async function rolloutRun({ request, seed, run }: NumberedRollout): Promise<RolloutRun> {
  const { plan } = planRollout(request);
  if (plan === undefined) throw new Error('the manifests have errors');
  const { outcome, traffic, outages } = await measureRollout({ ...plan, seed: seedOf(seed, run) });
  const isBack = outages.every(({ stillOut }) => stillOut === 0);
  return {
    doneAt: outcome.rollout?.doneAt ?? null,
    leastReady: outcome.leastReady.count,
    failed: traffic?.failed ?? 0,
    backAt: isBack ? Math.max(0, ...outages.map(({ lastBack = 0 }) => lastBack / 1000)) : null,
  };
}

export function summarizeRollouts(runs: readonly RolloutRun[]): RolloutRuns {
  const losing = runs.filter(({ failed }) => failed > 0);
  return {
    runs: runs.length,
    rolledOut: distributionOf(runs.map(({ doneAt }) => doneAt)),
    leastReady: distributionOf(runs.map(({ leastReady }) => leastReady)),
    losing: losing.length / Math.max(1, runs.length),
    failed: distributionOf(losing.map(({ failed }) => failed)),
    backAt: distributionOf(runs.map(({ backAt }) => backAt)),
  };
}
