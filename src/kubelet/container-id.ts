/** The id as the API shows it: `docker://4f1c…`. Ports ContainerID.String (pkg/kubelet/container/runtime.go). */
export function buildContainerID(runtimeName: string, id: string): string {
  return `${runtimeName}://${id}`;
}

/** The runtime's own id. Ports ParseContainerID (pkg/kubelet/container/runtime.go). */
export function parseContainerID(containerID: string): string {
  const at = containerID.indexOf('://');
  return at === -1 ? containerID : containerID.slice(at + 3);
}
