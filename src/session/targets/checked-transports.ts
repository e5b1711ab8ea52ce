import type { Clock } from '../../clock/clock.js';
import { joinHostPort } from '../../go/addr.js';
import { toText } from '../../go/byte-string.js';
import { destinationOf, getErrorText, stripPassword } from '../../go/url.js';
import type {
  AttemptDetail,
  ProbeOutcome,
  ProbeTarget,
  ProbeTransports,
} from '../../kubelet/ports.js';
import { createTransports } from '../../probe/transports.js';
import type { Engine } from '../../runtime/container/engine.js';
import type { EngineRoutes } from '../../runtime/container/engine-place.js';
import { listensInside } from '../../runtime/container/listening.js';
import type { TargetOptions } from './local-target.js';

/** Returns transports that make attempts by the routes of an engine. */
export function engineTransports(
  { clock, kubeletVersion }: Pick<TargetOptions, 'clock' | 'kubeletVersion'>,
  engine: Engine,
  routes: EngineRoutes,
): ProbeTransports {
  const { dial, connect, publishedTarget } = routes;
  const transports = createTransports({ clock, kubeletVersion, dial, connect });
  return checkedTransports(transports, { clock, engine, publishedTarget });
}

interface CheckedOptions extends Pick<EngineRoutes, 'publishedTarget'> {
  readonly clock: Clock;
  readonly engine: Engine;
}

/**
 * Makes attempts at published ports fail as in a cluster while the container's port does not listen: the engine's proxy
 * accepts any connection, and then cuts it. Where the sockets of the container cannot be seen, a connection is an error,
 * which does not count.
 */
export function checkedTransports(
  transports: ProbeTransports,
  { clock, engine, publishedTarget }: CheckedOptions,
): ProbeTransports {
  const listens = async (target: ProbeTarget, host: string, port: number) => {
    const published = publishedTarget(target, host, port);
    return published === undefined || listensInside({ ...published, engine, clock, port });
  };
  return {
    ...transports,
    async http(target, request, ...rest) {
      const outcome = await transports.http(target, request, ...rest);
      if (outcome.result !== 'failure' || outcome.detail?.response !== undefined) return outcome;
      const { host, port } = destinationOf(request.url);
      if ((await listens(target, host, port)) !== false) return outcome;
      const { output, ...others } = refused(outcome, joinHostPort(host, port));
      const url = stripPassword(request.url);
      return { ...others, output: toText(getErrorText(url, output)) };
    },
    async tcp(target, host, port, ...rest) {
      const outcome = await transports.tcp(target, host, port, ...rest);
      if (outcome.result !== 'success') return outcome;
      const isListening = await listens(target, host, port);
      if (isListening === true) return outcome;
      if (isListening === false) return refused(outcome, joinHostPort(host, port));
      const error = `${engine.kind.name}'s proxy accepts connections to the published port, and the sockets of ${target.container.name} cannot be read: nothing shows whether port ${port} listens (--via exec probes the container itself)`;
      return { result: 'unknown', output: '', error, detail: outcome.detail };
    },
    async grpc(target, host, port, ...rest) {
      const outcome = await transports.grpc(target, host, port, ...rest);
      if (outcome.reason !== 'notConnected' && outcome.reason !== 'timeout') return outcome;
      if ((await listens(target, host, port)) !== false) return outcome;
      const detail = dialed(outcome, joinHostPort(host, port));
      return { ...outcome, reason: 'notConnected', detail };
    },
  };
}

function refused(outcome: ProbeOutcome, address: string): ProbeOutcome {
  const output = `dial tcp ${address}: connect: connection refused`;
  return { result: 'failure', output, reason: 'refused', detail: dialed(outcome, address) };
}

/** Returns the detail of an attempt whose connection was refused. */
function dialed({ detail }: ProbeOutcome, address: string): AttemptDetail | undefined {
  return detail && { ...detail, address, timings: { total: detail.timings.total } };
}
