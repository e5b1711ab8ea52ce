import { JsonReader } from '../../api/index.js';
import type { Clock, Timer } from '../../clock/clock.js';
import { parseTime } from '../../clock/rfc3339.js';
import { ClusterError } from '../../cluster/cluster-error.js';
import { resourcePath } from '../../cluster/resources.js';
import type { Cluster, KubeObject, ProbeCount } from '../../cluster/types.js';
import type { EventOf } from '../../trace/event.js';

/** Milliseconds between two requests to a node, and nodes that are asked at once. */
const PERIOD = 15_000;
const NODES_AT_ONCE = 10;

export interface PodOnNode {
  readonly uid: string;
  readonly node: string;
  readonly hostIP: string | undefined;
}

/** Returns where a pod runs; undefined before it is scheduled. */
export function placeOf({ metadata, spec, status }: KubeObject): PodOnNode | undefined {
  const node = new JsonReader(spec).text('nodeName');
  const hostIP = new JsonReader(status).text('hostIP') || undefined;
  return node === '' ? undefined : { uid: metadata.uid, node, hostIP };
}

/** Data that the user may not be allowed to read. */
export type PolledData = 'nodes' | 'probeCounts';

/** The data for which a request has been answered, will not be made again, or has a note. */
type KnownAnswers = Readonly<Record<'answered' | 'denied' | 'reported', Set<PolledData>>>;

interface NodePolling {
  readonly clock: Clock;
  readonly cluster: Pick<Cluster, 'get' | 'probeCounts'>;
  readonly signal: AbortSignal;
  readonly pods: () => Iterable<PodOnNode>;
  readonly onNode: (node: KubeObject, uid: string) => void;
  readonly onCounts: (counts: readonly ProbeCount[], uid: string) => void;
  /** Receives once why something may not be read. */
  readonly onDenied: (data: PolledData, error: ClusterError) => void;
}

/** Asks for the nodes of the watched pods, and their kubelets for their probe counts, until aborted. */
export function pollNodes(polling: NodePolling): void {
  const { clock, signal } = polling;
  const known: KnownAnswers = { answered: new Set(), denied: new Set(), reported: new Set() };
  let timer: Timer | undefined;
  const poll = async (): Promise<void> => {
    const nodes = [...podsByNode(polling.pods())];
    while (nodes.length > 0 && !signal.aborted) {
      await Promise.all(
        nodes.splice(0, NODES_AT_ONCE).map(([name, pods]) => pollNode(polling, name, pods, known)),
      );
    }
    if (!signal.aborted) timer = clock.setTimeout(() => void poll(), PERIOD);
  };
  signal.addEventListener('abort', () => timer?.cancel(), { once: true });
  void poll();
}

function podsByNode(pods: Iterable<PodOnNode>): Map<string, PodOnNode[]> {
  const nodes = new Map<string, PodOnNode[]>();
  for (const pod of pods) nodes.set(pod.node, [...(nodes.get(pod.node) ?? []), pod]);
  return nodes;
}

async function pollNode(
  polling: NodePolling,
  name: string,
  pods: readonly PodOnNode[],
  known: KnownAnswers,
): Promise<void> {
  const { cluster, signal, onNode, onCounts } = polling;
  const node = await requestAllowed(polling, known, 'nodes', () =>
    cluster.get(resourcePath('nodes', { name }), signal),
  );
  if (node !== undefined) for (const { uid } of pods) onNode(node, uid);
  // While the API server is unreachable, the kubelet's port is not known.
  else if (!known.denied.has('nodes')) return;
  const status = new JsonReader(node?.['status']);
  const port = status.in('daemonEndpoints').in('kubeletEndpoint').number('Port') || undefined;
  const addresses = status.list('addresses');
  const hosts = [
    ...pods.flatMap(({ hostIP }) => hostIP ?? []).slice(0, 1),
    ...addresses
      .filter((each) => each.text('type') === 'Hostname')
      .map((each) => each.text('address')),
  ];
  if (hosts.length === 0) return;
  const counts = await requestAllowed(polling, known, 'probeCounts', () =>
    countsOf(polling, hosts, port),
  );
  if (counts === undefined) return;
  for (const pod of pods) {
    onCounts(
      counts.filter(({ uid }) => uid === pod.uid),
      pod.uid,
    );
  }
}

/** Asks a kubelet at the first of its addresses that can be reached. */
async function countsOf(
  polling: NodePolling,
  [host = '', ...others]: readonly string[],
  port: number | undefined,
): Promise<readonly ProbeCount[]> {
  const { cluster, signal } = polling;
  try {
    return await cluster.probeCounts({ host, port }, signal);
  } catch (error) {
    const isAway = error instanceof ClusterError && error.code === 'unreachable';
    if (!isAway || others.length === 0) throw error;
    return countsOf(polling, others, port);
  }
}

/** Errors that a retry does not fix. Where a request was allowed before, they pass: a kubelet refuses all requests while its API server is unreachable. */
export const LASTING: readonly string[] = ['forbidden', 'unauthorized', 'untrusted', 'notFound'];

/** Asks again after an outage, but not after a denial, which it reports once. */
async function requestAllowed<T>(
  { onDenied, signal }: NodePolling,
  { answered, denied, reported }: KnownAnswers,
  data: PolledData,
  ask: () => Promise<T>,
): Promise<T | undefined> {
  if (denied.has(data)) return undefined;
  try {
    const answer = await ask();
    answered.add(data);
    return answer;
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!(error instanceof ClusterError)) throw error;
    const isDenied = LASTING.includes(error.code) && !answered.has(data);
    if (isDenied) denied.add(data);
    if ((isDenied || data !== 'nodes') && !reported.has(data)) onDenied(data, error);
    reported.add(data);
    return undefined;
  }
}

/** The number of logs that are read at once when many pods crash together. */
const LOGS_AT_ONCE = 10;

interface LogReading {
  readonly cluster: Pick<Cluster, 'log'>;
  readonly signal: AbortSignal;
  /** Receives once why logs may not be read. */
  readonly onDenied: (error: ClusterError) => void;
}

export type LoggedRun = Pick<EventOf<'exited'>, 'pod' | 'container' | 'run'>;
/** A line of a log; `at` is when it was written, in milliseconds since the epoch. */
export type LogLine = Pick<EventOf<'output'>, 'text' | 'at'>;
/** The last lines of a run; undefined where the cluster does not give them. */
type LogLines = readonly LogLine[] | undefined;

/** Returns a reader of the last lines of a container's run: its status rarely says why it crashed, or what it waits for. */
export function logReader(
  reading: LogReading,
): (run: LoggedRun, restartCount: number) => Promise<LogLines> {
  const lanes = Array.from({ length: LOGS_AT_ONCE }, (): Promise<LogLines> => Promise.resolve([]));
  let requests = 0;
  let isDenied = false;
  const deny = (error: ClusterError): void => {
    if (!isDenied) reading.onDenied(error);
    isDenied = true;
  };
  const read = async (ended: LoggedRun, restartCount: number): Promise<LogLines> => {
    if (isDenied) return undefined;
    try {
      return await readLog(reading, ended, restartCount);
    } catch (error) {
      if (reading.signal.aborted) return undefined;
      if (!(error instanceof ClusterError)) throw error;
      if (error.code === 'forbidden') deny(error);
      return undefined;
    }
  };
  return (...crash) => {
    const lane = requests++ % LOGS_AT_ONCE;
    return (lanes[lane] = (lanes[lane] ?? Promise.resolve([])).then(() => read(...crash)));
  };
}

async function readLog(
  { cluster, signal }: LogReading,
  { pod, container, run }: LoggedRun,
  restartCount: number,
): Promise<LogLines> {
  const later = restartCount - run;
  if (later > 1) return undefined;
  const [namespace = '', name = ''] = pod.split('/');
  const text = await cluster.log({ namespace, name, container }, later === 1, signal);
  // This is the kubelet's text for a container that is gone.
  if (text.startsWith('unable to retrieve container logs for ')) return undefined;
  const lines = text.split('\n').map(parseLogLine);
  return lines.filter((line) => line.text.trimEnd() !== '');
}

/** Reads `2026-11-29T11:17:40.123456789Z text`. */
export function parseLogLine(line: string): LogLine {
  const end = line.indexOf(' ');
  const at = parseTime(line.slice(0, Math.max(0, end)));
  return at === undefined ? { text: line } : { text: line.slice(end + 1), at };
}
