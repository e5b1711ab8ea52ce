import { gzipSync } from 'node:zlib';

import type { ServerConn } from './server-conn.js';
import { bytesOfSpec, type End, type Reply } from './spec.js';

const CHUNK = 4096;

/** What Go's gzip makes of a text: zlib's bytes differ, and the probe shows them as they are. */
const GO_GZIP: Readonly<Record<string, string>> = {
  'zipped zipped zipped': 'H4sIAAAAAAAA/6rKLChITVFAoQABAAD//wo0/CoUAAAA',
};

/** Writes a reply; tells how to end the connection, or undefined when it is gone. */
export async function writeReply(
  conn: ServerConn,
  echoed: string,
  reply: Reply,
): Promise<End | undefined> {
  const body = framed(reply, bodyOf(reply, echoed));
  const head = headOf(reply, bodyOf(reply, echoed).length);
  if (!(await conn.sleep(reply.delayMs ?? 0))) return undefined;
  const together = !reply.bodyDelayMs && !reply.drip;
  if (!(await conn.write(together ? Buffer.concat([head, body]) : head))) return undefined;
  if (!(await conn.sleep(reply.bodyDelayMs ?? 0))) return undefined;
  if (reply.drip) {
    if (!(await conn.drip(body, reply.drip.bytes, reply.drip.everyMs))) return undefined;
  } else if (!together && body.length > 0 && !(await conn.write(body))) {
    return undefined;
  }
  if (reply.endless) return writeForever(conn, reply);
  if (!(await conn.sleep(reply.endDelayMs ?? 0))) return undefined;
  return reply.end ?? 'close';
}

async function writeForever(conn: ServerConn, reply: Reply): Promise<undefined> {
  const body = bytesOfSpec(reply.body);
  const more = reply.framing === 'chunked' ? chunk(body) : body;
  await conn.writeForever(more);
  return undefined;
}

function bodyOf(reply: Reply, echoed: string): Buffer {
  const body = bytesOfSpec(reply.body);
  const data = reply.echo ? Buffer.concat([Buffer.from(echoed, 'latin1'), body]) : body;
  if (!reply.gzip) return data;
  const known = GO_GZIP[data.toString()];
  return known === undefined ? gzipSync(data) : Buffer.from(known, 'base64');
}

function headOf(reply: Reply, length: number): Buffer {
  if (reply.raw !== undefined) return bytesOfSpec(reply.raw);
  const version = reply.version ?? 'HTTP/1.1';
  const lines: string[] = [];
  for (const interim of reply.interim ?? []) lines.push(`${version} ${interim}`, '');
  lines.push(`${version} ${reply.status ?? '200 OK'}`);
  for (const [name, value] of reply.headers ?? []) lines.push(`${name}: ${value}`);
  if (reply.framing === 'chunked') lines.push('Transfer-Encoding: chunked');
  else if (reply.framing === undefined || reply.framing === 'length') {
    lines.push(`Content-Length: ${reply.contentLength ?? String(length)}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
}

function framed(reply: Reply, data: Buffer): Buffer {
  if (reply.framing !== 'chunked') return data;
  const chunks: Buffer[] = [];
  for (let at = 0; at < data.length; at += CHUNK) chunks.push(chunk(data.subarray(at, at + CHUNK)));
  const ends = !reply.endless && reply.end !== 'rst' && reply.end !== 'hold';
  return Buffer.concat(ends ? [...chunks, Buffer.from('0\r\n\r\n')] : chunks);
}

function chunk(data: Buffer): Buffer {
  const size = Buffer.from(`${data.length.toString(16)}\r\n`);
  return Buffer.concat([size, data, Buffer.from('\r\n')]);
}
