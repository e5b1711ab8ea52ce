import {
  type Cluster,
  ClusterError,
  connect,
  type KubeObject,
  parseResource,
  resourcePath,
} from '../../cluster/client/cluster.js';
import { RuntimeError } from '../../kubelet/ports.js';
import type { ManifestSource } from '../../manifest/documents/source-file.js';
import { UsageError } from '../../usage-error.js';
import type { KubeFlags } from './cluster-options.js';
import { type Io, orAborted } from './io.js';

interface ReadObject {
  /** As the API server returns it. */
  readonly object: KubeObject;
  /** The object as errors name it: `deploy/web (context kprobe)`. */
  readonly file: string;
}

/**
 * Connects to the cluster of the flags, and closes the connection after the work.
 *
 * @throws UsageError for what the user can change, RuntimeError for a server that does not answer
 */
export async function inCluster<T>(
  flags: KubeFlags,
  { env }: Pick<Io, 'env'>,
  work: (cluster: Cluster) => Promise<T>,
): Promise<T> {
  let cluster: Cluster | undefined;
  try {
    cluster = await connect(flags, env);
    return await work(cluster);
  } catch (error) {
    throw error instanceof ClusterError ? reported(error) : error;
  } finally {
    await cluster?.close();
  }
}

/** Errors after which another command line, or another role, is needed. */
const USAGE: readonly ClusterError['code'][] = [
  'invalid',
  'unauthorized',
  'forbidden',
  'notFound',
  'untrusted',
];

function reported({ code, message, rule }: ClusterError): Error {
  if (!USAGE.includes(code)) return new RuntimeError(message);
  return new UsageError(
    rule === undefined ? message : `${message}; add this rule:\n${rule.trimEnd()}`,
  );
}

export function readObject(flags: KubeFlags, io: Pick<Io, 'env' | 'signal'>): Promise<ReadObject> {
  return inCluster(flags, io, async (cluster) => {
    const { context, server } = cluster;
    const object = await getObject(cluster, flags, io);
    const where = context === '' ? server : `context ${context}`;
    return { object, file: `${flags.kube ?? ''} (${where})` };
  });
}

async function getObject(
  cluster: Cluster,
  { kube = '' }: KubeFlags,
  { signal }: Pick<Io, 'signal'>,
): Promise<KubeObject> {
  const { kind, name } = parseResource([kube]);
  if (name === undefined) throw new UsageError(`--kube ${kube}: write TYPE/NAME, such as pod/web`);
  const path = resourcePath(kind, { namespace: cluster.namespace, name });
  return orAborted(signal, cluster.get(path, signal));
}

export async function getPod(
  cluster: Cluster,
  flags: KubeFlags,
  io: Pick<Io, 'signal'>,
): Promise<KubeObject> {
  const object = await getObject(cluster, flags, io);
  if (object.kind === 'Pod') return object;
  throw new UsageError(
    `--kube ${flags.kube ?? ''}: attempts need one pod, pod/NAME (kprobe watch ${flags.kube ?? ''} shows its pods)`,
  );
}

/** Returns the object of `--kube` as a manifest, without the server's own notes. */
export async function kubeSource(
  flags: KubeFlags,
  io: Pick<Io, 'env' | 'signal'>,
): Promise<ManifestSource> {
  return sourceOf(await readObject(flags, io));
}

export function sourceOf({ object, file }: ReadObject): ManifestSource {
  const { status: _, metadata, ...rest } = object;
  const { managedFields: __, ...own } = metadata;
  return { file, text: JSON.stringify({ ...rest, metadata: own }, undefined, 2) };
}
