import { CONFIGURE_PROBES, type Rule } from '../../rule.js';
import { networkPort, portsOf } from '../../subject/handlers.js';

export const probeOnUdpPort: Rule = {
  id: 'probe-on-udp-port',
  severity: 'warning',
  summary: 'a probe uses a port that is declared as UDP or SCTP',
  reason:
    'HTTP, gRPC and TCP probes connect over TCP. Nothing accepts TCP connections on a UDP port, so every attempt fails.',
  sources: [CONFIGURE_PROBES],
  checkProbe: ({ probe, path, member }) => {
    const asked = networkPort(probe);
    if (asked === undefined) return [];
    const declared = portsOf(asked.port, member.container);
    const [first] = declared;
    if (first?.protocol === undefined) return [];
    if (declared.some(({ protocol }) => protocol === 'TCP')) return [];
    return {
      path: `${path}.${asked.field}.port`,
      message: `connects over TCP to port ${asked.port}, which is declared as ${first.protocol}`,
      hint: 'probe a TCP port, or use an exec probe',
    };
  },
};
