import type { Clock } from '../../clock/clock.js';
import { joinHostPort } from '../../go/addr.js';
import type { ProbeTarget, ProbeTransports } from '../../kubelet/ports.js';
import type { Engine } from '../../runtime/container/engine.js';
import type { Inspected } from '../../runtime/container/inspect.js';
import { listensInside } from '../../runtime/container/listening.js';

interface PublishedTarget {
  /** The container whose network has the published port. */
  readonly holder: Inspected;
  /** The container in which a command may look for the port. */
  readonly id: string;
}

interface CheckedTransportsOptions {
  readonly clock: Clock;
  readonly engine: Engine;
  /** Returns undefined for an attempt that does not go to a published port. */
  readonly publishedTarget: (
    target: ProbeTarget,
    host: string,
    port: number,
  ) => PublishedTarget | undefined;
}

/**
 * Makes TCP attempts at published ports fail while the container's port does not listen: the engine's proxy accepts any
 * connection. Where the sockets of the container cannot be seen, the attempt is an error, which does not count.
 */
export function checkedTransports(
  transports: ProbeTransports,
  { clock, engine, publishedTarget }: CheckedTransportsOptions,
): ProbeTransports {
  return {
    ...transports,
    async tcp(target, host, port, ...rest) {
      const outcome = await transports.tcp(target, host, port, ...rest);
      const published = publishedTarget(target, host, port);
      if (outcome.result !== 'success' || published === undefined) return outcome;
      const listens = await listensInside({ ...published, engine, clock, port });
      if (listens === true) return outcome;
      const address = joinHostPort(host, port);
      const detail = outcome.detail && { ...outcome.detail, address };
      if (listens === undefined) {
        const { kind } = engine;
        const error = `${kind.name}'s proxy accepts connections to the published port, and the sockets of ${published.holder.name} cannot be read: nothing shows whether port ${port} listens (--via exec probes the container itself)`;
        return { result: 'unknown', output: '', error, detail };
      }
      const output = `dial tcp ${address}: connect: connection refused`;
      return { result: 'failure', output, reason: 'refused', detail };
    },
  };
}
