import { type ExplainedPod, explainPod } from '../explain/explain-pod.js';
import type { LoadedPod } from '../manifest/pods/load-pod.js';
import { KnownSecrets } from '../secrets/known-secrets.js';
import { maskObject } from '../secrets/mask-object.js';

/** Explains all containers of pods, or the one with this name; pods without it are omitted. */
export function explain(pods: readonly LoadedPod[], container?: string): readonly ExplainedPod[] {
  return pods
    .map(({ pod, defaulted }) => explainPod(maskObject(pod, new KnownSecrets()), defaulted))
    .map((explained) =>
      container === undefined
        ? explained
        : { ...explained, containers: explained.containers.filter((c) => c.name === container) },
    )
    .filter(({ containers }) => containers.length > 0);
}
