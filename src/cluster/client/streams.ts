import { setMaxListeners } from 'node:events';
import { Duplex } from 'node:stream';

import { DecoratorHandler, type Dispatcher, WebSocket } from 'undici';

import { isObject, JsonReader, tryParseJson } from '../../api/index.js';
import type { Clock } from '../../clock/clock.js';
import { ClusterError } from '../cluster-error.js';
import type { Connection } from '../connection/connection.js';
import { resourcePath } from '../resources.js';
import type { ContainerRef, ExecEnd, ExecOptions, PodRef } from '../types.js';

export interface ChannelHandler {
  onMessage(channel: number, data: Uint8Array): void;
  /** Called once, no matter which side has closed. */
  onClose(): void;
}

/** A WebSocket of Kubernetes' channel protocols: the first byte of each message is the channel. */
export interface ChannelSocket {
  send(channel: number, data: Uint8Array): void;
  close(): void;
}

/** The answer to a refused upgrade, or its error; WebSocket exposes neither. */
interface Answer {
  status: number;
  body: string;
  error?: Error;
}

/** Opens a WebSocket to a subresource of a pod; an abort closes it. Expired credentials are renewed once. */
export function openChannels(
  connection: Connection,
  path: string,
  protocols: readonly string[],
  handler: ChannelHandler,
  signal: AbortSignal,
): Promise<ChannelSocket> {
  return connection.upgrade(signal, async (opening) => {
    const tryOpen = () => open(connection, path, protocols, handler, { signal, opening });
    try {
      return await tryOpen();
    } catch (error) {
      const expired = error instanceof ClusterError && error.code === 'unauthorized';
      if (!expired || !connection.refresh()) throw error;
      return tryOpen();
    }
  });
}

async function open(
  connection: Connection,
  path: string,
  protocols: readonly string[],
  handler: ChannelHandler,
  { signal, opening }: Readonly<Record<'signal' | 'opening', AbortSignal>>,
): Promise<ChannelSocket> {
  const { headers, dispatcher } = await connection.open();
  opening.throwIfAborted();
  const answer: Answer = { status: 0, body: '' };
  const socket = new WebSocket(connection.urlOf(path).replace(/^http/, 'ws'), {
    protocols: [...protocols],
    headers: Object.entries(headers).flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    ),
    dispatcher: dispatcher.compose(
      (dispatch) => (options, next) => dispatch(options, new AnswerRecorder(next, answer)),
    ),
  });
  const close = (): void => {
    signal.removeEventListener('abort', close);
    socket.close();
  };
  // Many streams may share a signal; Node 20 would warn of the eleventh.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', close);
  opening.addEventListener('abort', close);
  socket.addEventListener('close', close);
  try {
    await whenOpen(socket, handler);
    opening.removeEventListener('abort', close);
  } catch {
    const { status, body, error } = answer;
    opening.throwIfAborted();
    if (status === 0) throw connection.error(error ?? new Error('no answer'));
    throw await connection.refusal(status, body);
  }
  return {
    send: (channel, data) => socket.send(Buffer.concat([Uint8Array.of(channel), data])),
    close,
  };
}

function whenOpen(socket: WebSocket, handler: ChannelHandler): Promise<void> {
  socket.binaryType = 'arraybuffer';
  socket.addEventListener('message', ({ data }) => {
    const bytes = new Uint8Array(data as ArrayBuffer);
    handler.onMessage(bytes[0] ?? 0, bytes.subarray(1));
  });
  return new Promise((resolve, reject) => {
    socket.addEventListener('error', () => reject(new Error('refused')));
    socket.addEventListener('open', () => {
      socket.addEventListener('close', () => handler.onClose());
      resolve();
    });
  });
}

type StartArguments = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>;
type EndArguments = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseEnd']>>;

/** DecoratorHandler with the methods that its declaration leaves out. */
const Decorator = DecoratorHandler as unknown as new (next: Dispatcher.DispatchHandler) => {
  onResponseStart(...args: StartArguments): void;
  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void;
  onResponseEnd(...args: EndArguments): void;
  onResponseError(controller: Dispatcher.DispatchController, error: Error): void;
};

/** Characters of a refusal or an error, which may have no end. */
const MAX_REFUSAL = 64 * 1024;

/** Delays an answer until it is complete: WebSocket closes the connection when it sees the status. */
class AnswerRecorder extends Decorator {
  #start: StartArguments | undefined;

  constructor(
    next: Dispatcher.DispatchHandler,
    readonly answer: Answer,
  ) {
    super(next);
  }

  override onResponseStart(...args: StartArguments): void {
    // WebSocket itself repeats a request after a 401.
    this.answer.body = '';
    [, this.answer.status] = args;
    this.#start = args;
  }

  override onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.answer.body += chunk.toString();
    if (this.answer.body.length > MAX_REFUSAL) controller.abort(new Error('a long answer'));
  }

  override onResponseEnd(...args: EndArguments): void {
    if (this.#start !== undefined) super.onResponseStart(...this.#start);
    super.onResponseEnd(...args);
  }

  override onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    this.answer.error = error;
    super.onResponseError(controller, error);
  }
}

/** A server before v1.30 has no v5 and picks v4, which differs only in closing a channel. */
const EXEC_PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
const STDOUT = 1;
const STDERR = 2;
const ERROR = 3;

/** Runs a command in a container; the timeout is kprobe's, and does not end the command there. */
export async function exec(
  connection: Connection,
  clock: Clock,
  { namespace, name, container }: ContainerRef,
  command: readonly string[],
  { timeout, signal, onOutput }: ExecOptions,
): Promise<ExecEnd> {
  const query = new URLSearchParams({ container, stdout: 'true', stderr: 'true' });
  for (const word of command) query.append('command', word);
  const path = `${resourcePath('pods', { namespace, name })}/exec?${query.toString()}`;
  let status = '';
  let done: (result: ExecEnd) => void;
  const ended = new Promise<ExecEnd>((resolve) => (done = resolve));
  const handler: ChannelHandler = {
    onMessage(channel, data) {
      if (channel === ERROR) status = (status + Buffer.from(data).toString()).slice(0, MAX_REFUSAL);
      else if (data.length === 0) return;
      else if (channel === STDOUT) onOutput('stdout', data);
      else if (channel === STDERR) onOutput('stderr', data);
    },
    onClose: () => done(resultOf(status)),
  };
  const socket = await openChannels(connection, path, EXEC_PROTOCOLS, handler, signal);
  const timer = clock.setTimeout(() => done({ kind: 'timeout' }), timeout);
  const result = await ended;
  timer.cancel();
  socket.close();
  signal.throwIfAborted();
  return result;
}

function resultOf(text: string): ExecEnd {
  const failed = (message: string): ExecEnd => ({ kind: 'failed', message });
  if (text === '') return failed('the connection closed before the command ended');
  const sent = tryParseJson(text);
  if (!isObject(sent)) return failed(`the server sent no status: ${text}`);
  const status = new JsonReader(sent);
  if (status.text('status') === 'Success') return { kind: 'exited', exitCode: 0 };
  const causes = status.in('details').list('causes');
  const code = causes.find((cause) => cause.text('reason') === 'ExitCode')?.text('message');
  return status.text('reason') === 'NonZeroExitCode' && code !== undefined
    ? { kind: 'exited', exitCode: Number(code) }
    : failed(status.text('message'));
}

/** Every kubelet and container runtime speaks this protocol; the newer tunnel of SPDY exists since v1.31. */
const FORWARD_PROTOCOLS = ['v4.channel.k8s.io'];
const DATA = 0;
/** Bytes of the port number that begins each channel. */
const PREAMBLE = 2;

/**
 * Opens a connection to a port on localhost in a pod's network, before the runtime has dialed: a port without a listener
 * becomes an error of the stream with the code ECONNREFUSED.
 */
export async function portForward(
  connection: Connection,
  { namespace, name }: PodRef,
  port: number,
  signal: AbortSignal,
): Promise<Duplex> {
  const stream = new ForwardedPort();
  const path = `${resourcePath('pods', { namespace, name })}/portforward?ports=${port}`;
  stream.socket = await openChannels(connection, path, FORWARD_PROTOCOLS, stream, signal);
  return stream;
}

class ForwardedPort extends Duplex implements ChannelHandler {
  socket: ChannelSocket | undefined;
  readonly #left = [PREAMBLE, PREAMBLE];
  #message = '';

  onMessage(channel: number, data: Uint8Array): void {
    const skipped = Math.min(this.#left[channel] ?? 0, data.length);
    this.#left[channel] = (this.#left[channel] ?? 0) - skipped;
    const rest = data.subarray(skipped);
    if (rest.length === 0) return;
    if (channel === DATA) this.push(rest);
    else this.#message = (this.#message + Buffer.from(rest).toString()).slice(0, MAX_REFUSAL);
  }

  onClose(): void {
    if (this.#message === '') this.push(null);
    else this.destroy(forwardError(this.#message.trim()));
  }

  override _read(): void {
    // The socket has no flow control: all data is buffered as it comes.
  }

  override _write(chunk: Uint8Array, _: BufferEncoding, done: () => void): void {
    this.socket?.send(DATA, chunk);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.socket?.close();
    done(error);
  }
}

/** Adds Node's code to a runtime's message, such as "… dial tcp4 127.0.0.1:80: connect: connection refused". */
function forwardError(message: string): Error {
  const code = message.includes('connection refused') ? { code: 'ECONNREFUSED' } : {};
  return Object.assign(new ClusterError('failed', message), code);
}
