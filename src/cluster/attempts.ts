import type { Duplex } from 'node:stream';

import { type Clock, withTimeout } from '../clock/clock.js';
import { reasonIn } from '../diagnosis/kubelet-message.js';
import { type ExecResult, type ProbeTarget, RuntimeError } from '../kubelet/ports.js';
import { ClusterError, withRule } from './cluster-error.js';
import type { Cluster, PodRef } from './types.js';

/** Bytes of each stream that are kept; the kubelet reads 10 KiB. */
const MAX_OUTPUT = 16 * 1024;
/** Milliseconds of a command without a timeout. */
const MAX_TIMEOUT = 24 * 3_600_000;

export interface AttemptOptions {
  readonly cluster: Pick<Cluster, 'exec' | 'portForward'>;
  readonly clock: Clock;
  readonly pod: PodRef;
  readonly signal: AbortSignal;
  readonly onNote: (text: string) => void;
}

/** Runs a command in a container as ExecSync does; a timeout of 0 means no timeout. */
export async function podExec(
  { cluster, clock, pod, signal, onNote }: AttemptOptions,
  container: string,
  command: readonly string[],
  timeoutSeconds: number,
): Promise<ExecResult> {
  const output = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
  const begin = clock.now();
  try {
    const end = await cluster.exec({ ...pod, container }, command, {
      timeout: timeoutSeconds === 0 ? MAX_TIMEOUT : timeoutSeconds * 1000,
      signal,
      onOutput: (stream, data) => {
        if (output[stream].length >= MAX_OUTPUT) return;
        output[stream] = Buffer.concat([output[stream], data]).subarray(0, MAX_OUTPUT);
      },
    });
    const common = { elapsed: clock.now() - begin, via: 'exec' } as const;
    switch (end.kind) {
      case 'exited':
        return { ...common, ...end, ...output };
      case 'timeout':
        onNote(
          `${container}: a command timed out and goes on in the container, where the kubelet would have killed it: ${command.join(' ')}`,
        );
        return { ...common, kind: 'timedOut' };
      case 'failed':
        return { ...common, kind: 'error', message: end.message, reason: reasonIn(end.message) };
    }
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    return { kind: 'error', message: withRule(error) };
  }
}

/** Milliseconds, at least, in which a runtime reports that a port refuses connections: it never reports that one accepts. */
const REFUSAL = 250;

interface Tunnel {
  readonly port: number;
  readonly stream: Duplex;
  /** Milliseconds. */
  readonly took: number;
}

/** Connections to ports of a pod, opened before the attempts that use them. */
export class Tunnels {
  readonly #prepared = new WeakMap<ProbeTarget, Tunnel>();

  constructor(private readonly options: AttemptOptions) {}

  /** Opens the connection for a target's next attempt; rejects with a RuntimeError. */
  async prepare(target: ProbeTarget, port: number): Promise<void> {
    this.#prepared.set(target, await this.#open(port));
  }

  async settle(target: ProbeTarget, timeout: number): Promise<void> {
    const tunnel = this.#prepared.get(target);
    if (tunnel === undefined) return;
    const { stream, took } = tunnel;
    const ended = new Promise<void>((resolve) => {
      if (stream.destroyed) resolve();
      for (const event of ['close', 'readable'] as const) stream.once(event, () => resolve());
    });
    await withTimeout(this.options.clock, ended, Math.min(timeout, Math.max(REFUSAL, 3 * took)));
  }

  /** Returns the prepared connection, or a new one for a redirect to another port. */
  async connect(target: ProbeTarget, port: number): Promise<Duplex> {
    const prepared = this.#prepared.get(target);
    this.#prepared.delete(target);
    const { stream } = prepared?.port === port ? prepared : await this.#open(port);
    if (stream.errored) throw stream.errored;
    return stream;
  }

  async #open(port: number): Promise<Tunnel> {
    const { cluster, clock, pod, signal } = this.options;
    const begin = clock.now();
    try {
      const stream = await cluster.portForward(pod, port, signal);
      // The reader of the stream gets the error too.
      stream.on('error', () => undefined);
      return { port, stream, took: clock.now() - begin };
    } catch (error) {
      throw error instanceof ClusterError ? new RuntimeError(withRule(error)) : error;
    }
  }
}
