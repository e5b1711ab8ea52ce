import type { ByteString } from '../byte-string.js';
import { IoError, type IoReason } from '../io-error.js';
import { quote } from '../quote.js';
import type { BufioReader } from './bufio.js';

/** http.Header: values by canonical name, in the order they came. */
export type Header = ReadonlyMap<ByteString, readonly ByteString[]>;

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Ports httpguts.ValidHeaderFieldName (golang.org/x/net/http/httpguts/httplex.go). */
export function isValidHeaderName(name: ByteString): boolean {
  return TOKEN.test(name);
}

const CONTROL_BUT_TAB = /[\x00-\x08\x0a-\x1f\x7f]/;

/** Ports httpguts.ValidHeaderFieldValue (golang.org/x/net/http/httpguts/httplex.go). */
export function isValidHeaderValue(value: ByteString): boolean {
  return !CONTROL_BUT_TAB.test(value);
}

/** `accept-encoding` → `Accept-Encoding`; what is no token stays. Ports textproto.CanonicalMIMEHeaderKey. */
export function canonicalHeaderKey(name: ByteString): ByteString {
  if (!TOKEN.test(name)) return name;
  return name.toLowerCase().replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

/** Ports Header.Get (net/http/header.go); the name must be canonical. */
export function getHeader(header: Header, name: ByteString): ByteString {
  return header.get(name)?.[0] ?? '';
}

/** Removes spaces and tabs from both ends, in linear time. Ports trim (net/textproto/reader.go). */
export function trimBlanks(text: ByteString): ByteString {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text[start])) start++;
  while (end > start && isBlank(text[end - 1])) end--;
  return text.slice(start, end);
}

function isBlank(char: string | undefined): boolean {
  return char === ' ' || char === '\t';
}

/** Header.Add for a whole list (net/http/header.go). */
export function headerOf(
  fields: Iterable<readonly [ByteString, ByteString]>,
): Map<ByteString, ByteString[]> {
  const header = new Map<ByteString, ByteString[]>();
  for (const [name, value] of fields) {
    const key = canonicalHeaderKey(name);
    const values = header.get(key);
    if (values) values.push(value);
    else header.set(key, [value]);
  }
  return header;
}

/** Ports badStringError (net/http/request.go). The value may have megabytes: it is quoted only when the text is used. */
export function badString(what: string, value: ByteString, reason?: IoReason): IoError {
  return new IoError(() => `${what} ${quote(value)}`, reason);
}

/** Ports Reader.readLineSlice (net/textproto/reader.go). */
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

/** Bytes of a malformed first line that are read at all. */
const ERROR_LIMIT = 80;

/** Ports Reader.ReadMIMEHeader (net/textproto/reader.go). */
export async function readMIMEHeader(reader: BufioReader): Promise<Header> {
  if (await startsWithBlank(reader)) {
    const line = await readLine(reader, ERROR_LIMIT);
    throw new IoError(`malformed MIME header initial line: ${quote(line)}`);
  }
  const header = new Map<ByteString, ByteString[]>();
  for (;;) {
    const line = await readContinuedLine(reader);
    if (line === '') return header;
    addField(header, line);
  }
}

async function startsWithBlank(reader: BufioReader): Promise<boolean> {
  const [byte] = (await reader.peek(1)).bytes;
  return byte === 0x20 || byte === 0x09;
}

/** A token, or one with spaces in it, which is accepted but not made canonical. */
const FIELD_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z ]+$/;
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

function addField(header: Map<ByteString, ByteString[]>, line: ByteString): void {
  const colon = line.indexOf(':');
  const name = line.slice(0, colon);
  const value = line.slice(colon + 1);
  if (!FIELD_NAME.test(name)) throw badString('malformed MIME header line:', line);
  const key = canonicalHeaderKey(name);
  // Go has made the name canonical in place by then.
  if (!FIELD_VALUE.test(value)) throw badString('malformed MIME header line:', `${key}:${value}`);
  const values = header.get(key);
  if (values) values.push(trimBlanks(value));
  else header.set(key, [trimBlanks(value)]);
}

/** Reads a line and those that continue it. Ports Reader.readContinuedLineSlice (net/textproto/reader.go). */
async function readContinuedLine(reader: BufioReader): Promise<ByteString> {
  const first = await readLine(reader);
  if (first === '') return first;
  if (!first.includes(':')) throw badString('malformed MIME header: missing colon:', first);
  let line = trimBlanks(first);
  while (await startsWithBlank(reader)) {
    do reader.discard(1);
    while (await startsWithBlank(reader));
    const more = await reader.readLine();
    if (more.error) break;
    const start = more.bytes.toString('latin1');
    line += ` ${trimBlanks(more.isPrefix ? start + (await readLine(reader)) : start)}`;
  }
  return line;
}
