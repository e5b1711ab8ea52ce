import { JsonReader } from '../../api/index.js';
import { ClusterError } from '../../cluster/cluster-error.js';
import { resourcePath } from '../../cluster/resources.js';
import type { Cluster, KubeObject } from '../../cluster/types.js';
import { type KubeletConfig, kubeletOf, nearestKubelet } from '../../kubelet/release.js';
import type { ClusterVersion } from '../../manifest/documents/source-file.js';
import { placeOf } from './watch-requests.js';

/** Returns the node of a pod; undefined before it is scheduled, and where the user may not read nodes. */
export async function nodeOf(
  cluster: Pick<Cluster, 'get'>,
  pod: KubeObject,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  const { node: name } = placeOf(pod) ?? {};
  if (name === undefined) return undefined;
  return tryRead(cluster.get(resourcePath('nodes', { name }), signal));
}

/** Returns the kubelet that kprobe plays for the pods of a node. */
export function kubeletOfNode(node: KubeObject | undefined): KubeletConfig {
  return nearestKubelet(kubeletVersion(node));
}

function kubeletVersion(node: KubeObject | undefined): string {
  return new JsonReader(node?.status).in('nodeInfo').text('kubeletVersion');
}

/** Says which kubelet a node runs, and as which release kprobe decides for its pods. */
export function kubeletNote(node: KubeObject): string {
  return versionNote({ of: 'kubelet', version: kubeletVersion(node) });
}

/** Returns a note about the cluster's version and the release that kprobe decides as. */
export function versionNote({ of, version }: ClusterVersion): string {
  const known = kubeletOf(version) === undefined ? ', which kprobe does not know' : '';
  const program = of === 'kubelet' ? 'a node runs' : 'the cluster has';
  const unknown = version === '' ? `a ${of} of an unknown version` : `${of} ${version}${known}`;
  const { version: release, featureGates = {} } = nearestKubelet(version);
  const gates = Object.entries(featureGates).map(([name, isOn]) => ` with ${name}=${isOn}`);
  return `${program} ${unknown}; kprobe decides as v${release}${gates.join()}`;
}

/** Returns the version of the kubelet that has a pod, else of the API server; undefined where neither may be read. */
export async function versionFor(
  cluster: Pick<Cluster, 'get'>,
  object: KubeObject,
  signal: AbortSignal,
): Promise<ClusterVersion | undefined> {
  const node = await nodeOf(cluster, object, signal);
  if (node !== undefined) return { of: 'kubelet', version: kubeletVersion(node) };
  return serverVersion(cluster, signal);
}

export async function serverVersion(
  cluster: Pick<Cluster, 'get'>,
  signal: AbortSignal,
): Promise<ClusterVersion | undefined> {
  const answer = await tryRead(cluster.get('/version', signal));
  const version = new JsonReader(answer).text('gitVersion');
  return version === '' ? undefined : { of: 'API server', version };
}

async function tryRead<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof ClusterError) return undefined;
    throw error;
  }
}
