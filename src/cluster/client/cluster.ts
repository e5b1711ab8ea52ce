import type { Clock } from '../../clock/clock.js';
import { RealClock } from '../../clock/real-clock.js';
import { PROBE_TYPES } from '../../kubelet/prober/probe-of.js';
import { Connection } from '../connection/connection.js';
import { loadConfig } from '../connection/kubeconfig.js';
import { resourcePath } from '../resources.js';
import { exec } from '../streams/exec.js';
import { proxyGet } from '../streams/pod-proxy.js';
import { portForward } from '../streams/port-forward.js';
import type { Cluster, ClusterFlags, KubeObject, ProbeCount } from '../types.js';
import { listAll, listPages, openWatch } from './list.js';
import { type ListerWatcher, Reflector } from './reflector.js';

export { ClusterError, type ClusterErrorCode } from '../cluster-error.js';
export { parseResource, resourcePath } from '../resources.js';
export type * from '../types.js';

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
  return Promise.resolve({
    context: config.context,
    server: connection.urlOf(''),
    namespace: config.namespace,
    get: async (path, signal) => (await connection.json(path, signal)) as KubeObject,
    list: (kind, selection, signal) => listAll(connection, kind, selection, signal),
    reflect(kind, selection, handler, signal) {
      const api: ListerWatcher = {
        list: (onPage, stop) => listPages(connection, kind, selection, onPage, stop),
        watch: (parameters, stop) => openWatch(connection, kind, selection, parameters, stop),
      };
      return new Reflector(api, handler, clock, signal).run();
    },
    async log({ namespace, name, container }, previous, signal) {
      const path = `${resourcePath('pods', { namespace, name })}/log`;
      const query = `container=${container}&previous=${previous}&tailLines=20&limitBytes=16384`;
      const { body } = await connection.request(`${path}?${query}`, signal && { signal });
      return body.text();
    },
    portForward: (pod, port, signal) => portForward(connection, pod, port, signal),
    exec: (container, command, options) => exec(connection, clock, container, command, options),
    proxy: (pod, request, signal) => proxyGet(connection, pod, request, signal),
    probeCounts: async (kubelet, signal) =>
      parseProbeCounts(await connection.getFromKubelet(kubelet, '/metrics/probes', signal)),
    close: () => connection.close(),
  } satisfies Cluster);
}

const SAMPLE = /^prober_probe_total\{(.*)\} (\S+)/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;
const RESULTS = ['successful', 'failed', 'unknown'] as const;

/** Reads prober_probe_total of a kubelet's /metrics/probes, in Prometheus' text format. */
export function parseProbeCounts(text: string): readonly ProbeCount[] {
  const counts = new Map<string, ProbeCount>();
  for (const line of text.split('\n')) {
    const [, labelText, value] = SAMPLE.exec(line) ?? [];
    if (labelText === undefined) continue;
    const labels = new Map([...labelText.matchAll(LABEL)].map(([, name, of]) => [name, of ?? '']));
    const get = (name: string): string => labels.get(name) ?? '';
    const probe = PROBE_TYPES.find((type) => type === get('probe_type').toLowerCase());
    const result = RESULTS.find((one) => one === get('result'));
    if (result === undefined || probe === undefined) continue;
    const of = { uid: get('pod_uid'), container: get('container'), probe };
    const key = Object.values(of).join(' ');
    const none = { successful: 0, failed: 0, unknown: 0 };
    const count = counts.get(key) ?? {
      namespace: get('namespace'),
      pod: get('pod'),
      ...of,
      ...none,
    };
    counts.set(key, { ...count, [result]: Number(value) });
  }
  return [...counts.values()];
}
