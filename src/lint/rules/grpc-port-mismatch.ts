import type { Rule } from '../rule.js';
import { networkPort, portsOf } from '../subject/handlers.js';
import { probesOf } from '../subject/members.js';

export const grpcPortMismatch: Rule = {
  id: 'grpc-port-mismatch',
  severity: 'warning',
  summary: 'a probe speaks gRPC to a port of HTTP, or HTTP to one of gRPC',
  reason:
    'A gRPC server answers an HTTP/1.1 request with an error of its own protocol, and an HTTP server a gRPC one with nothing: every attempt fails. The port of a gRPC probe is a number, so its name does not guard it.',
  sources: [
    'https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/#define-a-grpc-liveness-probe',
    'https://github.com/kubernetes/kubernetes/issues/125599',
  ],
  check: ({ members }) =>
    probesOf(members).flatMap(({ probe, path, member }) => {
      const asked = networkPort(probe);
      if (asked === undefined || asked.field === 'tcpSocket') return [];
      const names = portsOf(asked.port, member.container).flatMap(({ name }) => name ?? []);
      const wrong =
        asked.field === 'grpc' ? /^(?:https?|metrics|prom\w*)(?:-|$)/ : /^grpc(?:-|$)|-grpc$/;
      const name = names.find((each) => wrong.test(each));
      if (name === undefined) return [];
      const spoken = asked.field === 'grpc' ? 'gRPC' : 'HTTP';
      return {
        path: `${path}.${asked.field}.port`,
        message: `speaks ${spoken} to the port named "${name}"`,
        hint: asked.field === 'grpc' ? 'probe the port that serves gRPC' : 'use a grpc probe',
      };
    }),
};
