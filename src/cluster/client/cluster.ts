import type { Clock } from '../../clock/clock.js';
import { RealClock } from '../../clock/real-clock.js';
import { Connection } from '../connection/connection.js';
import { loadConfig } from '../connection/kubeconfig.js';
import type { Cluster, ClusterFlags, KubeObject } from '../types.js';
import { listPages } from './list.js';

export { ClusterError, type ClusterErrorCode } from '../cluster-error.js';
export type * from '../types.js';
export { parseResource, resourcePath } from './resources.js';

/**
 * Finds the cluster that kubectl would use. Nothing is sent before the first request.
 *
 * @throws ClusterError for a wrong context, a file that cannot be read, and the like
 */
export function connect(
  flags: ClusterFlags,
  env: NodeJS.ProcessEnv,
  clock: Clock = new RealClock(),
): Promise<Cluster> {
  const config = loadConfig(flags, env);
  const connection = new Connection(config, clock, env, (flags.requestTimeout ?? 0) * 1000);
  const unsupported = () => Promise.reject(new Error('not there yet'));
  return Promise.resolve({
    context: config.context,
    server: config.cluster.server,
    namespace: config.namespace,
    get: async (path, signal) => (await connection.json(path, signal)) as KubeObject,
    async list(kind, selection, signal) {
      const all = new Map<string, KubeObject>();
      const keep = (items: readonly KubeObject[]): void => {
        for (const item of items) all.set(item.metadata.uid, item);
      };
      await listPages(connection, kind, selection, keep, signal);
      return [...all.values()];
    },
    reflect: unsupported,
    portForward: unsupported,
    exec: unsupported,
    proxy: unsupported,
    probeCounts: unsupported,
    close: () => connection.close(),
  } satisfies Cluster);
}
