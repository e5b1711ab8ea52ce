import type { ProbeOutcome, ProbeTransports } from '../kubelet/ports.js';

/** The network of a simulation: there is none. Scenarios with network handlers are refused when they are read. */
export function noTransports(): ProbeTransports {
  const refuse = (): Promise<ProbeOutcome> =>
    Promise.resolve({ result: 'unknown', output: '', error: 'a scenario has no network' });
  return {
    http: refuse,
    tcp: refuse,
    grpc: refuse,
    httpHook: () => Promise.resolve('a scenario has no network'),
  };
}
