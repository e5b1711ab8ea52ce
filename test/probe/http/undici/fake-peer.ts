import { Duplex } from 'node:stream';

import { RealClock } from '../../../../src/clock/real-clock.js';
import { TappedConn } from '../../../../src/probe/http/undici/tapped-conn.js';
import { Conn } from '../../../../src/probe/net/conn.js';

/** A connection to a peer that says what a test pushes, and keeps what it is told. */
export function tappedPeer(): {
  readonly peer: Duplex;
  readonly tapped: TappedConn;
  readonly told: string[];
} {
  const told: string[] = [];
  const peer = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _encoding, done) {
      told.push(chunk.toString('latin1'));
      done();
    },
  });
  const conn = new Conn(new RealClock(), peer, { local: '127.0.0.1:1', remote: '127.0.0.1:2' });
  const tapped = new TappedConn(conn, () => undefined);
  // As its client would.
  tapped.stream.on('error', () => undefined);
  return { peer, told, tapped };
}
