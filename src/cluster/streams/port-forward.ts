import { Duplex } from 'node:stream';

import { ClusterError } from '../cluster-error.js';
import type { Connection } from '../connection/connection.js';
import { resourcePath } from '../resources.js';
import type { PodRef } from '../types.js';
import { type ChannelHandler, type ChannelSocket, openChannels } from './channel-socket.js';

/** Every kubelet and container runtime speaks it; the newer tunnel of SPDY exists since v1.31. */
const PROTOCOLS = ['v4.channel.k8s.io'];
const DATA = 0;
/** Bytes of the port number that begins each channel. */
const PREAMBLE = 2;

/**
 * Opens a connection to a port on localhost in a pod's network. It opens before the runtime has dialed: a port that
 * nothing listens on is an error of the stream, with the code ECONNREFUSED.
 *
 * @throws ClusterError when the server refuses
 */
export async function portForward(
  connection: Connection,
  { namespace, name }: PodRef,
  port: number,
  signal: AbortSignal,
): Promise<Duplex> {
  const stream = new ForwardedPort();
  const path = `${resourcePath('pods', { namespace, name })}/portforward?ports=${port}`;
  stream.socket = await openChannels(connection, path, PROTOCOLS, stream, signal);
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
    else this.#message += Buffer.from(rest).toString();
  }

  onClose(): void {
    if (this.#message === '') this.push(null);
    else this.destroy(forwardError(this.#message.trim()));
  }

  override _read(): void {
    // The socket has no flow control: what comes is buffered.
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

/** The message of a runtime, such as "… dial tcp4 127.0.0.1:80: connect: connection refused", with Node's code. */
function forwardError(message: string): Error {
  const error = new ClusterError('failed', message);
  return message.includes('connection refused')
    ? Object.assign(error, { code: 'ECONNREFUSED' })
    : error;
}
