import type { Container, Pod } from '../api/index.js';
import type { Clock } from '../clock/clock.js';
import type { ProbeType } from '../kubelet/event.js';
import type { ExecResult, ProbeTransports } from '../kubelet/ports.js';
import { createProber, type ProbeAnswer } from '../kubelet/prober/prober.js';

export interface OnceOptions {
  readonly clock: Clock;
  readonly transports: ProbeTransports;
  /** Runs a container's command on this machine. */
  readonly exec: (
    container: Container,
    command: readonly string[],
    timeoutSeconds: number,
  ) => Promise<ExecResult>;
  /** As in `1.36`. */
  readonly kubeletVersion: string;
}

/** A probe to make attempts of. */
export interface OnceProbe {
  readonly pod: Pod;
  readonly container: Container;
  readonly probeType: ProbeType;
  /** The pod's. */
  readonly address: string;
}

export interface OnceAnswer {
  readonly answer: ProbeAnswer;
  /** Milliseconds, all tries together. */
  readonly latency: number;
}

/** One attempt of a probe, as a worker has it made: with up to three tries, and the event that would follow. */
export async function once(probe: OnceProbe, options: OnceOptions): Promise<OnceAnswer> {
  const { clock, transports, exec, kubeletVersion } = options;
  const { pod, container, probeType, address } = probe;
  const prober = createProber({
    transports,
    kubeletVersion,
    execSync: (_, command, timeout) => exec(container, command, timeout),
    recordEvent: () => undefined,
  });
  const begin = clock.now();
  const answer = await prober.probe(probeType, pod, { podIP: address }, container, '');
  return { answer, latency: clock.now() - begin };
}

/** A pod around a probe that came from the command line. */
export function podAround(container: Container): Pod {
  return {
    metadata: { name: 'probe', namespace: 'default', uid: 'probe' },
    spec: { containers: [container], restartPolicy: 'Always' },
    status: {},
  };
}
