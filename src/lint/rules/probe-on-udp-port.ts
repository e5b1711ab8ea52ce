import type { Rule } from '../rule.js';
import { networkPort, portsOf } from '../subject/handlers.js';
import { probesOf } from '../subject/members.js';

export const probeOnUdpPort: Rule = {
  id: 'probe-on-udp-port',
  severity: 'warning',
  summary: 'a probe asks a port that is declared as UDP or SCTP',
  reason:
    'HTTP, gRPC and TCP probes connect by TCP; nothing accepts that on a UDP port, and every attempt fails.',
  sources: [
    'https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/',
  ],
  check: ({ members }) =>
    probesOf(members).flatMap(({ probe, path, member }) => {
      const asked = networkPort(probe);
      if (asked === undefined) return [];
      const declared = portsOf(asked.port, member.container);
      const [first] = declared;
      if (first?.protocol === undefined) return [];
      if (declared.some(({ protocol }) => protocol === 'TCP')) return [];
      return {
        path: `${path}.${asked.field}.port`,
        message: `connects by TCP to port ${asked.port}, which is declared as ${first.protocol}`,
        hint: 'probe a TCP port, or use an exec probe',
      };
    }),
};
