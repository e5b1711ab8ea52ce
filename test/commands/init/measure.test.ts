import { expect, it } from 'vitest';

import type { FoundPort } from '../../../src/commands/init/find-ports.js';
import { choosePort } from '../../../src/commands/init/measure.js';

const port = (
  protocol: FoundPort['protocol'],
  liveness?: string,
  readiness = liveness,
): FoundPort => ({ port: 1, protocol, isLoopback: false, liveness, readiness });

it.each([
  ['a path for probes over /', port('http', '/'), port('http', '/healthz')],
  ['a path for readiness alone over /', port('http', '/'), port('http', '/', '/readyz')],
  ['a gRPC health service over /', port('http', '/'), port('grpc')],
  ['/ over a port that only listens', port('tcp'), port('http', '/')],
])('kprobe init prefers %s', (_, other, preferred) => {
  expect(choosePort([other, preferred])).toBe(preferred);
});
