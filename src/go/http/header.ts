import type { ByteString } from '../byte-string.js';

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

/** Ports Header.Add (net/http/header.go); the name must be canonical. */
export function addHeader(
  header: Map<ByteString, ByteString[]>,
  name: ByteString,
  value: ByteString,
): void {
  const values = header.get(name);
  if (values) values.push(value);
  else header.set(name, [value]);
}

export function headerOf(
  fields: Iterable<readonly [ByteString, ByteString]>,
): Map<ByteString, ByteString[]> {
  const header = new Map<ByteString, ByteString[]>();
  for (const [name, value] of fields) addHeader(header, canonicalHeaderKey(name), value);
  return header;
}
