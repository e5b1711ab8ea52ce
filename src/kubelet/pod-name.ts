import type { Pod } from '../api/index.js';

/** Returns `namespace/name`, the key of a pod in the trace. */
export function podKey({ metadata }: { metadata: { name: string; namespace: string } }): string {
  return `${metadata.namespace}/${metadata.name}`;
}

/** Returns `name_namespace(uid)`. Ports format.Pod (pkg/kubelet/util/format/pod.go). */
export function formatPod(pod: Pod): string {
  return `${pod.metadata.name}_${pod.metadata.namespace}(${pod.metadata.uid})`;
}

const CONFIG_SOURCE = 'kubernetes.io/config.source';

/** Returns the pod with its config source: `file` for a static pod, or `api`. */
export function withConfigSource(pod: Pod, source: 'file' | 'api'): Pod {
  const annotations = { ...pod.metadata.annotations, [CONFIG_SOURCE]: source };
  return { ...pod, metadata: { ...pod.metadata, annotations } };
}

/** Ports IsStaticPod (pkg/kubelet/types/pod_update.go). */
export function isStaticPod(pod: Pod): boolean {
  const source = pod.metadata.annotations?.[CONFIG_SOURCE];
  return source !== undefined && source !== 'api';
}

/** Returns the id in the API's form: `docker://4f1c…`. Ports ContainerID.String (pkg/kubelet/container/runtime.go). */
export function buildContainerID(runtimeName: string, id: string): string {
  return `${runtimeName}://${id}`;
}

/** Returns the runtime's id. Ports ParseContainerID (pkg/kubelet/container/runtime.go). */
export function parseContainerID(containerID: string): string {
  const at = containerID.indexOf('://');
  return at === -1 ? containerID : containerID.slice(at + 3);
}
