import type { ByteString } from '../../go/byte-string.js';
import { canonicalHeaderKey } from '../../go/header.js';
import { quote } from '../../go/quote.js';
import { IoError } from '../io-error.js';
import type { BufioReader } from './bufio.js';

/** Ports Reader.readLineSlice (net/textproto/reader.go); a limit of bytes, or none. */
export async function readLine(reader: BufioReader, limit = Infinity): Promise<ByteString> {
  let line = '';
  for (;;) {
    const { bytes, error, isPrefix } = await reader.readLine();
    if (error) throw error;
    if (line.length + bytes.length > limit) throw new IoError('message too large');
    line += bytes.toString('latin1');
    if (!isPrefix) return line;
  }
}

/** How much of a bad first line is read at all. */
const ERROR_LIMIT = 80;

/** Ports Reader.ReadMIMEHeader (net/textproto/reader.go). */
export async function readMIMEHeader(reader: BufioReader): Promise<Map<ByteString, ByteString[]>> {
  const header = new Map<ByteString, ByteString[]>();
  const { bytes } = await reader.peek(1);
  if (isBlank(bytes[0])) {
    const line = await readLine(reader, ERROR_LIMIT);
    throw new IoError(`malformed MIME header initial line: ${quote(line)}`);
  }
  for (;;) {
    const line = await readContinuedLine(reader);
    if (line === '') return header;
    addField(header, line);
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09;
}

/** A token, or one with spaces in it, which is taken but not made canonical. */
const FIELD_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z ]+$/;
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

function addField(header: Map<ByteString, ByteString[]>, line: ByteString): void {
  const colon = line.indexOf(':');
  const name = line.slice(0, colon);
  const value = line.slice(colon + 1);
  if (!FIELD_NAME.test(name)) throw malformedLine(line);
  const key = canonicalHeaderKey(name);
  // Go has made the name canonical in place by then.
  if (!FIELD_VALUE.test(value)) throw malformedLine(`${key}:${value}`);
  const values = header.get(key);
  if (values) values.push(trim(value));
  else header.set(key, [trim(value)]);
}

function malformedLine(line: ByteString): IoError {
  return new IoError(() => `malformed MIME header line: ${quote(line)}`);
}

/** A line and those that continue it. Ports Reader.readContinuedLineSlice (net/textproto/reader.go). */
async function readContinuedLine(reader: BufioReader): Promise<ByteString> {
  const first = await readLine(reader);
  if (first === '') return first;
  if (!first.includes(':')) {
    throw new IoError(() => `malformed MIME header: missing colon: ${quote(first)}`);
  }
  let line = trim(first);
  while ((await skipSpace(reader)) > 0) {
    const more = await reader.readLine();
    if (more.error) break;
    line += ` ${trim(await restOfLine(reader, more.bytes, more.isPrefix))}`;
  }
  return line;
}

async function restOfLine(
  reader: BufioReader,
  bytes: Buffer,
  isPrefix: boolean,
): Promise<ByteString> {
  const start = bytes.toString('latin1');
  return isPrefix ? start + (await readLine(reader)) : start;
}

async function skipSpace(reader: BufioReader): Promise<number> {
  for (let skipped = 0; ; skipped++) {
    const { bytes } = await reader.peek(1);
    if (!isBlank(bytes[0])) return skipped;
    reader.discard(1);
  }
}

/** Without blanks at both ends. Ports trim (net/textproto/reader.go). */
export function trim(text: ByteString): ByteString {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}
