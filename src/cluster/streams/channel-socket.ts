import { setMaxListeners } from 'node:events';

import { DecoratorHandler, type Dispatcher, WebSocket } from 'undici';

import { ClusterError } from '../cluster-error.js';
import type { Connection } from '../connection/connection.js';

/** Takes what comes over a socket once it is open. */
export interface ChannelHandler {
  onMessage(channel: number, data: Uint8Array): void;
  /** Called once, whoever closed. */
  onClose(): void;
}

/** A WebSocket of Kubernetes' channel protocols: the first byte of each message is the channel. */
export interface ChannelSocket {
  send(channel: number, data: Uint8Array): void;
  close(): void;
}

/** The answer to an upgrade that was refused, or why there was none. WebSocket keeps them to itself. */
interface Answer {
  status: number;
  body: string;
  error?: Error;
}

/**
 * Opens a socket to a subresource of a pod; an abort closes it. Credentials that have expired are made again once.
 *
 * @throws ClusterError with the message that the server answered
 */
export async function openChannels(...args: Parameters<typeof open>): Promise<ChannelSocket> {
  try {
    return await open(...args);
  } catch (error) {
    const [connection] = args;
    const expired = error instanceof ClusterError && error.code === 'unauthorized';
    if (!expired || !connection.refresh()) throw error;
    return open(...args);
  }
}

async function open(
  connection: Connection,
  path: string,
  protocols: readonly string[],
  handler: ChannelHandler,
  signal: AbortSignal,
): Promise<ChannelSocket> {
  const { headers, dispatcher } = await connection.open();
  signal.throwIfAborted();
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
  const close = (): void => socket.close();
  // Many streams may share a signal; Node 20 would warn of the eleventh.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', close);
  socket.addEventListener('close', () => signal.removeEventListener('abort', close));
  try {
    await whenOpen(socket, handler);
  } catch {
    const { status, body, error } = answer;
    signal.throwIfAborted();
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

/** Holds an answer back until all of it is there: WebSocket breaks the connection when it sees the status. */
class AnswerRecorder extends Decorator {
  #start: StartArguments | undefined;

  constructor(
    next: Dispatcher.DispatchHandler,
    readonly answer: Answer,
  ) {
    super(next);
  }

  override onResponseStart(...args: StartArguments): void {
    // A 401 is asked for once more by WebSocket itself.
    this.answer.body = '';
    [, this.answer.status] = args;
    this.#start = args;
  }

  override onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.answer.body += chunk.toString();
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
