import { type Container, omitUndefined, type Pod } from '../api/index.js';
import type { ReleaseBehavior } from './release.js';
import { isRestartableInitContainer } from './restart-policy.js';

/** Returns the pod as a cluster of the release has it: without the fields that its API server drops. */
export function podOfRelease(pod: Pod, behavior: ReleaseBehavior): Pod {
  const { initContainers } = pod.spec;
  const changed = (container: Container): Container => containerOfRelease(container, behavior);
  const containers = pod.spec.containers.map(changed);
  const spec = { ...pod.spec, containers };
  const { generation, ...metadata } = pod.metadata;
  return {
    ...pod,
    metadata: behavior.observesGeneration ? pod.metadata : metadata,
    spec:
      initContainers === undefined
        ? spec
        : { ...spec, initContainers: initContainers.map(changed) },
  };
}

function containerOfRelease(container: Container, behavior: ReleaseBehavior): Container {
  const { restartPolicy, restartPolicyRules, ...others } = container;
  if (restartPolicyRules === undefined && restartPolicy === undefined) return container;
  if (!behavior.restartRules) {
    return isRestartableInitContainer(container) ? { ...others, restartPolicy: 'Always' } : others;
  }
  if (behavior.restartsAllContainers) return container;
  const rules = restartPolicyRules?.filter(({ action }) => action !== 'RestartAllContainers');
  return omitUndefined({ ...container, restartPolicyRules: rules });
}
