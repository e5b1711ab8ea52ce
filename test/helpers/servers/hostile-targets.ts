import { createServer, type Server, type Socket } from 'node:net';

/** What a target does with a connection once the request has come, or at once. */
type Behave = (socket: Socket) => void;

export interface HostileTarget {
  readonly name: string;
  readonly behave: Behave;
  /** Whether an attempt can end before its timeout. */
  readonly endsEarly: boolean;
}

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNK = Buffer.alloc(64 * 1024, 'x');

/** Writes as long as the peer reads. */
function flood(socket: Socket, data: Buffer): void {
  const more = (): void => {
    while (socket.writable && socket.write(data)) if (socket.writableLength > 1 << 20) break;
  };
  socket.on('drain', more);
  more();
}

function drip(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => socket.write(text[at++ % text.length] ?? ''), 10);
  socket.once('close', () => clearInterval(timer));
}

/** After the request: what an HTTP server would wait for. */
const asked =
  (behave: Behave): Behave =>
  (socket) =>
    void socket.once('data', () => behave(socket));

const tls = (type: number, ...bytes: number[]): Buffer =>
  Buffer.from([type, 3, 3, 0, bytes.length, ...bytes]);

export const HOSTILE: readonly HostileTarget[] = [
  { name: 'never answers', endsEarly: false, behave: () => undefined },
  { name: 'slow headers', endsEarly: false, behave: asked((s) => drip(s, `${OK}X-A: b\r\n`)) },
  {
    name: 'slow body',
    endsEarly: false,
    behave: asked((s) => {
      s.write(`${OK}Content-Length: 99999\r\n\r\n`);
      drip(s, 'slow ');
    }),
  },
  {
    name: 'slow chunks',
    endsEarly: false,
    behave: asked((s) => {
      s.write(`${OK}Transfer-Encoding: chunked\r\n\r\n`);
      drip(s, '1\r\na\r\n');
    }),
  },
  {
    name: 'endless body',
    endsEarly: true,
    behave: asked((s) => {
      s.write(`${OK}\r\n`);
      flood(s, CHUNK);
    }),
  },
  {
    name: 'endless chunk extension',
    endsEarly: true,
    behave: asked((s) => {
      s.write(`${OK}Transfer-Encoding: chunked\r\n\r\n1;`);
      flood(s, CHUNK);
    }),
  },
  {
    name: 'endless status line',
    endsEarly: true,
    behave: asked((s) => {
      s.write('HTTP/1.1 200 ');
      flood(s, CHUNK);
    }),
  },
  {
    name: 'endless header',
    endsEarly: true,
    behave: asked((s) => {
      s.write(`${OK}X: `);
      flood(s, CHUNK);
    }),
  },
  {
    name: 'endless headers',
    endsEarly: true,
    behave: asked((s) => {
      s.write(OK);
      flood(s, Buffer.from('X-Header: value\r\n'.repeat(2000)));
    }),
  },
  {
    name: 'endless interim responses',
    endsEarly: true,
    behave: asked((s) => {
      flood(s, Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1000)));
    }),
  },
  { name: 'reset at once', endsEarly: true, behave: (s) => void s.resetAndDestroy() },
  {
    name: 'reset after the request',
    endsEarly: true,
    behave: asked((s) => void s.resetAndDestroy()),
  },
  {
    name: 'reset in the headers',
    endsEarly: true,
    behave: asked((s) => void s.write(`${OK}X-`, () => s.resetAndDestroy())),
  },
  {
    name: 'reset in the body',
    endsEarly: true,
    behave: asked(
      (s) => void s.write(`${OK}Content-Length: 9\r\n\r\nab`, () => s.resetAndDestroy()),
    ),
  },
  { name: 'half-close before the answer', endsEarly: true, behave: asked((s) => void s.end()) },
  {
    name: 'half-close in the body',
    endsEarly: true,
    behave: asked((s) => void s.end(`${OK}Content-Length: 9\r\n\r\nab`)),
  },
  {
    name: 'another protocol',
    endsEarly: true,
    behave: (s) => void s.write('220 mail.example ESMTP\r\n'),
  },
  { name: 'a TLS alert', endsEarly: true, behave: asked((s) => void s.end(tls(21, 2, 40))) },
  {
    name: 'half a TLS record',
    endsEarly: false,
    behave: asked((s) => void s.write(Buffer.from([22, 3, 3, 0, 99, 2]))),
  },
  {
    name: 'endless TLS records',
    endsEarly: true,
    behave: asked((s) => {
      flood(s, Buffer.concat(Array(2000).fill(tls(22, 0, 0, 0, 0)) as Buffer[]));
    }),
  },
  {
    name: 'HTTP/2 settings without end',
    endsEarly: false,
    behave: asked((s) => {
      flood(s, Buffer.from('000000040000000000'.repeat(1000), 'hex'));
    }),
  },
  {
    name: 'HTTP/2 pings without end',
    endsEarly: false,
    behave: asked((s) => {
      s.write(Buffer.from('000000040000000000', 'hex'));
      flood(s, Buffer.from('0000080600000000000102030405060708'.repeat(1000), 'hex'));
    }),
  },
];

/** Plays a target on loopback. */
export class HostileServer {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  constructor(target: HostileTarget) {
    this.#server = createServer({ allowHalfOpen: true }, (socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.#sockets.delete(socket));
      // Who leaves is noticed: a client's end is an end.
      socket.on('end', () => socket.destroy());
      socket.resume();
      target.behave(socket);
    });
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
