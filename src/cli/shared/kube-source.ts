import {
  type Cluster,
  ClusterError,
  connect,
  isNotFound,
  type KubeObject,
  missingNamespace,
  parseResource,
  resourcePath,
} from '../../cluster/client/cluster.js';
import type { ResourceKind } from '../../cluster/resources.js';
import { RuntimeError } from '../../kubelet/ports.js';
import type { ClusterVersion, ManifestSource } from '../../manifest/documents/source-file.js';
import { versionFor } from '../../session/cluster/cluster-version.js';
import { indentRest } from '../../text/escape.js';
import { UsageError } from '../../usage-error.js';
import type { KubeFlags } from './cluster-options.js';
import { awaitAnswer, type Io, type RunLimits } from './io.js';

interface ReadObject {
  readonly object: KubeObject;
  /** The object as errors name it: `deploy/web (context kprobe)`. */
  readonly file: string;
  readonly clusterVersion?: ClusterVersion | undefined;
}

/** Connects to the cluster of the flags, and closes the connection where `work` fails. Throws a UsageError or a RuntimeError. */
export async function withConnection<T>(
  flags: KubeFlags,
  { env }: Pick<Io, 'env'>,
  work: (cluster: Cluster) => Promise<T>,
): Promise<T> {
  let cluster: Cluster | undefined;
  try {
    if (flags.kube !== undefined) namedObject(flags.kube);
    cluster = await connect(flags, env);
    return await work(cluster);
  } catch (error) {
    await cluster?.close();
    throw clusterFailure(error);
  }
}

/** Connects to the cluster of the flags for as long as `work` takes. Throws a UsageError or a RuntimeError. */
export function inCluster<T>(
  flags: KubeFlags,
  io: Pick<Io, 'env'>,
  work: (cluster: Cluster) => Promise<T>,
): Promise<T> {
  return withConnection(flags, io, async (cluster) => {
    const result = await work(cluster);
    await cluster.close();
    return result;
  });
}

/** Waits for the first answer of a cluster, no longer than the whole command may take. */
export function awaitCluster<T>(
  { server }: Cluster,
  limits: RunLimits,
  io: Io,
  work: (io: Io) => Promise<T>,
): Promise<T> {
  const from = `the API server at ${server}, or the credential plugin of the kubeconfig`;
  return awaitAnswer(from, limits, io, work);
}

/** Errors that the user can avoid, with another command line or another role. */
const USAGE: readonly ClusterError['code'][] = [
  'invalid',
  'unauthorized',
  'forbidden',
  'notFound',
  'untrusted',
];

/** Makes a UsageError (exit code 2) of what the user can change, and a RuntimeError (3) of a server that does not answer; returns other errors. */
export function clusterFailure(error: unknown): unknown {
  if (!(error instanceof ClusterError)) return error;
  const { code, message, rule } = error;
  if (!USAGE.includes(code)) return new RuntimeError(message);
  const text = indentRest(message);
  return new UsageError(rule === undefined ? text : `${text}; add this rule:\n${rule.trimEnd()}`);
}

export function readObject(flags: KubeFlags, io: Io): Promise<ReadObject> {
  return inCluster(flags, io, async (cluster) => {
    const { context, server } = cluster;
    const object = await getObject(cluster, flags, io);
    const where = context === '' ? server : `context ${context}`;
    const clusterVersion = await versionFor(cluster, object, io.signal);
    return { object, file: `${flags.kube ?? ''} (${where})`, clusterVersion };
  });
}

async function getObject(
  cluster: Cluster,
  { kube = '', ...limits }: KubeFlags & RunLimits,
  io: Io,
): Promise<KubeObject> {
  const { kind, name } = namedObject(kube);
  const { namespace } = cluster;
  const path = resourcePath(kind, { namespace, name });
  return awaitCluster(cluster, limits, io, ({ signal }) =>
    cluster.get(path, signal).catch(async (error: unknown) => {
      const missing = isNotFound(error) && (await missingNamespace(cluster, namespace, signal));
      throw missing || error;
    }),
  );
}

function namedObject(kube: string): { readonly kind: ResourceKind; readonly name: string } {
  const { kind, name } = parseResource([kube]);
  if (name !== undefined) return { kind, name };
  throw new UsageError(`--kube ${kube}: write TYPE/NAME, such as pod/web`);
}

export async function getPod(cluster: Cluster, flags: KubeFlags, io: Io): Promise<KubeObject> {
  const object = await getObject(cluster, flags, io);
  if (object.kind === 'Pod') return object;
  throw new UsageError(
    `--kube ${flags.kube ?? ''}: attempts need one pod, pod/NAME (kprobe watch ${flags.kube ?? ''} shows its pods)`,
  );
}

/** Returns an object of a cluster as a manifest, without its status and managedFields. */
export function sourceOf({ object, file, clusterVersion }: ReadObject): ManifestSource {
  const { status: _, metadata, ...rest } = object;
  const { managedFields: __, ...kept } = metadata;
  const text = JSON.stringify({ ...rest, metadata: kept }, undefined, 2);
  return { file, text, clusterVersion };
}
