import type { ByteString } from '../../../../src/go/byte-string.js';

/** A header block of literals that are not indexed: what a connection of one request needs. */
export function encodeHeaderBlock(fields: Iterable<readonly [ByteString, ByteString]>): Buffer {
  const parts: Buffer[] = [];
  for (const [name, value] of fields) {
    parts.push(LITERAL, encodeString(name), encodeString(value));
  }
  return Buffer.concat(parts);
}

const LITERAL = Buffer.from([0]);

function encodeString(text: ByteString): Buffer {
  return Buffer.concat([encodeLength(text.length), Buffer.from(text, 'latin1')]);
}

function encodeLength(length: number): Buffer {
  if (length < 0x7f) return Buffer.from([length]);
  const bytes = [0x7f];
  let rest = length - 0x7f;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return Buffer.from([...bytes, rest]);
}
