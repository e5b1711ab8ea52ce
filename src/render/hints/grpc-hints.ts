import type { HintRule } from './hint-context.js';

const noHealthService: HintRule = ({ spec, said }) =>
  spec.grpc !== undefined && /does not implement the grpc health protocol/.test(said)
    ? 'the server speaks gRPC, but has no grpc.health.v1.Health service'
    : undefined;

const unknownService: HintRule = ({ spec, said }) => {
  if (spec.grpc === undefined || !/NotFound|SERVICE_UNKNOWN/.test(said)) return undefined;
  const { service = '' } = spec.grpc;
  return service === ''
    ? 'the health service knows no service without a name: set grpc.service'
    : `the health service does not know the service ${service}`;
};

const notServing: HintRule = ({ spec, said }) =>
  spec.grpc !== undefined && /NOT_SERVING/.test(said)
    ? 'the server answers that it does not serve now'
    : undefined;

const notGrpc: HintRule = ({ spec, said, attempt }) => {
  if (spec.grpc === undefined || !/failed to connect service/.test(said)) return undefined;
  return attempt.detail?.timings.connect === undefined
    ? undefined
    : 'something listens there, but it speaks no plain gRPC: probes use neither TLS nor HTTP/1.1';
};

export const GRPC_HINTS: readonly HintRule[] = [
  noHealthService,
  unknownService,
  notServing,
  notGrpc,
];
