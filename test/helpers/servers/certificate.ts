import { generateKeyPairSync, sign } from 'node:crypto';

import type { CertKind } from './spec.js';

const HOUR = 3_600_000;

/** From when and until when a certificate holds, in hours from now. */
const VALIDITY: Readonly<Record<CertKind, readonly [number, number]>> = {
  selfSigned: [-1, 24],
  wrongName: [-1, 24],
  expired: [-48, -24],
  notYetValid: [12, 24],
};

export interface Certificate {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

const made = new Map<CertKind, Certificate>();

/** A self-signed certificate for localhost, 127.0.0.1 and ::1, made when it is first asked for. */
export function certificate(kind: CertKind): Certificate {
  const known = made.get(kind);
  if (known) return known;
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const body = tbsCertificate(kind, spki);
  const signature = bitString(sign('sha256', body, privateKey));
  const der = sequence(body, ECDSA_WITH_SHA256, signature);
  const cert = {
    cert: `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
  made.set(kind, cert);
  return cert;
}

function tbsCertificate(kind: CertKind, spki: Buffer): Buffer {
  const [from, until] = VALIDITY[kind];
  const name = sequence(
    tlv(0x31, sequence(oid('550403'), tlv(0x0c, Buffer.from(`probe ${kind}`)))),
  );
  return sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    name,
    sequence(utcTime(from), utcTime(until)),
    name,
    spki,
    tlv(0xa3, sequence(subjectAltName(kind))),
  );
}

function subjectAltName(kind: CertKind): Buffer {
  const names =
    kind === 'wrongName'
      ? [tlv(0x82, Buffer.from('other.invalid'))]
      : [
          tlv(0x82, Buffer.from('localhost')),
          tlv(0x87, Buffer.from([127, 0, 0, 1])),
          tlv(0x87, Buffer.from([...new Array<number>(15).fill(0), 1])),
        ];
  return sequence(oid('551d11'), tlv(0x04, sequence(...names)));
}

function utcTime(hours: number): Buffer {
  const iso = new Date(Date.now() + hours * HOUR).toISOString();
  return tlv(0x17, Buffer.from(`${iso.slice(2, 19).replace(/[-T:]/g, '')}Z`));
}

function tlv(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const long = size < 256 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...(size < 128 ? [size] : long)]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tlv(0x30, ...parts);
}

function bitString(content: Buffer): Buffer {
  return tlv(0x03, Buffer.from([0]), content);
}

function oid(hex: string): Buffer {
  return tlv(0x06, Buffer.from(hex, 'hex'));
}

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
