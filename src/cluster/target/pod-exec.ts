import type { Clock } from '../../clock/clock.js';
import type { ExecResult } from '../../kubelet/ports.js';
import { ClusterError, withRule } from '../cluster-error.js';
import type { Cluster, PodRef } from '../types.js';

/** Bytes of each stream that are kept; the kubelet reads 10 KiB. */
const MAX_OUTPUT = 16 * 1024;
/** Milliseconds of a command without a timeout. */
const LONGEST = 24 * 3_600_000;

export interface PodExecOptions {
  readonly cluster: Pick<Cluster, 'exec'>;
  readonly clock: Clock;
  readonly pod: PodRef;
  readonly signal: AbortSignal;
  /** Called with a note about a command that keeps running after its timeout. */
  readonly onLeftover: (note: string) => void;
}

/** Runs a command in a container of a pod as ExecSync does, with a timeout of our own: 0 is none. */
export async function podExec(
  { cluster, clock, pod, signal, onLeftover }: PodExecOptions,
  container: string,
  command: readonly string[],
  timeoutSeconds: number,
): Promise<ExecResult> {
  const output = { stdout: new Collected(), stderr: new Collected() };
  const begin = clock.now();
  try {
    const end = await cluster.exec({ ...pod, container }, command, {
      timeout: timeoutSeconds === 0 ? LONGEST : timeoutSeconds * 1000,
      signal,
      onOutput: (stream, data) => output[stream].add(data),
    });
    const about = { elapsed: clock.now() - begin, via: 'exec' } as const;
    switch (end.kind) {
      case 'exited': {
        const [stdout, stderr] = [output.stdout.bytes, output.stderr.bytes];
        return { ...about, kind: 'exited', exitCode: end.exitCode, stdout, stderr };
      }
      case 'timeout':
        onLeftover(
          `${container}: a command timed out and goes on in the container, where the kubelet would have killed it: ${command.join(' ')}`,
        );
        return { ...about, kind: 'timedOut' };
      case 'failed':
        return { ...about, kind: 'error', message: end.message };
    }
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    return { kind: 'error', message: withRule(error) };
  }
}

class Collected {
  readonly #chunks: Uint8Array[] = [];
  #size = 0;

  add(data: Uint8Array): void {
    if (this.#size < MAX_OUTPUT) this.#chunks.push(data);
    this.#size += data.length;
  }

  get bytes(): Uint8Array {
    return Buffer.concat(this.#chunks).subarray(0, MAX_OUTPUT);
  }
}
