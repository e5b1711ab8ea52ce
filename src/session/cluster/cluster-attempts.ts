import type { Pod, Probe } from '../../api/index.js';
import { type AttemptOptions, podExec, Tunnels } from '../../cluster/attempts.js';
import { ClusterError, withRule } from '../../cluster/cluster-error.js';
import type { Cluster, ProxyRequest } from '../../cluster/types.js';
import { isLoopback } from '../../go/addr.js';
import { latin1, toText } from '../../go/byte-string.js';
import type { HttpRequest } from '../../go/http/request.js';
import {
  type Destination,
  destinationOf,
  getErrorText,
  requestURI,
  stripPassword,
} from '../../go/url.js';
import {
  type AttemptRoute,
  type ExecResult,
  type ProbeOutcome,
  type ProbeTarget,
  type ProbeTransports,
  RuntimeError,
} from '../../kubelet/ports.js';
import { httpOutcome } from '../../kubelet/prober/http-request.js';
import { MAX_RESP_BODY_LENGTH } from '../../probe/http/http-probe.js';
import { createTransports } from '../../probe/transports.js';
import { UsageError } from '../../usage-error.js';

interface ClusterAttemptsOptions extends Omit<AttemptOptions, 'pod'> {
  readonly cluster: Cluster;
  readonly pod: Pod;
  readonly podIP: string;
  /** Route of HTTP attempts. */
  readonly via: 'port-forward' | 'proxy';
  /** Version in the User-Agent, such as `1.36`. */
  readonly kubeletVersion: string;
}

/** Attempts at a pod of a cluster, made from here through the API server. */
export interface ClusterAttempts {
  readonly transports: ProbeTransports;
  readonly exec: (
    container: string,
    command: readonly string[],
    timeoutSeconds: number,
  ) => Promise<ExecResult>;
  /** Rejects when the cluster denies an attempt; that attempt never ends, since its result says nothing about the pod. */
  readonly denied: Promise<never>;
}

/** Milliseconds to wait for the end of a connection: a runtime reports it a second late, unless both sides have ended it. */
const CLOSE_GRACE = 2000;

export function clusterAttempts(unguarded: ClusterAttemptsOptions): ClusterAttempts {
  const { cluster, denied } = guarded(unguarded);
  const options = { ...unguarded, cluster };
  const { clock, kubeletVersion } = options;
  const access = { ...options, pod: options.pod.metadata };
  const tunnels = new Tunnels(access);
  const connect = (target: ProbeTarget, host: string, to: number) => {
    const error = unreachable(options, host);
    return error === undefined ? tunnels.connect(target, to) : Promise.reject(error);
  };
  const inner = createTransports({ clock, kubeletVersion, connect, closeGrace: CLOSE_GRACE });
  const tunneled = (
    target: ProbeTarget,
    to: Destination,
    work: () => Promise<ProbeOutcome>,
  ): Promise<ProbeOutcome> =>
    through('port-forward', async () => {
      const error = unreachable(options, to.host);
      if (error !== undefined) throw error;
      await tunnels.prepare(target, to.port);
      return work();
    });
  return {
    denied,
    exec: (...call) => podExec(access, ...call),
    transports: {
      http: (target, request, timeout, ...rest) =>
        options.via === 'proxy'
          ? through('proxy', () => proxied(options, request, timeout))
          : tunneled(target, destinationOf(request.url), () =>
              inner.http(target, request, timeout, ...rest),
            ),
      tcp: (target, host, to, timeout, ...rest) =>
        tunneled(target, { host, port: to }, async () => {
          await tunnels.settle(target, timeout * 1000);
          return inner.tcp(target, host, to, timeout, ...rest);
        }),
      grpc: (target, host, to, ...rest) =>
        tunneled(target, { host, port: to }, () => inner.grpc(target, host, to, ...rest)),
      // Hooks belong to the cluster's kubelet.
      httpHook: () => Promise.resolve(undefined),
    },
  };
}

/** Returns the cluster with requests that never end when they are denied, and the promise that rejects then. */
function guarded({
  cluster,
  signal,
}: ClusterAttemptsOptions): Pick<ClusterAttempts, 'denied'> & { cluster: Cluster } {
  let deny: (error: ClusterError) => void;
  const denied = new Promise<never>((_, reject) => (deny = reject));
  denied.catch(() => undefined);
  const guard =
    <Args extends unknown[], T>(request: (...args: Args) => Promise<T>) =>
    (...args: Args): Promise<T> =>
      request(...args).catch((error: unknown) => {
        // A request that is canceled rejects with the exit code.
        if (signal.aborted) throw new RuntimeError('kprobe has stopped');
        if (!(error instanceof ClusterError) || error.code !== 'forbidden') throw error;
        deny(error);
        return new Promise(() => undefined);
      });
  const requests = {
    exec: guard((...args: Parameters<Cluster['exec']>) => cluster.exec(...args)),
    portForward: guard((...args: Parameters<Cluster['portForward']>) =>
      cluster.portForward(...args),
    ),
    proxy: guard((...args: Parameters<Cluster['proxy']>) => cluster.proxy(...args)),
  };
  return { denied, cluster: { ...cluster, ...requests } };
}

/** Returns the reason why a host cannot be reached through the pod; undefined where it can. */
function unreachable(
  { pod, podIP }: Pick<ClusterAttemptsOptions, 'pod' | 'podIP'>,
  host: string,
): RuntimeError | undefined {
  if (host === podIP) return undefined;
  if (isLoopback(host) && pod.spec.hostNetwork === true) return undefined;
  const destination = isLoopback(host) ? `${host} of the node` : host;
  return new RuntimeError(
    `the kubelet would contact ${destination}: from here, kprobe only reaches the pod's own address`,
  );
}

/** Adds the route to the details of an attempt; an attempt that cannot be made is an error. */
async function through(
  via: AttemptRoute,
  work: () => Promise<ProbeOutcome>,
): Promise<ProbeOutcome> {
  try {
    const outcome = await work();
    const { detail, reason } = outcome;
    if (detail === undefined) return outcome;
    // The tunnel opens before the pod's port refuses: its timings show nothing about the pod.
    const isRefused = reason === 'refused' || reason === 'notConnected';
    const timings = isRefused ? { total: detail.timings.total } : detail.timings;
    return { ...outcome, detail: { ...detail, via, timings } };
  } catch (error) {
    if (!(error instanceof RuntimeError)) throw error;
    return { result: 'unknown', output: '', error: error.message };
  }
}

async function proxied(
  { cluster, clock, pod, podIP, signal }: ClusterAttemptsOptions,
  request: HttpRequest,
  timeoutSeconds: number,
): Promise<ProbeOutcome> {
  const address = `${podIP}:${destinationOf(request.url).port}`;
  const begin = clock.now();
  const detail = () => ({ address, timings: { total: clock.now() - begin } });
  const failed = (cause: string, reason: ProbeOutcome['reason']): ProbeOutcome => {
    const output = toText(getErrorText(stripPassword(request.url), cause));
    return { result: 'failure', output, reason, detail: detail() };
  };
  const timeout = AbortSignal.timeout(timeoutSeconds * 1000);
  try {
    const sent = proxyRequest(request, timeoutSeconds);
    const either = AbortSignal.any([signal, timeout]);
    const { status, body } = await cluster.proxy(pod.metadata, sent, either);
    const response = `HTTP ${status}`;
    return { ...httpOutcome(status, latin1(body)), detail: { ...detail(), response, body } };
  } catch (error) {
    if (timeout.aborted) {
      const cause = 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';
      return failed(cause, 'timeout');
    }
    if (!(error instanceof ClusterError)) throw error;
    const [, dialed] = /error trying to reach service: (.*)/.exec(error.message) ?? [];
    if (dialed === undefined) throw new RuntimeError(withRule(error));
    return failed(dialed, dialed.includes('connection refused') ? 'refused' : undefined);
  }
}

function proxyRequest(request: HttpRequest, timeoutSeconds: number): ProxyRequest {
  const { url, header } = request;
  return {
    scheme: url.scheme === 'https' ? 'https' : 'http',
    port: destinationOf(url).port,
    path: toText(requestURI(url)),
    headers: Object.fromEntries([...header].map(([name, values]) => [name, values.join(', ')])),
    timeout: timeoutSeconds * 1000,
    maxBody: MAX_RESP_BODY_LENGTH,
  };
}

const DIFFERENCES: Readonly<Record<AttemptRoute, string>> = {
  'port-forward':
    "attempts via port-forward go to localhost in the pod's network, not to the pod's address: a server on 127.0.0.1 alone answers here and not to the kubelet, NetworkPolicies and a mesh do not apply, a TCP probe succeeds when the port does not refuse within 250 ms, and the end of an answer without Content-Length comes a second late",
  exec: "attempts via exec have a timeout of kprobe's own: a command that takes longer goes on in the container, where the kubelet would kill it",
  proxy:
    "attempts via proxy come from the API server to the pod's address: it sets Host, drops Authorization, and redirects are not followed",
};

/**
 * Describes the routes of probes, one sentence per route.
 *
 * @throws UsageError when no probe can use the route that was asked for
 */
export function describeDifferences(
  probes: readonly Probe[],
  via?: AttemptRoute,
): readonly string[] {
  const used = probes.map((probe) => routeOf(probe, via));
  if (via !== undefined && !used.includes(via)) {
    throw new UsageError(`--via ${via} is for ${PROBES_OF_ROUTE[via]} probes: there are none`);
  }
  return Object.entries(DIFFERENCES).flatMap(([route, text]) =>
    used.some((each) => each === route) ? [text] : [],
  );
}

const PROBES_OF_ROUTE: Readonly<Record<AttemptRoute, string>> = {
  'port-forward': 'HTTP, TCP and gRPC',
  exec: 'exec',
  proxy: 'HTTP',
};

function routeOf(probe: Probe, via: AttemptRoute | undefined): AttemptRoute {
  if (probe.exec !== undefined) return 'exec';
  return probe.httpGet !== undefined && via === 'proxy' ? 'proxy' : 'port-forward';
}
