import { omitUndefined } from '../../api/index.js';
import { behaviorOf, type KubeletConfig } from '../../kubelet/release.js';
import { type ManifestObject, readObjects } from '../../manifest/documents/manifest-object.js';
import { type ManifestSource, SourceFile } from '../../manifest/documents/source-file.js';
import type { LoadedPod } from '../../manifest/pods/load-pod.js';
import { ROLLED_OUT_KINDS } from '../../rollout/workload.js';
import { type ExplainedPod, explainPod } from '../../schedule/explain-pod.js';
import { KnownSecrets, maskObject } from '../../secrets/known-secrets.js';
import type { ExplainedRollout, ExplainedWorkload } from './explain-rollout.js';

/** Explains all containers of pods, or only the one with this name. */
export function explain(
  pods: readonly LoadedPod[],
  container?: string,
  kubelet?: KubeletConfig,
): readonly ExplainedPod[] {
  const behavior = kubelet && behaviorOf(kubelet);
  return pods
    .map(({ pod, defaulted }) => {
      const explained = explainPod(maskObject(pod, new KnownSecrets()), defaulted, behavior);
      const isChosen = ({ name }: { readonly name: string }) => name === (container ?? name);
      return { ...explained, containers: explained.containers.filter(isChosen) };
    })
    .filter(({ containers }) => containers.length > 0);
}

/** Replicas that are simulated at most: more would take longer than all the rest of explain. */
const MAX_REPLICAS = 30;

/** Explains pods, and simulates the rollouts of their workloads with the other objects of the files. */
export async function explainWithRollouts(
  pods: readonly LoadedPod[],
  sources: readonly ManifestSource[],
  container?: string,
  kubelet?: KubeletConfig,
): Promise<readonly ExplainedWorkload[]> {
  const all: ExplainedWorkload[] = [];
  // A pod without containers ends at once: a StatefulSet would make thousands of them in an hour.
  const hasRollout = ({ source, pod }: LoadedPod): boolean =>
    ROLLED_OUT_KINDS.includes(source.kind) && pod.spec.containers.length > 0;
  const files = pods.some(hasRollout) ? sources.map((source) => new SourceFile(source)) : [];
  const objects = files.flatMap(readObjects);
  let left = MAX_REPLICAS;
  for (const loaded of pods) {
    for (const explained of explain([loaded], container, kubelet)) {
      const rollout = hasRollout(loaded)
        ? await rolloutOf(loaded, objects, left, kubelet)
        : undefined;
      left -= rollout?.simulated?.counts.wanted ?? 0;
      all.push({ ...explained, ...omitUndefined({ rollout }) });
    }
  }
  return all;
}

async function rolloutOf(
  loaded: LoadedPod,
  objects: readonly ManifestObject[],
  limit: number,
  kubelet: KubeletConfig | undefined,
): Promise<ExplainedRollout> {
  const { canRollOut, explainRollout } = await import('./explain-rollout.js');
  const { planRestart } = await import('../../rollout/plan-rollout.js');
  const { simulateRollout } = await import('../../rollout/rollout.js');
  const { plan, assumptions } = planRestart(loaded, objects);
  const outcome = canRollOut(plan, limit) ? await simulateRollout({ ...plan, kubelet }) : undefined;
  return explainRollout(plan, assumptions, outcome);
}
