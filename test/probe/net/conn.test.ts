import { once } from 'node:events';
import { Duplex, PassThrough } from 'node:stream';

import { describe, expect, it } from 'vitest';

import { RealClock } from '../../../src/clock/real-clock.js';
import { Conn, ReadableSocket } from '../../../src/probe/net/conn.js';
import { startRawServer } from '../../helpers/raw-server.js';

const clock = new RealClock();
const ADDRESSES = { local: '127.0.0.1:1', remote: '127.0.0.1:2' };
const RESET = Object.assign(new Error('reset'), { code: 'ECONNRESET', syscall: 'read' });
const RESET_TEXT = 'read tcp 127.0.0.1:1->127.0.0.1:2: read: connection reset by peer';

async function readText(conn: Conn, size = 100): Promise<string> {
  const into = Buffer.alloc(size);
  return into.toString('latin1', 0, await conn.read(into));
}

describe('Conn', () => {
  it('reads in the requested sizes up to the end', async () => {
    const stream = new PassThrough();
    const conn = new Conn(clock, stream, ADDRESSES);
    stream.end('abcd');
    expect(await readText(conn, 3)).toBe('abc');
    expect(await readText(conn, 3)).toBe('d');
    expect(await readText(conn)).toBe('');
    expect(await readText(conn)).toBe('');
  });

  it('waits for data', async () => {
    const stream = new PassThrough();
    const conn = new Conn(clock, stream, ADDRESSES);
    const reading = readText(conn);
    stream.write('late');
    expect(await reading).toBe('late');
  });

  it('reads data before an error, the error once, and then the end', async () => {
    const stream = new PassThrough();
    const conn = new Conn(clock, stream, ADDRESSES);
    stream.write('ab');
    await once(stream, 'readable');
    stream.destroy(RESET);
    expect(await readText(conn)).toBe('ab');
    await expect(readText(conn)).rejects.toThrow(RESET_TEXT);
    expect(await readText(conn)).toBe('');
  });

  it('rejects a pending read when it is closed', async () => {
    const conn = new Conn(clock, new PassThrough(), ADDRESSES);
    const reading = readText(conn);
    conn.close();
    await expect(reading).rejects.toThrow('use of closed network connection');
  });

  it('lets others run while a target sends without end', async () => {
    const stream = new Duplex({
      read: () => stream.push(Buffer.alloc(1024)),
    });
    const conn = new Conn(clock, stream, ADDRESSES);
    let isTurn = false;
    clock.go(() => {
      isTurn = true;
    });
    for (let reads = 0; reads < 100; reads++) await readText(conn, 1024);
    expect(isTurn).toBe(true);
    conn.close();
  });

  it('has the error of its layer instead of the end', async () => {
    const stream = new PassThrough();
    const failure = Object.assign(new Error('cut'), { name: 'IoError' });
    const layer = { errorOf: () => failure as never, failure: failure as never };
    const conn = new Conn(clock, stream, ADDRESSES, layer);
    stream.end();
    await expect(readText(conn)).rejects.toThrow('cut');
  });
});

it('data that a peer sent before its reset can be read even if a write fails', async () => {
  const { port } = await startRawServer((peer) => {
    peer.write('bye', () => peer.resetAndDestroy());
  });
  const socket = new ReadableSocket();
  socket.connect(port, '127.0.0.1');
  const conn = new Conn(clock, socket, ADDRESSES);
  conn.write('x');
  await once(socket, 'readable');
  while (conn.writeFailure === undefined) {
    conn.write('x');
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  expect(await readText(conn)).toBe('bye');
  await expect(readText(conn)).rejects.toThrow(RESET_TEXT);
});
