import { CONFIGURE_PROBES, type Rule } from '../../rule.js';
import { portNumber, portsOf } from '../../subject/handlers.js';
import { probesOf } from '../../subject/members.js';

export const tcpProbeOnHttpServer: Rule = {
  id: 'tcp-probe-on-http-server',
  severity: 'info',
  summary: 'a TCP probe checks an HTTP server',
  reason:
    'The operating system accepts connections for a hung process until its backlog is full, so a TCP probe misses failures that an HTTP probe detects.',
  sources: [CONFIGURE_PROBES],
  checkProbe: ({ type, probe, path, member }) => {
    const port = probe.exec ? undefined : probe.tcpSocket?.port;
    if (port === undefined || type === 'startup') return [];
    const number = portNumber(port, member.container);
    const names = portsOf(port, member.container).flatMap(({ name }) => name ?? []);
    const asked = probesOf([member]).some(
      ({ probe: { httpGet } }) => httpGet && portNumber(httpGet.port, member.container) === number,
    );
    if (!asked && !names.some((name) => /^http(?:-|$)/.test(name))) return [];
    return {
      path: `${path}.tcpSocket`,
      message: `port ${port} speaks HTTP: the operating system accepts connections even when the server hangs`,
      hint: 'use httpGet',
    };
  },
};
