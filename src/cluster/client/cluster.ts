import { isObject } from '../../api/index.js';
import type { Clock } from '../../clock/clock.js';
import { RealClock } from '../../clock/real-clock.js';
import { rfc3339 } from '../../clock/rfc3339.js';
import { PROBE_TYPES } from '../../kubelet/prober/probe-of.js';
import { LineSplitter } from '../../text/line-splitter.js';
import { ClusterError } from '../cluster-error.js';
import { Connection } from '../connection/connection.js';
import { loadKubeconfig } from '../connection/kubeconfig.js';
import { answerError, errorOfStatus, notAPI, type Status } from '../connection/request-error.js';
import { resourcePath, RESOURCES } from '../resources.js';
import {
  type Cluster,
  type ClusterFlags,
  type KubeObject,
  type PodRef,
  PROBE_RESULTS,
  type ProbeCount,
  type ProxyRequest,
  type ProxyResponse,
  type ResourceKind,
  type Selection,
} from '../types.js';
import { type ListerWatcher, Reflector, type WatchEvent } from './reflector.js';
import { exec, portForward } from './streams.js';

export { ClusterError, type ClusterErrorCode } from '../cluster-error.js';
export { parseResource, resourcePath } from '../resources.js';
export type * from '../types.js';

/** Finds the cluster that kubectl would use; throws a ClusterError. Nothing is sent before the first request. */
export function connect(
  flags: ClusterFlags,
  env: NodeJS.ProcessEnv,
  clock: Clock = new RealClock(),
): Promise<Cluster> {
  const config = loadKubeconfig(flags, env);
  const connection = new Connection(config, clock, env, (flags.requestTimeout ?? 0) * 1000);
  return Promise.resolve({
    context: config.context,
    server: connection.urlOf(''),
    namespace: config.namespace,
    get: async (path, signal) => (await connection.json(path, signal)) as KubeObject,
    async list(kind, selection, signal) {
      const all: KubeObject[] = [];
      await listPages(connection, kind, selection, (items) => all.push(...items), signal);
      return [...new Map(all.map((item) => [item.metadata.uid, item])).values()];
    },
    reflect(kind, selection, handler, signal) {
      const api: ListerWatcher = {
        list: (onPage, stop) => listPages(connection, kind, selection, onPage, stop),
        async watch(parameters, stop) {
          const options = { watch: 'true', allowWatchBookmarks: 'true', ...parameters };
          const query = queryOf(selection, options);
          const path = `${resourcePath(kind, { namespace: selection.namespace })}?${query}`;
          const { body } = await connection.request(path, { signal: stop, bodyTimeout: 0 });
          return watchEvents(connection, kind, body);
        },
        ping: () => connection.ping(),
      };
      return new Reflector(api, handler, clock, signal).run();
    },
    log({ namespace, name, container }, previous, signal) {
      const path = `${resourcePath('pods', { namespace, name })}/log`;
      const query = `container=${container}&previous=${previous}&tailLines=20&limitBytes=16384&timestamps=true`;
      return connection.text(`${path}?${query}`, signal);
    },
    followLog: ({ namespace, name, container }, signal, since) => {
      const path = `${resourcePath('pods', { namespace, name })}/log`;
      const begin = since === undefined ? 'tailLines=100' : `sinceTime=${rfc3339(since)}`;
      const query = `container=${container}&follow=true&${begin}&timestamps=true`;
      return followedLines(connection, `${path}?${query}`, signal);
    },
    portForward: (pod, port, signal) => portForward(connection, pod, port, signal),
    exec: (container, command, options) => exec(connection, clock, container, command, options),
    proxy: (pod, request, signal) => proxyGet(connection, pod, request, signal),
    probeCounts: async (kubelet, signal) =>
      parseProbeCounts(await connection.getFromKubelet(kubelet, '/metrics/probes', signal)),
    close: () => connection.close(),
  } satisfies Cluster);
}

/** Returns the API server's error for a namespace that does not exist; undefined where the user may not read namespaces. */
export async function missingNamespace(
  cluster: Pick<Cluster, 'get'>,
  name: string,
  signal?: AbortSignal,
): Promise<ClusterError | undefined> {
  try {
    await cluster.get(resourcePath('namespaces', { name }), signal);
  } catch (error) {
    if (isNotFound(error)) return error;
  }
  return undefined;
}

/** Returns true for the API server's error about an object that does not exist. */
export function isNotFound(error: unknown): error is ClusterError {
  return error instanceof ClusterError && error.code === 'notFound';
}

const SAMPLE = /^prober_probe_total\{(.*)\} (\S+)/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Reads prober_probe_total of a kubelet's /metrics/probes, in Prometheus' text format. */
export function parseProbeCounts(text: string): readonly ProbeCount[] {
  const counts = new Map<string, ProbeCount>();
  for (const line of text.split('\n')) {
    const [, labelText, value] = SAMPLE.exec(line) ?? [];
    if (labelText === undefined) continue;
    const labels = new Map([...labelText.matchAll(LABEL)].map(([, name, of]) => [name, of ?? '']));
    const get = (name: string): string => labels.get(name) ?? '';
    const probe = PROBE_TYPES.find((type) => type === get('probe_type').toLowerCase());
    const result = PROBE_RESULTS.find((result) => result === get('result'));
    if (result === undefined || probe === undefined) continue;
    const subject = { uid: get('pod_uid'), container: get('container'), probe };
    const key = Object.values(subject).join(' ');
    const none = { successful: 0, failed: 0, unknown: 0 };
    const pod = { namespace: get('namespace'), pod: get('pod') };
    const count = counts.get(key) ?? { ...pod, ...subject, ...none };
    counts.set(key, { ...count, [result]: Number(value) });
  }
  return [...counts.values()];
}

const PAGE_SIZE = 500;
/** Pages of a list: three times the 150,000 pods that a cluster may have. */
const MAX_PAGES = 1000;

interface Page {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly KubeObject[] | null;
}

/**
 * Lists in pages, and returns the list's resourceVersion. When a page has expired, all objects are listed again in one,
 * so `onPage` may get some twice.
 */
export async function listPages(
  connection: Pick<Connection, 'json' | 'base'>,
  kind: ResourceKind,
  selection: Selection,
  onPage: (items: readonly KubeObject[]) => void,
  signal?: AbortSignal,
): Promise<string> {
  let next: string | undefined = '';
  let limit = PAGE_SIZE;
  for (let count = 0; count < MAX_PAGES; count++) {
    const page = { limit: String(limit), ...(next !== '' && { continue: next }) };
    const path = `${resourcePath(kind, { namespace: selection.namespace })}?${queryOf(selection, page)}`;
    try {
      const { metadata, items } = ((await connection.json(path, signal)) ?? {}) as Partial<Page>;
      if (!isObject(metadata) || !Array.isArray(items ?? [])) throw notAPI(connection.base);
      onPage((items ?? []).map((item) => withType(connection.base, kind, item)));
      next = metadata.continue;
      if (next === undefined || next === '') return metadata.resourceVersion;
    } catch (error) {
      if (!(error instanceof ClusterError) || error.code !== 'expired' || next === '') throw error;
      next = '';
      limit = 0;
    }
  }
  const problem = `a list of ${kind} has more than ${MAX_PAGES} pages`;
  throw new ClusterError('failed', `${connection.base.origin}: ${problem}`);
}

async function* watchEvents(
  connection: Connection,
  kind: ResourceKind,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<WatchEvent> {
  try {
    for await (const line of linesOf(connection.base, body)) {
      const { type, object } = JSON.parse(line) as WatchEvent | { type: 'ERROR'; object: Status };
      if (type === 'ERROR') throw errorOfStatus(object, connection.base);
      yield { type, object: withType(connection.base, kind, object) };
    }
  } catch (error) {
    throw connection.error(error);
  }
}

async function* followedLines(
  connection: Connection,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  try {
    const { body } = await connection.request(path, { signal, bodyTimeout: 0 });
    yield* linesOf(connection.base, body);
  } catch (error) {
    throw connection.error(error);
  }
}

/** Characters of an event; an API server accepts objects of at most 3 MiB. */
const MAX_LINE = 16 * 1024 * 1024;

async function* linesOf(server: URL, body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const splitter = new LineSplitter();
  for await (const chunk of body) {
    const lines = splitter.add(chunk);
    if (splitter.rest.length > MAX_LINE) throw notAPI(server);
    yield* lines.filter((line) => line !== '');
  }
}

/** Adds the kind, which items of a list lack, and drops managedFields. */
function withType(server: URL, kind: ResourceKind, object: KubeObject): KubeObject {
  if (!isObject(object) || !isObject(object.metadata)) throw notAPI(server);
  const { managedFields: _, ...metadata } = object.metadata;
  // A bookmark has no name.
  const { name = '' } = metadata as { readonly name?: unknown };
  if (typeof name !== 'string') throw notAPI(server);
  const { group, version, kind: type } = RESOURCES[kind];
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return { ...object, apiVersion, kind: type, metadata: { ...metadata, name } };
}

export function queryOf(
  { name, labelSelector, fieldSelector }: Selection,
  parameters: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams(parameters);
  const fields = [fieldSelector, name && `metadata.name=${name}`].filter(Boolean).join(',');
  if (fields !== '') query.set('fieldSelector', fields);
  if (labelSelector) query.set('labelSelector', labelSelector);
  return query.toString();
}

/**
 * Gets a path of a pod through pods/proxy of the API server, which drops Authorization and sets Host itself. Throws a
 * ClusterError when the pod cannot be reached.
 */
export async function proxyGet(
  connection: Connection,
  { namespace, name }: PodRef,
  { scheme, port, path, headers, timeout, maxBody }: ProxyRequest,
  signal: AbortSignal,
): Promise<ProxyResponse> {
  const pod = resourcePath('pods', { namespace, name: `${scheme}:${name}:${port}` });
  const names = Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value] as const);
  const sent = names.filter(([key]) => key !== 'authorization' && key !== 'host');
  const response = await connection.request(`${pod}/proxy/${path.replace(/^\//, '')}`, {
    signal,
    headers: Object.fromEntries(sent),
    anyStatus: true,
    headersTimeout: timeout,
    bodyTimeout: timeout,
  });
  let body = Buffer.alloc(0);
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    body = Buffer.concat([body, chunk]).subarray(0, maxBody);
    if (body.length === maxBody) break;
  }
  const { statusCode: status } = response;
  if (status < 400 || !body.includes('"kind":"Status"')) return { status, body };
  // The answer may be the API server's own, rather than the pod's.
  const error = answerError(status, body.toString(), connection.base);
  const unreached = error.message.startsWith('error trying to reach service');
  const missing = status === 404 && error.message.startsWith('pods ');
  if (error.rule !== undefined || status === 401 || unreached || missing) throw error;
  return { status, body };
}
