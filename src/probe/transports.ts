import type { ProbeTransports } from '../kubelet/ports.js';
import type { TransportOptions } from './attempt.js';
import { httpProbe } from './http/http-probe.js';
import { tcpProbe } from './tcp.js';

export type { Address, TransportOptions } from './attempt.js';

/** Probe attempts over the network. What is rare is loaded when it is asked for. */
export function createTransports(options: TransportOptions): ProbeTransports {
  return {
    http: (target, request, timeout) => httpProbe(options, target, request, timeout),
    tcp: (target, host, port, timeout) => tcpProbe(options, target, host, port, timeout),
    async grpc(target, host, port, service, timeout) {
      const { grpcProbe } = await import('./grpc/grpc-probe.js');
      return grpcProbe(options, target, host, port, service, timeout);
    },
    async httpHook(target, request) {
      const { httpHook } = await import('./http/http-hook.js');
      return httpHook(options, target, request);
    },
  };
}
