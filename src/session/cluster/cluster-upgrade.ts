import { controllerOf, deploymentOf, type Pod } from '../../api/index.js';
import { decodePod } from '../../cluster/observe/decode-objects.js';
import type { Cluster, KubeObject, Selection } from '../../cluster/types.js';
import { isSince, type KubeletConfig, nearestRelease } from '../../kubelet/release.js';
import { type PodDifference, podDifferences } from '../../kubelet/upgrade.js';
import { kubeletOfNode } from './cluster-version.js';
import { placeOf } from './watch-requests.js';

/** Pods of one workload on nodes of one version: an upgrade changes the same for all. */
interface UpgradedPods {
  /** The workload that controls them, or the pod. */
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly pods: readonly string[];
  /** Version of the nodes. */
  readonly from: string;
  readonly changes: readonly PodDifference[];
}

export interface ClusterUpgrade {
  readonly groups: readonly UpgradedPods[];
  /** Number of pods that the upgrade concerns. */
  readonly pods: number;
  /** Number of pods that have no node. */
  readonly withoutNode: number;
  /** Number of pods on nodes of a later release. */
  readonly onLaterNode: number;
}

/** Returns what an upgrade of the nodes changes for the pods of a cluster, each from the version of its node. */
export async function clusterUpgrade(
  cluster: Pick<Cluster, 'list'>,
  selections: readonly Selection[],
  to: KubeletConfig,
): Promise<ClusterUpgrade> {
  const lists = Promise.all(selections.map((selection) => cluster.list('pods', selection)));
  const [objects, nodes] = [(await lists).flat(), await cluster.list('nodes', {})];
  const kubelets = new Map(nodes.map((node) => [node.metadata.name, kubeletOfNode(node)]));
  const groups = new Map<string, UpgradedPods>();
  let withoutNode = 0;
  let onLaterNode = 0;
  for (const object of objects) {
    const from = kubelets.get(placeOf(object)?.node ?? '');
    if (from === undefined) withoutNode++;
    else if (!isSince(nearestRelease(from.version), nearestRelease(to.version))) onLaterNode++;
    else addPod(groups, object, from, to);
  }
  const pods = objects.length - withoutNode - onLaterNode;
  return { groups: [...groups.values()], pods, withoutNode, onLaterNode };
}

function addPod(
  groups: Map<string, UpgradedPods>,
  object: KubeObject,
  from: KubeletConfig,
  to: KubeletConfig,
): void {
  const { pod } = decodePod(object);
  const changes = podDifferences(pod, from, to);
  if (changes.length === 0) return;
  const { name, namespace } = pod.metadata;
  const workload = workloadOf(pod);
  const key = JSON.stringify([namespace, workload, from, changes]);
  const pods = [...(groups.get(key)?.pods ?? []), name];
  groups.set(key, { ...workload, namespace, pods, from: from.version, changes });
}

/** Returns the controller of a pod, the Deployment of a ReplicaSet, or the pod itself. */
function workloadOf({ metadata }: Pod): Pick<UpgradedPods, 'kind' | 'name'> {
  const deployment = deploymentOf(metadata);
  if (deployment !== undefined) return { kind: 'Deployment', name: deployment };
  const { kind, name } = controllerOf(metadata) ?? { kind: 'Pod', name: metadata.name };
  return { kind, name };
}
