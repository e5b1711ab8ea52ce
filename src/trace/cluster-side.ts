/** Suffix of the key of a cluster side: the pod as the cluster's kubelet reports it. */
export const CLUSTER_SIDE = '@cluster';

export function isClusterSide(podKey: string): boolean {
  return podKey.endsWith(CLUSTER_SIDE);
}

export function nameInCluster(name: string): string {
  return isClusterSide(name) ? name.slice(0, -CLUSTER_SIDE.length) : name;
}
