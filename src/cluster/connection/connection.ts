import { setMaxListeners } from 'node:events';
import { BlockList, isIP } from 'node:net';

import { Agent, type Dispatcher, ProxyAgent, request } from 'undici';

import { type Clock, untilAborted } from '../../clock/clock.js';
import { isLoopback } from '../../go/addr.js';
import { boundedText } from '../../text/bounded-text.js';
import { ClusterError } from '../cluster-error.js';
import type { KubeletRef } from '../types.js';
import { type ClientCertificate, Credentials } from './credentials.js';
import { type ClusterConfig, fileOrData } from './kubeconfig.js';
import { answerError, connectionError } from './request-error.js';

/** Milliseconds. */
const CONNECT_TIMEOUT = 10_000;
const UPGRADE_TIMEOUT = 10_000;
const HEADERS_TIMEOUT = 60_000;
const PING_TIMEOUT = 5000;

interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Watches have no limit between two chunks of their body. */
  readonly bodyTimeout?: number;
  readonly headersTimeout?: number;
  /** Error statuses are returned, not thrown. */
  readonly anyStatus?: boolean;
}

/** HTTP to one API server, with the user's credentials. */
export class Connection {
  readonly #credentials: Credentials;
  #known: { readonly cert: string; readonly dispatcher: Dispatcher } | undefined;
  #ping: Promise<void> | undefined;
  readonly base: URL;

  /** `timeout` is in milliseconds; 0 means no timeout. */
  constructor(
    private readonly config: ClusterConfig,
    clock: Clock,
    private readonly env: NodeJS.ProcessEnv,
    private readonly timeout = 0,
  ) {
    this.#credentials = new Credentials(config, clock, env, timeout);
    const { server } = config.cluster;
    const url = server.includes('://') ? server : `http://${server}`;
    if (!URL.canParse(url) || !/^https?:/i.test(url)) {
      throw new ClusterError('invalid', 'the server of the cluster is not an http or https URL');
    }
    this.base = new URL(url);
  }

  /** Resolves with the response; expired credentials are renewed once. */
  async request(path: string, options: RequestOptions = {}): Promise<Dispatcher.ResponseData> {
    let response = await this.#send(path, options);
    if (response.statusCode === 401 && this.#credentials.refresh()) {
      await response.body.dump();
      response = await this.#send(path, options);
    }
    if (response.statusCode < 300 || options.anyStatus === true) return response;
    const { statusCode, headers, body } = response;
    throw await this.refusal(statusCode, await textOf(body, this.base), headers['retry-after']);
  }

  /** Gets JSON, within the time of --request-timeout. */
  json(path: string, signal?: AbortSignal): Promise<unknown> {
    return this.#within(
      this.timeout,
      signal,
      async (all) => JSON.parse(await this.#get(path, all)) as unknown,
    );
  }

  /** Gets a text, within the time of --request-timeout. */
  text(path: string, signal?: AbortSignal): Promise<string> {
    return this.#within(this.timeout, signal, (all) => this.#get(path, all));
  }

  async #get(path: string, signal: AbortSignal): Promise<string> {
    const { body } = await this.request(path, { signal });
    return textOf(body, this.base);
  }

  /** Does the work of opening a WebSocket, within the time of --request-timeout or 10 s. */
  upgrade<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.#within(this.timeout || UPGRADE_TIMEOUT, signal, work);
  }

  /** Requests the server's version, once for all callers. A status of 500 or more is a failure: a proxy without a server answers 502. */
  ping(): Promise<void> {
    this.#ping ??= this.#within(PING_TIMEOUT, undefined, async (signal) => {
      const { statusCode, body } = await this.request('/version', { signal, anyStatus: true });
      const text = await textOf(body, this.base);
      if (statusCode >= 500) throw await this.refusal(statusCode, text);
    }).finally(() => (this.#ping = undefined));
    return this.#ping;
  }

  /** Ends work that takes longer than `limit` milliseconds; 0 means no limit. */
  async #within<T>(
    limit: number,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const limits = limit === 0 ? [] : [AbortSignal.timeout(limit)];
    const all = AbortSignal.any([...(signal === undefined ? [] : [signal]), ...limits]);
    try {
      return await work(all);
    } catch (error) {
      if (limits.some(({ aborted }) => aborted) && signal?.aborted !== true) {
        const from = this.#credentials.pending ?? this.base.origin;
        throw new ClusterError('timeout', `${from}: no answer within ${limit / 1000} s`);
      }
      throw signal?.aborted === true ? error : this.error(error);
    }
  }

  /** Returns headers and a dispatcher for a request or a WebSocket. */
  async open() {
    // Like client-go, sends no credentials over plain HTTP.
    const isSafe = this.base.protocol === 'https:';
    const certificate = isSafe ? await this.#credentials.certificate() : undefined;
    const headers = isSafe ? await this.#credentials.headers() : {};
    return { headers, dispatcher: this.#dispatcherFor(certificate) };
  }

  /** Forgets credentials that the server has refused; returns true if there may be others. */
  refresh(): boolean {
    return this.#credentials.refresh();
  }

  urlOf(path: string): string {
    return `${this.base.origin}${this.base.pathname.replace(/\/$/, '')}${path}`;
  }

  /** Gets a path from a kubelet. It gets a token only if its certificate verifies; a client certificate is no secret. */
  async getFromKubelet(
    { host, port = 10250 }: KubeletRef,
    path: string,
    signal?: AbortSignal,
  ): Promise<string> {
    const origin = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
    if (!URL.canParse(origin)) throw new ClusterError('unreachable', `${origin}: no address`);
    const base = new URL(origin);
    if (this.config.user.as !== undefined) {
      const problem = 'a kubelet knows no impersonation (--as)';
      throw new ClusterError('forbidden', `${base.origin}: ${problem}`);
    }
    const certificate = await this.#credentials.certificate();
    const headers = certificate === undefined ? await this.#credentials.headers() : {};
    const dispatcher = this.#createDispatcher(base, certificate, certificate !== undefined);
    try {
      const url = new URL(path, base);
      const { statusCode, body } = await request(url, { dispatcher, headers, signal });
      const text = await textOf(body, base);
      if (statusCode !== 200) throw answerError(statusCode, text, base);
      return text;
    } catch (error) {
      if (signal?.aborted === true) throw error;
      throw this.#hideSecrets(connectionError(error, base, HEADERS_TIMEOUT));
    } finally {
      void dispatcher.destroy();
    }
  }

  /** Turns the error of a request into a ClusterError; leaves an abort as it is. */
  error(error: unknown): Error {
    return this.#hideSecrets(connectionError(error, this.base, this.#headersTimeout));
  }

  get #headersTimeout(): number {
    return this.timeout || HEADERS_TIMEOUT;
  }

  async refusal(status: number, body: string, retryAfter?: string | string[]): Promise<Error> {
    const error = answerError(status, body, this.base, retryAfter);
    const expired = error.code === 'unauthorized' ? await this.#credentials.expired() : undefined;
    if (expired === undefined) return this.#hideSecrets(error);
    return new ClusterError('unauthorized', `${this.base.origin}: ${expired}`);
  }

  #hideSecrets(error: Error): Error {
    // The message of an abort cannot be changed, and says nothing.
    if (!(error instanceof ClusterError)) return error;
    for (const secret of this.#credentials.secrets) {
      error.message = error.message.replaceAll(secret, '***');
    }
    return error;
  }

  async close(): Promise<void> {
    await this.#known?.dispatcher.destroy();
  }

  async #send(path: string, options: RequestOptions): Promise<Dispatcher.ResponseData> {
    const { headers, dispatcher } = await unlessAborted(options.signal, this.open());
    if (options.signal !== undefined) setMaxListeners(0, options.signal);
    try {
      return await request(this.urlOf(path), {
        dispatcher,
        signal: options.signal,
        headers: {
          accept: 'application/json',
          'user-agent': 'kprobe',
          ...headers,
          ...options.headers,
        },
        headersTimeout: options.headersTimeout ?? this.#headersTimeout,
        bodyTimeout: options.bodyTimeout ?? HEADERS_TIMEOUT,
      });
    } catch (error) {
      throw options.signal?.aborted === true ? error : this.error(error);
    }
  }

  #dispatcherFor(certificate: ClientCertificate | undefined): Dispatcher {
    const { cert = '' } = certificate ?? {};
    if (this.#known?.cert === cert) return this.#known.dispatcher;
    // Requests in progress keep the old dispatcher until they end.
    void this.#known?.dispatcher.close();
    const insecure = this.config.cluster['insecure-skip-tls-verify'] === true;
    const dispatcher = this.#createDispatcher(this.base, certificate, insecure);
    this.#known = { cert, dispatcher };
    return dispatcher;
  }

  #createDispatcher(
    server: URL,
    certificate: ClientCertificate | undefined,
    insecure: boolean,
  ): Dispatcher {
    const { cluster } = this.config;
    const ca = fileOrData(cluster['certificate-authority'], cluster['certificate-authority-data']);
    const name = server === this.base ? cluster['tls-server-name'] : undefined;
    const connect = {
      ...certificate,
      ...(ca !== undefined && { ca }),
      ...(name && { servername: name }),
      rejectUnauthorized: !insecure,
      timeout: CONNECT_TIMEOUT,
    };
    const proxy = proxyOf(server, cluster['proxy-url'], this.env);
    if (proxy === undefined) return new Agent({ connect, headersTimeout: HEADERS_TIMEOUT });
    return new ProxyAgent({ uri: proxy, requestTls: connect, headersTimeout: HEADERS_TIMEOUT });
  }
}

/** Bytes of an answer; the API server sends a page of 500 objects at a time. */
const MAX_ANSWER = 128 * 1024 * 1024;

/** Reads an answer; throws a ClusterError for one that may never end. */
export async function textOf(body: AsyncIterable<Uint8Array>, server: URL): Promise<string> {
  const text = await boundedText(body, MAX_ANSWER);
  if (text !== undefined) return text;
  throw new ClusterError('failed', `${server.origin}: an answer is longer than 128 MiB`);
}

/** Waits for work that no signal ends, such as a credential plugin that several requests share. */
async function unlessAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return work;
  const result = await untilAborted(signal, work, ABORTED);
  if (result !== ABORTED) return result;
  throw signal.reason;
}

const ABORTED = Symbol('aborted');

const SCHEMES = ['http:', 'https:', 'socks5:'];

/** Returns the proxy to a server as Go's http.ProxyFromEnvironment does, after the cluster's proxy-url. Throws a ClusterError. */
export function proxyOf(
  server: URL,
  configured: string | undefined,
  env: NodeJS.ProcessEnv,
): string | undefined {
  const name = server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const isConfigured = configured !== undefined && configured !== '';
  const value = isConfigured ? configured : env[name] || env[name.toLowerCase()];
  if (value === undefined || value === '' || (!isConfigured && isDirect(server, env)))
    return undefined;
  const url = isConfigured || value.includes('://') ? value : `http://${value}`;
  if (!URL.canParse(url) || !SCHEMES.includes(new URL(url).protocol)) {
    const where = isConfigured ? 'proxy-url' : name;
    throw new ClusterError('invalid', `${where} is not an http, https or socks5 URL`);
  }
  return url;
}

/** Reports whether no proxy is used: NO_PROXY covers the server, or it is on this machine, as in Go. */
function isDirect(server: URL, env: NodeJS.ProcessEnv): boolean {
  const host = server.hostname.replace(/^\[|\]$/g, '');
  const port = server.port === '' ? (server.protocol === 'https:' ? '443' : '80') : server.port;
  if (isLoopback(host)) return true;
  const list = (env.NO_PROXY || env.no_proxy || '').toLowerCase().split(',');
  return list.some((item) => matches(item.trim(), host, port));
}

function matches(item: string, host: string, port: string): boolean {
  if (item === '*') return true;
  if (item.includes('/')) return isIn(item, host);
  const [, name = item, itemPort] = /^(.*?)(?::(\d+))?$/.exec(item) ?? [];
  if (name === '' || (itemPort !== undefined && itemPort !== port)) return false;
  const domain = name.replace(/^\*?\./, '.');
  if (domain.startsWith('.')) return host.endsWith(domain);
  return host === domain || host.endsWith(`.${domain}`);
}

function isIn(network: string, host: string): boolean {
  const [address = '', prefix] = network.split('/');
  const family = isIP(host) === 6 ? 'ipv6' : 'ipv4';
  if (isIP(host) === 0 || isIP(address) !== isIP(host)) return false;
  const list = new BlockList();
  list.addSubnet(address, Number(prefix), family);
  return list.check(host, family);
}
