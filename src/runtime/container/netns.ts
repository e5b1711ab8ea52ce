import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';

import { JsonReader } from '../../api/index.js';
import { errnoReason, IoError, syscallText } from '../../go/io-error.js';
import { RuntimeError } from '../../kubelet/ports.js';
import { foreignProcess } from './engine-place.js';
import type { Inspected } from './inspect.js';

/** The helper processes that connect from within network namespaces. */
export class NetnsConnectors {
  /** Helpers by the id of a process in the namespace. */
  readonly #connectors = new Map<number, NetnsConnector>();

  constructor(private readonly nodePath: string) {}

  /** Returns why a namespace cannot be entered, or undefined. */
  async check(pid: number): Promise<string | undefined> {
    try {
      await this.#of(pid).ready();
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** Rejects as Go's dialer would, or with a RuntimeError where it could not even try. */
  async connect(container: Inspected, host: string, port: number): Promise<Socket> {
    const problem = foreignProcess(container);
    if (problem !== undefined) throw new RuntimeError(problem);
    try {
      return await this.#of(container.pid).connect(host, port);
    } catch (error) {
      if (!(error instanceof Error) || error instanceof RuntimeError) throw error;
      throw new IoError(syscallText(error, 'connect'), errnoReason(error));
    }
  }

  close(): void {
    for (const connector of this.#connectors.values()) connector.close();
    this.#connectors.clear();
  }

  #of(pid: number): NetnsConnector {
    const known = this.#connectors.get(pid);
    if (known?.isOver === false) return known;
    const connector = new NetnsConnector(pid, this.nodePath);
    this.#connectors.set(pid, connector);
    return connector;
  }
}

/** Connects from within a network namespace: a helper there makes the connections, and hands them over. */
class NetnsConnector {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (socket: Socket | undefined, answer: JsonReader) => void>();
  readonly #ready: Promise<void>;
  #nextID = 1;
  #message = '';
  #isOver = false;

  /** `pid`: a process in the namespace; `nodePath`: Node's own executable. */
  constructor(pid: number, nodePath: string) {
    const args = ['--target', String(pid), '--net', '--', nodePath, '--eval', CONNECTOR_SCRIPT];
    this.#child = spawn('nsenter', args, {
      cwd: '/',
      env: {},
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child.stderr?.on('data', (chunk: Buffer) => (this.#message += chunk.toString()));
    this.#child.on('message', (message, handle) => this.#onMessage(message, handle));
    this.#ready = new Promise((resolve) => this.#waiting.set(0, () => resolve()));
    this.#child.once('error', (error) => this.#onEnd(error.message));
    this.#child.once('exit', () => this.#onEnd(this.#message.trim()));
  }

  /** True when the helper has ended or could not be started, so that another one is needed. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Settles when connections can be made; rejects when that namespace may not be entered. */
  async ready(): Promise<void> {
    await this.#ready;
    if (this.#isOver) {
      throw new RuntimeError(`cannot enter the container's network: ${this.#message.trim()}`);
    }
  }

  /** Rejects with an error that has `code` and `syscall`, as a socket's would. */
  async connect(host: string, port: number): Promise<Socket> {
    await this.ready();
    const id = this.#nextID++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, (socket, answer) => {
        if (socket !== undefined) return resolve(socket);
        const [code, syscall] = [answer.text('code'), answer.text('syscall')];
        if (code === '')
          reject(new RuntimeError("the helper in the container's network has ended"));
        else reject(Object.assign(new Error(code), { code, syscall }));
      });
      this.#child.send({ id, host, port });
    });
  }

  close(): void {
    if (this.#child.connected) this.#child.disconnect();
    this.#child.kill('SIGKILL');
  }

  #onMessage(message: unknown, handle: unknown): void {
    const answer = new JsonReader(message);
    const id = answer.number('id');
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    const socket = handle instanceof Socket ? handle : undefined;
    // The caller reads to the end, also after its own FIN.
    if (socket !== undefined) socket.allowHalfOpen = true;
    if (waiting === undefined) socket?.destroy();
    else waiting(socket, answer);
  }

  #onEnd(message: string): void {
    this.#message = message;
    this.#isOver = true;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const each of waiting) each(undefined, new JsonReader({}));
  }
}

/**
 * Runs within a network namespace: connects to the given address and hands the connected socket back, which kprobe
 * then reads and writes as a socket of its own. Ends with kprobe.
 */
const CONNECTOR_SCRIPT = `
const net = require('node:net');
const self = globalThis.process;
self.on('message', ({ id, host, port }) => {
  const socket = net.connect({ host, port, allowHalfOpen: true });
  socket.pause();
  socket.once('error', ({ code, syscall }) => self.send({ id, code, syscall }));
  socket.once('connect', () => {
    socket.removeAllListeners('error').on('error', () => undefined);
    self.send({ id }, socket);
  });
});
self.on('disconnect', () => self.exit());
self.send({ id: 0 });
`;
