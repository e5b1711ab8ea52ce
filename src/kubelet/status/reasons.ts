/** What a container waits for before its first start (pkg/kubelet/kubelet_pods.go). */
export const CONTAINER_CREATING = 'ContainerCreating';
export const POD_INITIALIZING = 'PodInitializing';
export const RESTARTING_ALL_CONTAINERS = 'RestartingAllContainers';
/** A container that ran and is not to be found any more (pkg/kubelet/container/runtime.go). */
export const CONTAINER_STATUS_UNKNOWN = 'ContainerStatusUnknown';
