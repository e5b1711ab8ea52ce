import { once } from 'node:events';

import { describe, expect, it } from 'vitest';

import type { TappedConn } from '../../../../src/probe/http/undici/tapped-conn.js';
import { tappedPeer } from './fake-peer.js';

const RESPONSE = 'HTTP/1.1 200 OK\r\nX-A: b\r\n\r\nbody';

async function readText(tapped: TappedConn): Promise<string> {
  const into = Buffer.alloc(100);
  return into.toString('latin1', 0, await tapped.read(into));
}

async function clientReads({ stream }: TappedConn): Promise<string> {
  const readable = once(stream, 'readable');
  expect(stream.read()).toBeNull();
  await readable;
  return stream.read()?.toString('latin1') ?? '';
}

/** Reads all that comes, as undici does. */
function readOn({ stream }: TappedConn): void {
  const more = (): void => {
    while (stream.read());
  };
  stream.on('readable', more);
  more();
}

describe('a tapped connection', () => {
  it('gives the client what comes, and keeps the head of it', async () => {
    const { peer, tapped } = tappedPeer();
    peer.push(RESPONSE);
    expect(await clientReads(tapped)).toBe(RESPONSE);
    expect(tapped.head).toBe('HTTP/1.1 200 OK\r\nX-A: b\r\n\r\n');
  });

  it('is read again from its first byte, and then on', async () => {
    const { peer, tapped } = tappedPeer();
    peer.push(RESPONSE);
    await clientReads(tapped);
    expect(await readText(tapped)).toBe(RESPONSE);
    peer.push(' and more');
    expect(await readText(tapped)).toBe(' and more');
    peer.push(null);
    expect(await readText(tapped)).toBe('');
    expect(tapped.stream.destroyed).toBe(true);
  });

  it('keeps nothing once it is told to forget', async () => {
    const { peer, tapped } = tappedPeer();
    peer.push(RESPONSE);
    await clientReads(tapped);
    tapped.forget();
    expect(tapped.head).toBe('');
  });

  it('writes the request as Go orders it', () => {
    const { told, tapped } = tappedPeer();
    tapped.stream.write('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\nX-B: 1\r\n\r\n');
    const asGo = 'GET / HTTP/1.1\r\nHost: a\r\nX-B: 1\r\nConnection: close\r\n\r\n';
    expect(tapped.sent).toBe(asGo);
    expect(told).toEqual([asGo]);
  });

  it('tells the client of an end', async () => {
    const { peer, tapped } = tappedPeer();
    const ended = once(tapped.stream, 'end');
    readOn(tapped);
    peer.push(null);
    await ended;
    expect(tapped.stream.destroyed).toBe(false);
  });

  it('tells the client of a failure', async () => {
    const { peer, tapped } = tappedPeer();
    const failed = new Promise((resolve) => tapped.stream.once('error', resolve));
    const closed = new Promise((resolve) => tapped.stream.once('close', resolve));
    readOn(tapped);
    peer.destroy(Object.assign(new Error('reset'), { code: 'ECONNRESET', syscall: 'read' }));
    expect(String(await failed)).toContain('read: connection reset by peer');
    await closed;
  });

  it('tells a failure once, and after it the end', async () => {
    const { peer, tapped } = tappedPeer();
    peer.destroy(Object.assign(new Error('reset'), { code: 'ECONNRESET', syscall: 'read' }));
    const why = 'read tcp 127.0.0.1:1->127.0.0.1:2: read: connection reset by peer';
    await expect(readText(tapped)).rejects.toThrow(why);
    expect(await readText(tapped)).toBe('');
  });

  it('ends the stream of a client that reads too long a head', async () => {
    const { peer, tapped } = tappedPeer();
    const failed = once(tapped.stream, 'error');
    readOn(tapped);
    peer.push(Buffer.alloc(100_000, 'x'));
    expect(String(await failed)).toContain('too long a head');
  });
});
