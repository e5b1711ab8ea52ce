/** The end of the key of a pod as the cluster's kubelet reports it, beside the run's own pod. */
export const CLUSTER_SIDE = '@cluster';

export function isClusterSide(podKey: string): boolean {
  return podKey.endsWith(CLUSTER_SIDE);
}

export function nameInCluster(name: string): string {
  return isClusterSide(name) ? name.slice(0, -CLUSTER_SIDE.length) : name;
}
