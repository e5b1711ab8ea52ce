import type { Rule } from '../rule.js';
import { portNumber, portsOf } from '../subject/handlers.js';
import { probesOf } from '../subject/members.js';

export const tcpProbeOnHttpServer: Rule = {
  id: 'tcp-probe-on-http-server',
  severity: 'info',
  summary: 'a probe only connects to a server that speaks HTTP',
  reason:
    'The system accepts connections for a process that hangs until its backlog is full, so a TCP probe does not see what an HTTP probe sees.',
  sources: [
    'https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/',
  ],
  check: ({ members }) =>
    probesOf(members).flatMap(({ type, probe, path, member }) => {
      const port = probe.exec ? undefined : probe.tcpSocket?.port;
      if (port === undefined || type === 'startup') return [];
      const number = portNumber(port, member.container);
      const names = portsOf(port, member.container).flatMap(({ name }) => name ?? []);
      const asked = probesOf([member]).some(
        ({ probe: { httpGet } }) =>
          httpGet && portNumber(httpGet.port, member.container) === number,
      );
      if (!asked && !names.some((name) => /^http(?:-|$)/.test(name))) return [];
      return {
        path: `${path}.tcpSocket`,
        message: `port ${port} speaks HTTP: a connection is accepted by the system even when the server hangs`,
        hint: 'use httpGet',
      };
    }),
};
