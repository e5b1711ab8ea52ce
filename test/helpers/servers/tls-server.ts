import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { createSecureContext, TLSSocket } from 'node:tls';

import { certificate } from './certificate.js';
import { ServerConn } from './server-conn.js';
import type { TlsSpec } from './spec.js';

const VERSIONS = { '1.0': 'TLSv1', '1.1': 'TLSv1.1', '1.2': 'TLSv1.2', '1.3': 'TLSv1.3' } as const;

/** The first bytes of a connection, before anybody reads them. */
export function firstBytes(raw: Socket): Promise<Buffer> {
  return new Promise((resolve) => {
    raw.once('data', (chunk: Buffer) => {
      raw.pause();
      raw.unshift(chunk);
      resolve(chunk);
    });
    raw.once('close', () => resolve(Buffer.alloc(0)));
  });
}

/** Does the server's part of the handshake; undefined when it fails. */
export async function acceptTls(raw: Socket, spec: TlsSpec): Promise<ServerConn | undefined> {
  const secureContext = createSecureContext({
    ...certificate(spec.cert ?? 'selfSigned'),
    minVersion: VERSIONS[spec.min ?? '1.0'],
    maxVersion: VERSIONS[spec.max ?? '1.3'],
    // Old versions need what OpenSSL calls insecure.
    ciphers: 'DEFAULT@SECLEVEL=0',
  });
  const tls = new TLSSocket(throughRaw(raw), {
    isServer: true,
    secureContext,
    requestCert: spec.clientCert ?? false,
    rejectUnauthorized: spec.clientCert ?? false,
    ...(spec.alpn ? { ALPNProtocols: [...spec.alpn] } : {}),
  });
  const conn = new ServerConn(raw, tls);
  const secured = await new Promise<boolean>((resolve) => {
    tls.once('secure', () => resolve(true));
    tls.once('error', () => resolve(false));
    tls.once('close', () => resolve(false));
  });
  return secured ? conn : undefined;
}

/** The TCP stream under TLS, apart from it: a FIN can then go out without close_notify. */
function throughRaw(raw: Socket): Duplex {
  const duplex = new Duplex({
    read: () => raw.resume(),
    write: (chunk: Buffer, _encoding, done) => {
      if (raw.writable) raw.write(chunk, () => done());
      else done();
    },
    final: (done) => {
      raw.end();
      done();
    },
  });
  raw.on('data', (chunk: Buffer) => {
    if (!duplex.push(chunk)) raw.pause();
  });
  raw.on('end', () => duplex.push(null));
  // What came before a reset is still to be read.
  raw.on('close', () => duplex.push(null));
  return duplex;
}
