import { createServer, type Socket } from 'node:net';
import { getActiveResourcesInfo, memoryUsage, nextTick } from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { describe, expect, it } from 'vitest';

import { RealClock } from '../../../src/clock/real-clock.js';
import { grpcProbe } from '../../../src/probe/grpc/grpc-probe.js';
import { buildContainer, buildPod } from '../../helpers/builders.js';
import { startRawServer } from '../../helpers/raw-server.js';
import { encodeFrame, encodeSettings, encodeUint32 } from '../../helpers/servers/h2/frame.js';
import { encodeHeaderBlock } from '../../helpers/servers/h2/hpack-encode.js';

/** The probe's timeout in seconds. */
const TIMEOUT = 0.3;

const SETTINGS = encodeSettings([]);
const BLOB = Buffer.alloc(16_000, 'x');

/** Bytes that a server sends first, and then repeatedly. */
const HOSTILE: Readonly<Record<string, readonly [once: Buffer, again?: Buffer]>> = {
  'no settings': [Buffer.alloc(0)],
  'nothing after its settings': [SETTINGS],
  'a frame of 16 MiB': [Buffer.from([0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 1]), BLOB],
  'an HTTP/1.1 response': [Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
  'a header block that is no HPACK': [
    Buffer.concat([SETTINGS, encodeFrame('headers', 4, 1, Buffer.alloc(9, 0xff))]),
  ],
  'data for a stream that nobody opened': [SETTINGS, encodeFrame('data', 0, 7, BLOB)],
  'pings without end': [SETTINGS, encodeFrame('ping', 0, 0, Buffer.alloc(8))],
  'settings without end': [SETTINGS, SETTINGS],
  'GOAWAYs without end': [SETTINGS, encodeFrame('goAway', 0, 0, Buffer.alloc(8))],
  'resets without end': [SETTINGS, encodeFrame('rstStream', 0, 1, encodeUint32(7))],
  'continuations without end': [
    Buffer.concat([SETTINGS, encodeFrame('headers', 0, 1, Buffer.from([0x88]))]),
    encodeFrame('continuation', 0, 1, Buffer.concat([Buffer.from([0, 1, 97]), Buffer.alloc(9)])),
  ],
  'a window that overflows': [
    SETTINGS,
    encodeFrame('windowUpdate', 0, 0, encodeUint32(2 ** 31 - 1)),
  ],
  'no window for the request': [encodeSettings([[4, 0]])],
};

const options = { clock: new RealClock() };
const target = { pod: buildPod(), container: buildContainer(), containerID: 'c' };

function sockets(): number {
  return getActiveResourcesInfo().filter((name) => name.startsWith('TCPSocket')).length;
}

function play(socket: Socket, [once, again]: readonly [Buffer, Buffer?]): void {
  socket.on('error', () => undefined).resume();
  socket.write(once);
  if (!again) return;
  const more = (): void => {
    for (let i = 0; i < 100 && socket.writable; i++) if (!socket.write(again)) return;
    if (socket.writable) setImmediate(more);
  };
  socket.on('drain', more);
  socket.once('data', more);
}

describe.each(Object.keys(HOSTILE))('a server that sends %s', (name) => {
  it('fails a gRPC probe, and no socket stays open', async () => {
    const script = HOSTILE[name] ?? [SETTINGS];
    const server = createServer((socket) => play(socket, script));
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address();
        resolve(typeof address === 'object' ? (address?.port ?? 0) : 0);
      });
    });
    const before = memoryUsage().rss;
    // Other tests of this process may have left theirs.
    const open = sockets();
    const outcome = await grpcProbe(options, target, '127.0.0.1', port, '', TIMEOUT);
    expect(outcome.result).toBe('failure');
    expect(memoryUsage().rss - before).toBeLessThan(200 << 20);
    await new Promise((resolve) => server.close(resolve));
    await expect.poll(sockets).toBeLessThanOrEqual(open);
  });
});

/** The last frame of a request for the health of no service. */
const REQUEST = encodeFrame('data', 1, 1, Buffer.alloc(5));

/** Starts a server that answers the request of each connection with these frames. */
async function startServerOf(response: readonly Buffer[]): Promise<number> {
  const { port } = await startRawServer((socket) => {
    socket.write(SETTINGS);
    let received = Buffer.alloc(0);
    socket.on('data', (data) => {
      received = Buffer.concat([received, data]);
      if (received.includes(REQUEST)) socket.write(Buffer.concat(response));
    });
  });
  return port;
}

const HEADERS: readonly (readonly [string, string])[] = [
  [':status', '200'],
  ['content-type', 'application/grpc'],
];

function block(flags: number, fields: Iterable<readonly [string, string]>): Buffer {
  return encodeFrame('headers', flags, 1, encodeHeaderBlock(fields));
}

/** A message of gRPC in one frame. */
function messageOf(...message: number[]): Buffer {
  return encodeFrame('data', 0, 1, Buffer.from([0, 0, 0, 0, message.length, ...message]));
}

const TRAILERS = block(5, [['grpc-status', '0']]);

it('reads a health response in frames of one byte', async () => {
  // NOT_SERVING, and an unknown field of bytes.
  const message = Buffer.concat([Buffer.from([8, 2, 0x7a, 0xe0, 0x5d]), Buffer.alloc(12_000)]);
  const prefix = Buffer.from([0, 0, 0, message.length >> 8, message.length & 0xff]);
  const port = await startServerOf([
    block(4, HEADERS),
    ...Array.from(Buffer.concat([prefix, message]), (byte) =>
      encodeFrame('data', 0, 1, Buffer.from([byte])),
    ),
    TRAILERS,
  ]);
  const outcome = await grpcProbe(options, target, '127.0.0.1', port, '', 60);
  expect(outcome.output).toBe('service unhealthy (responded with "NOT_SERVING")');
});

/** A frame whose type is none of HTTP/2's. */
function unknownFrame(type: number): Buffer {
  const frame = encodeFrame('data', 0xff, 0, Buffer.from('abc'));
  frame[3] = type;
  return frame;
}

it.each<[string, Buffer[]]>([
  ['frames of unknown types', [10, 12, 16, 255].map(unknownFrame)],
  ['answers to pings that nobody sent', [encodeFrame('ping', 1, 0, Buffer.alloc(8))]],
  ['settings of 2,000 unknown names', [encodeSettings(Array(2000).fill([0x99, 1]))]],
  ['settings with an ENABLE_PUSH that is no flag', [encodeSettings([[2, 2]])]],
])('a gRPC probe succeeds, as in Go, despite %s', async (_, frames) => {
  const port = await startServerOf([...frames, block(4, HEADERS), messageOf(8, 1), TRAILERS]);
  const outcome = await grpcProbe(options, target, '127.0.0.1', port, '', 60);
  expect(outcome.output).toBe('service healthy');
});

it.each<[string, Buffer]>([
  ['a frame of an unknown type', unknownFrame(200)],
  ['an answer to a ping', encodeFrame('ping', 1, 0, Buffer.alloc(8))],
])('a gRPC probe fails, as in Go, when %s cuts a header block', async (_, frame) => {
  const continued = encodeFrame('continuation', 4, 1, Buffer.alloc(0));
  const port = await startServerOf([
    block(0, HEADERS),
    frame,
    continued,
    messageOf(8, 1),
    TRAILERS,
  ]);
  const outcome = await grpcProbe(options, target, '127.0.0.1', port, '', 60);
  expect(outcome.output).toContain('PROTOCOL_ERROR');
});

const UNHEALTHY = 'service unhealthy (responded with "NOT_SERVING")';

it.each([
  ['an unknown group', [0x1b, 0x1c, 8, 2], UNHEALTHY],
  ['a status within a group', [8, 2, 0x1b, 8, 1, 0x1c], UNHEALTHY],
  ['groups in groups', [0x1b, 0x2b, 0x7a, 1, 9, 0x2c, 0x1c, 8, 2], UNHEALTHY],
  ['a group that is not closed', [8, 1, 0x1b], 'cannot parse invalid wire-format data'],
  ['a group that is closed as another', [0x1b, 0x2c], 'cannot parse invalid wire-format data'],
  ['the end of no group', [8, 1, 0x1c], 'cannot parse invalid wire-format data'],
])('reads a health response with %s as Go does', async (_, message, text) => {
  const port = await startServerOf([block(4, HEADERS), messageOf(...message), TRAILERS]);
  const outcome = await grpcProbe(options, target, '127.0.0.1', port, '', 60);
  expect(outcome.output).toContain(text);
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

it('survives a header block that another frame cuts, whenever its session is collected', async () => {
  class CollectingClock extends RealClock {
    override go(callback: () => void): void {
      super.go(callback);
      // By then Node has queued the end of the last write, after which a session may be collected.
      nextTick(() => nextTick(() => super.go(collectGarbage)));
    }
  }
  const port = await startServerOf([block(0, HEADERS), encodeFrame('data', 0, 1, Buffer.alloc(1))]);
  const clock = new CollectingClock();
  const outcome = await grpcProbe({ clock }, target, '127.0.0.1', port, '', 60);
  expect(outcome.output).toContain('connection error: PROTOCOL_ERROR');
});
