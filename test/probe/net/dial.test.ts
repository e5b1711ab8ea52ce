import { promises as dns } from 'node:dns';
import { Duplex } from 'node:stream';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { RealClock } from '../../../src/clock/real-clock.js';
import { Attempt, type TransportOptions } from '../../../src/probe/attempt.js';
import { openConn } from '../../../src/probe/net/dial.js';
import { buildContainer, buildPod } from '../../helpers/builders.js';
import { freePort } from '../../helpers/free-port.js';
import { startRawServer, startReplyServer } from '../../helpers/raw-server.js';

const target = { pod: buildPod(), container: buildContainer(), containerID: 'c' };

function attemptWith(options: Partial<TransportOptions> = {}, milliseconds = 5000): Attempt {
  const attempt = new Attempt({ clock: new RealClock(), ...options }, target, milliseconds);
  onTestFinished(() => void attempt.end());
  return attempt;
}

describe('openConn', () => {
  it('connects to the address, or to the one that it is mapped to', async () => {
    const { port } = await startReplyServer('');
    const direct = attemptWith();
    await openConn(direct, `127.0.0.1:${port}`);
    expect(direct.address).toBe(`127.0.0.1:${port}`);
    const mapped = attemptWith({ dial: () => ({ host: '127.0.0.1', port }) });
    await openConn(mapped, '10.0.0.1:80');
    expect(mapped.address).toBe(`127.0.0.1:${port}`);
  });

  it('connects to the first address of a name that accepts', async () => {
    const { port } = await startReplyServer('');
    const attempt = attemptWith();
    const { addresses } = await openConn(attempt, `localhost:${port}`);
    expect(addresses.remote).toBe(`127.0.0.1:${port}`);
    const measured: unknown = expect.any(Number);
    expect(attempt.end().timings).toEqual({ lookup: measured, connect: measured, total: measured });
  });

  it('fails when the connection is refused', async () => {
    const port = await freePort();
    await expect(openConn(attemptWith(), `127.0.0.1:${port}`)).rejects.toThrow(
      `dial tcp 127.0.0.1:${port}: connect: connection refused`,
    );
  });

  it.each([
    ['127.0.0.1:99999', 'dial tcp: address 99999: invalid port'],
    ['127.0.0.1', 'dial tcp: address 127.0.0.1: missing port in address'],
  ])('rejects the address %j', async (address, message) => {
    await expect(openConn(attemptWith(), address)).rejects.toThrow(message);
  });

  it('closes the connection when its attempt ends', async () => {
    const { port } = await startRawServer(() => undefined);
    const attempt = attemptWith();
    const conn = await openConn(attempt, `127.0.0.1:${port}`);
    const reading = conn.read(Buffer.alloc(1));
    attempt.end();
    await expect(reading).rejects.toThrow('use of closed network connection');
  });
});

describe('the timeout of openConn', () => {
  it('applies to a slow lookup', async () => {
    const lookup = vi.spyOn(dns, 'lookup').mockReturnValue(new Promise(() => undefined) as never);
    onTestFinished(() => lookup.mockRestore());
    await expect(openConn(attemptWith({}, 20), 'slow.example:80')).rejects.toThrow(
      'dial tcp: lookup slow.example: i/o timeout',
    );
  });

  it('opens no connection when it has passed already', async () => {
    const { port } = await startReplyServer('');
    const attempt = attemptWith();
    attempt.deadline.end();
    await expect(openConn(attempt, `127.0.0.1:${port}`)).rejects.toThrow(
      `dial tcp 127.0.0.1:${port}: i/o timeout`,
    );
  });
});

describe('openConn with a custom connect function', () => {
  const stream = () => Duplex.from(Buffer.from('hello'));

  it('uses its stream', async () => {
    const conn = await openConn(attemptWith({ connect: stream }), '10.0.0.1:80');
    expect(await conn.read(Buffer.alloc(9))).toBe(5);
  });

  it('fails with its error', async () => {
    const connect = () => Promise.reject(new Error('no forward'));
    await expect(openConn(attemptWith({ connect }), '10.0.0.1:80')).rejects.toThrow(
      'dial tcp 10.0.0.1:80: no forward',
    );
  });

  it('does not wait after the timeout, and destroys a late stream', async () => {
    const late = stream();
    let give: (stream: Duplex) => void = () => undefined;
    const connect = () => new Promise<Duplex>((resolve) => (give = resolve));
    await expect(openConn(attemptWith({ connect }, 20), '10.0.0.1:80')).rejects.toThrow(
      'dial tcp 10.0.0.1:80: i/o timeout',
    );
    give(late);
    await new Promise((resolve) => late.once('close', resolve));
    expect(late.destroyed).toBe(true);
  });
});
