import type { Rule } from '../../rule.js';
import { networkPort, portsOf } from '../../subject/handlers.js';

export const grpcPortMismatch: Rule = {
  id: 'grpc-port-mismatch',
  severity: 'warning',
  summary: 'a probe speaks gRPC to an HTTP port, or HTTP to a gRPC port',
  reason:
    "A gRPC server answers an HTTP/1.1 request with a protocol error, and an HTTP server does not answer a gRPC request, so every attempt fails. A gRPC probe gives its port as a number, so the port's name does not protect against this.",
  sources: [
    'https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/#define-a-grpc-liveness-probe',
    'https://github.com/kubernetes/kubernetes/issues/125599',
  ],
  checkProbe: ({ probe, path, member }) => {
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
  },
};
