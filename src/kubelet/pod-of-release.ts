import { type Container, mapContainers, omitUndefined, type Pod } from '../api/index.js';
import type { ReleaseBehavior } from './release.js';
import { isRestartableInitContainer } from './restart-policy.js';

/** Returns the pod as a cluster of the release has it: without the fields that its API server drops. */
export function podOfRelease(pod: Pod, behavior: ReleaseBehavior): Pod {
  const { generation, ...metadata } = pod.metadata;
  const named = behavior.observesGeneration ? pod : { ...pod, metadata };
  if (behavior.restartsAllContainers) return named;
  const changed = (container: Container): Container => containerOfRelease(container, behavior);
  return { ...named, spec: mapContainers(pod.spec, changed) };
}

function containerOfRelease(container: Container, behavior: ReleaseBehavior): Container {
  const { restartPolicy, restartPolicyRules, ...others } = container;
  if (restartPolicyRules === undefined && restartPolicy === undefined) return container;
  if (!behavior.restartRules) {
    return isRestartableInitContainer(container) ? { ...others, restartPolicy: 'Always' } : others;
  }
  const rules = restartPolicyRules?.filter(({ action }) => action !== 'RestartAllContainers');
  return omitUndefined({ ...container, restartPolicyRules: rules });
}
