import type { Duplex } from 'node:stream';

import type { Decoded, v1 } from '../api/index.js';
import type { ClusterError } from './cluster-error.js';
import type { ResourceKind } from './resources.js';

export type { ResourceKind };

export interface ClusterFlags {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly cluster?: string | undefined;
  readonly user?: string | undefined;
  readonly namespace?: string | undefined;
  readonly server?: string | undefined;
  readonly token?: string | undefined;
  readonly as?: string | undefined;
  readonly asGroup?: readonly string[] | undefined;
  readonly asUid?: string | undefined;
  readonly certificateAuthority?: string | undefined;
  readonly clientCertificate?: string | undefined;
  readonly clientKey?: string | undefined;
  readonly insecureSkipTlsVerify?: boolean | undefined;
  readonly tlsServerName?: string | undefined;
  /** Seconds; 0 or absent: no limit. */
  readonly requestTimeout?: number | undefined;
}

export interface Selection {
  /** All namespaces when absent. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

export type ObjectMeta = Decoded<v1.ObjectMeta> & {
  readonly [Field in 'name' | 'uid' | 'resourceVersion']: string;
};

export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

export type ConnectionState =
  { readonly up: true } | { readonly up: false; readonly error: ClusterError };

/** Handles the reports of list and watch; each change is reported exactly once. */
export interface ReflectHandler {
  upsert(object: KubeObject): void;
  /** Called for an object that is gone. After a relist, it has only name, namespace, uid and resourceVersion. */
  remove(object: KubeObject): void;
  synced(): void;
  /** Called once for each change. */
  connection(state: ConnectionState): void;
}

export interface PodRef {
  readonly namespace: string;
  readonly name: string;
}

export interface ContainerRef extends PodRef {
  readonly container: string;
}

export interface ExecOptions {
  /** Milliseconds; after it, the command still runs in the container. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly onOutput: (stream: 'stdout' | 'stderr', data: Uint8Array) => void;
}

/** The end of a command, or kprobe's own timeout. */
export type ExecEnd =
  | { readonly kind: 'exited'; readonly exitCode: number }
  /** The container runtime could not start or follow the command. */
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'timeout' };

export interface ProxyRequest {
  readonly scheme: 'http' | 'https';
  readonly port: number;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds. */
  readonly timeout: number;
  /** Bytes of the body that are read. */
  readonly maxBody: number;
}

export interface ProxyResponse {
  readonly status: number;
  readonly body: Uint8Array;
}

export interface KubeletRef {
  /** An IP address or a host name: a pod's hostIP, or the node's InternalIP. */
  readonly host: string;
  /** 10250 when absent. */
  readonly port?: number | undefined;
}

/** The results by which a kubelet counts attempts. */
export const PROBE_RESULTS = ['successful', 'failed', 'unknown'] as const;

export type ProbeTotals = Readonly<Record<(typeof PROBE_RESULTS)[number], number>>;

/** prober_probe_total of one probe: cumulative since the kubelet's worker for it began. */
export interface ProbeCount extends ProbeTotals {
  readonly namespace: string;
  readonly pod: string;
  readonly uid: string;
  readonly container: string;
  readonly probe: 'startup' | 'readiness' | 'liveness';
}

export interface Cluster {
  /** Empty when kprobe runs in the cluster. */
  readonly context: string;
  readonly server: string;
  /** The flag's namespace, else the context's, else `default`. */
  readonly namespace: string;
  get(path: string, signal?: AbortSignal): Promise<KubeObject>;
  /** Lists and watches until aborted. Rejects only with errors that waiting does not fix: forbidden, unauthorized, not found. */
  reflect(
    kind: ResourceKind,
    selection: Selection,
    handler: ReflectHandler,
    signal: AbortSignal,
  ): Promise<void>;
  list(
    kind: ResourceKind,
    selection: Selection,
    signal?: AbortSignal,
  ): Promise<readonly KubeObject[]>;
  /** Reads the end of a container's log: of its last run, or of the one before that. */
  log(container: ContainerRef, previous: boolean, signal?: AbortSignal): Promise<string>;
  /** Yields the latest lines of a container's log, or those since a time in whole seconds, and later ones until its run ends. */
  followLog(container: ContainerRef, signal: AbortSignal, since?: number): AsyncIterable<string>;
  portForward(pod: PodRef, port: number, signal: AbortSignal): Promise<Duplex>;
  exec(container: ContainerRef, command: readonly string[], options: ExecOptions): Promise<ExecEnd>;
  proxy(pod: PodRef, request: ProxyRequest, signal: AbortSignal): Promise<ProxyResponse>;
  probeCounts(kubelet: KubeletRef, signal?: AbortSignal): Promise<readonly ProbeCount[]>;
  close(): Promise<void>;
}
