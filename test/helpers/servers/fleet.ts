import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

import { toText } from '../../../src/go/byte-string.js';
import { type HttpServing, plainHTTPAnswer, serveHTTP } from './http-server.js';
import { holdFull, holdUnaccepted, holdUnlistened } from './raw-listen.js';
import { runScript } from './script-server.js';
import { ServerConn } from './server-conn.js';
import type { H2Reply, Reply, ServerSpec } from './spec.js';
import { acceptTls, firstBytes } from './tls-server.js';

export interface RecordedRequest {
  readonly server: string;
  readonly raw: string;
}

/** Ports by the name of their server, client ports and remaining times by a token. */
export function normalize(text: string, ids: ReadonlyMap<number, string>): string {
  return text
    .replace(
      /((?:read|write) tcp (?:\d+\.\d+\.\d+\.\d+|\[[0-9a-fA-F:]+\])):\d+->/g,
      '$1:{PORT:client}->',
    )
    .replace(/^grpc-timeout: \d+[HMSmun]/gm, 'grpc-timeout: {TIMEOUT}')
    .replace(/:(\d{1,5})/g, (match, port: string) => {
      const id = ids.get(Number(port));
      return id === undefined ? match : `:{PORT:${id}}`;
    });
}

/** Scripted servers on loopback, played as the probe oracle plays them. */
export class Fleet {
  readonly servers = new Map<string, ScriptedServer>();
  #requests: RecordedRequest[] = [];
  readonly #ids = new Map<number, string>();

  /** Claims a port; the server plays its spec once that is set. */
  async reserve(id: string, spec: Pick<ServerSpec, 'listen' | 'mode'>): Promise<void> {
    for (let tries = 0; tries < 20; tries++) {
      const server = new ScriptedServer(this, id, spec.mode);
      await server.open(spec.listen ?? '127.0.0.1');
      if (!this.#ids.has(server.port)) {
        this.servers.set(id, server);
        this.#ids.set(server.port, id);
        return;
      }
      await server.close();
    }
    throw new Error(`no port for ${id}`);
  }

  server(id: string): ScriptedServer {
    const server = this.servers.get(id);
    if (!server) throw new Error(`no server ${id}`);
    return server;
  }

  /** Drops the connections of servers and forgets what they counted. */
  async reset(ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.server(id).reset();
    this.#requests = this.#requests.filter(({ server }) => !ids.includes(server));
  }

  record(server: string, raw: string): void {
    this.#requests.push({ server, raw });
  }

  /** What servers were asked since their last reset, in order of arrival. */
  requestsOf(ids: readonly string[]): RecordedRequest[] {
    return this.#requests.filter(({ server }) => ids.includes(server));
  }

  normalize(text: string): string {
    return normalize(text, this.#ids);
  }

  async close(): Promise<void> {
    await Promise.all([...this.servers.values()].map((server) => server.close()));
  }
}

export class ScriptedServer {
  spec: ServerSpec;
  port = 0;
  connections = 0;
  readonly #servers: Server[] = [];
  readonly #closers: (() => Promise<void>)[] = [];
  readonly #sockets = new Set<Socket>();
  /** The client's end of a fence under way, once it is connected. */
  #fence: Promise<string> | undefined;
  #fenceSeen: (() => void) | undefined;
  #used = new Map<string, number>();

  constructor(
    private readonly fleet: Fleet,
    private readonly id: string,
    mode: ServerSpec['mode'],
  ) {
    this.spec = { mode };
  }

  /** False where nobody can count connections. */
  get counts(): boolean {
    return this.spec.mode !== 'noAccept' && this.spec.mode !== 'backlogFull';
  }

  async open(listen: NonNullable<ServerSpec['listen']>): Promise<void> {
    const hosts = listen === 'localhost' ? ['127.0.0.1', '::1'] : [listen];
    for (const host of hosts) await this.#openOn(host);
  }

  async #openOn(host: string): Promise<void> {
    switch (this.spec.mode) {
      case 'unlistened': {
        this.#hold(await holdUnlistened(host, this.port));
        return;
      }
      case 'noAccept': {
        this.#hold(await holdUnaccepted(host, this.port));
        return;
      }
      case 'backlogFull': {
        this.#hold(await holdFull(host, this.port));
        return;
      }
      case 'http':
      case 'script':
      case 'h2':
      case 'grpc': {
        const server = createServer(
          { allowHalfOpen: true, noDelay: true },
          (socket) => void this.#accept(socket),
        );
        server.listen(this.port, host);
        await once(server, 'listening');
        this.#servers.push(server);
        const address = server.address();
        if (typeof address === 'object' && address) this.port = address.port;
      }
    }
  }

  #hold(held: { readonly port: number; readonly close: () => Promise<void> }): void {
    this.port = held.port;
    this.#closers.push(held.close);
  }

  async #accept(socket: Socket): Promise<void> {
    socket.on('error', () => socket.destroy());
    if (this.#fence) {
      const name = `${socket.remoteAddress}:${socket.remotePort}`;
      if ((await this.#fence) === name) {
        socket.destroy();
        this.#fenceSeen?.();
        return;
      }
    }
    const n = this.connections++;
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    void this.#serve(socket, n);
  }

  async #serve(socket: Socket, n: number): Promise<void> {
    const conn = await this.#secured(socket);
    if (!conn) return;
    switch (this.spec.mode) {
      case 'http':
        await serveHTTP(conn, this.#httpServing());
        break;
      case 'script': {
        const scripts = this.spec.scripts ?? [this.spec.script ?? []];
        await runScript(conn, scripts[Math.min(n, scripts.length - 1)] ?? [], this.#record);
        break;
      }
      case 'h2': {
        const { serveH2 } = await import('./h2-server.js');
        const pick = (path: string): H2Reply => this.#pickH2(path);
        await serveH2(conn, { spec: this.spec.h2 ?? {}, record: this.#record, pick });
        break;
      }
      case 'grpc': {
        const { serveGrpc } = await import('./grpc-server.js');
        await serveGrpc(conn, this.spec.grpc ?? {}, this.#record);
        break;
      }
      case 'unlistened':
      case 'noAccept':
      case 'backlogFull':
    }
    socket.destroy();
  }

  async #secured(socket: Socket): Promise<ServerConn | undefined> {
    if (!this.spec.tls) return new ServerConn(socket);
    const start = await firstBytes(socket);
    const answer = this.spec.mode === 'http' ? plainHTTPAnswer(start) : undefined;
    if (answer === undefined) {
      const conn = await acceptTls(socket, this.spec.tls);
      if (!conn) socket.end();
      return conn;
    }
    const plain = new ServerConn(socket);
    await plain.write(Buffer.from(answer));
    await plain.finish('close');
    return undefined;
  }

  #httpServing(): HttpServing {
    return {
      hasTls: this.spec.tls !== undefined,
      record: this.#record,
      pick: (path) => this.#pick<Reply>(this.spec.routes ?? {}, path) ?? NO_ROUTE,
      normalize: (text) => this.fleet.normalize(text),
    };
  }

  #pickH2(path: string): H2Reply {
    return this.#pick<H2Reply>(this.spec.h2routes ?? {}, path) ?? NO_H2_ROUTE;
  }

  /** The replies of a path, or of `*`, one after another; the last repeats. */
  #pick<T extends object>(
    routes: Readonly<Record<string, T | readonly T[]>>,
    path: string,
  ): T | undefined {
    const route = path in routes ? path : '*';
    const replies = routes[route];
    if (replies === undefined) return undefined;
    const used = this.#used.get(route) ?? 0;
    this.#used.set(route, used + 1);
    return isList(replies) ? replies[Math.min(used, replies.length - 1)] : replies;
  }

  readonly #record = (raw: string): void => {
    this.fleet.record(this.id, toText(raw));
  };

  /** Waits until what is in the queue has been accepted: joins it, and waits for its turn. */
  async fence(): Promise<void> {
    for (const server of this.#servers) {
      const address = server.address();
      if (typeof address !== 'object' || !address) continue;
      const socket = connect({ host: address.address, port: address.port });
      const seen = new Promise<void>((resolve) => {
        this.#fenceSeen = resolve;
      });
      this.#fence = once(socket, 'connect').then(
        () => `${socket.localAddress}:${socket.localPort}`,
      );
      await seen;
      this.#fence = undefined;
      socket.destroy();
    }
  }

  async reset(): Promise<void> {
    await this.fence();
    for (const socket of this.#sockets) socket.destroy();
    this.connections = 0;
    this.#used = new Map();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    const servers = this.#servers.map((server) => new Promise((resolve) => server.close(resolve)));
    await Promise.all([...servers, ...this.#closers.map((close) => close())]);
  }
}

const NO_ROUTE: Reply = { status: '404 Not Found', body: 'no such route\n' };
const NO_H2_ROUTE: H2Reply = { headers: [[':status', '404']] };

function isList<T extends object>(replies: T | readonly T[]): replies is readonly T[] {
  return Array.isArray(replies);
}
