import { describe, expect, it } from 'vitest';

import { RealClock } from '../../src/clock/real-clock.js';
import { createTransports } from '../../src/probe/transports.js';
import { buildContainer, buildPod } from '../helpers/builders.js';
import { freePort } from '../helpers/free-port.js';
import { startReplyServer } from '../helpers/raw-server.js';

const transports = createTransports({ clock: new RealClock() });
const target = { pod: buildPod(), container: buildContainer(), containerID: 'c' };

describe('a TCP probe', () => {
  it('succeeds with a connection', async () => {
    const { port } = await startReplyServer('');
    const outcome = await transports.tcp(target, '127.0.0.1', port, 5);
    expect(outcome).toMatchObject({ result: 'success', output: '' });
    expect(outcome.detail?.address).toBe(`127.0.0.1:${port}`);
  });

  it('fails without one', async () => {
    const port = await freePort();
    const output = `dial tcp 127.0.0.1:${port}: connect: connection refused`;
    expect(await transports.tcp(target, '127.0.0.1', port, 5)).toMatchObject({
      result: 'failure',
      output,
    });
  });
});

it('gRPC attempts are made by a transport that is loaded then', async () => {
  const port = await freePort();
  const outcome = await transports.grpc(target, '127.0.0.1', port, '', 0.2);
  expect(outcome).toMatchObject({ result: 'failure' });
  expect(outcome.output).toContain('timeout: failed to connect service');
});
