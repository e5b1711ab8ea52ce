import type { ByteString } from '../../go/byte-string.js';
import { canonicalHeaderKey, type Header } from '../../go/header.js';
import { parseUint } from '../../go/parse-int.js';
import { quote } from '../../go/quote.js';
import { IoError } from '../io-error.js';
import { trim } from './mime-header.js';
import { badString, type ResponseHead } from './response-head.js';

/** How a response's body is delimited. */
export type Framing =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'untilClose' };

export interface Transfer {
  readonly framing: Framing;
  /** Response.ContentLength: -1 where it is not known. */
  readonly contentLength: number;
}

/** Ports readTransfer (net/http/transfer.go) for the response to a GET. */
export function readTransfer(head: ResponseHead): Transfer {
  const chunked = isChunked(head);
  const contentLength = fixLength(head, chunked);
  if (chunked) checkTrailer(head.header);
  const framing = framingOf(head, chunked, contentLength);
  return { framing, contentLength };
}

function framingOf(head: ResponseHead, chunked: boolean, length: number): Framing {
  if (chunked)
    return bodyAllowedForStatus(head.statusCode) ? { kind: 'chunked' } : { kind: 'none' };
  if (length === 0) return { kind: 'none' };
  if (length > 0) return { kind: 'length', length };
  const close = bodyAllowedForStatus(head.statusCode) || shouldClose(head);
  return close ? { kind: 'untilClose' } : { kind: 'none' };
}

/** Ports bodyAllowedForStatus (net/http/transfer.go). */
function bodyAllowedForStatus(status: number): boolean {
  return !(status >= 100 && status <= 199) && status !== 204 && status !== 304;
}

/** Ports parseTransferEncoding (net/http/transfer.go). */
function isChunked({ header, major, minor }: ResponseHead): boolean {
  const raw = header.get('Transfer-Encoding');
  if (!raw || !isAtLeast11(major, minor)) return false;
  if (raw.length !== 1) {
    throw new IoError(() => `too many transfer encodings: [${raw.map(quote).join(' ')}]`);
  }
  const [encoding = ''] = raw;
  if (encoding.toLowerCase() !== 'chunked') {
    throw new IoError(() => `unsupported transfer encoding: ${quote(encoding)}`);
  }
  return true;
}

/** HTTP/0.0 counts as 1.1. */
function isAtLeast11(major: number, minor: number): boolean {
  return major > 1 || (major === 1 && minor >= 1) || (major === 0 && minor === 0);
}

/** Ports fixLength (net/http/transfer.go). */
function fixLength({ header, statusCode }: ResponseHead, chunked: boolean): number {
  const lengths = header.get('Content-Length') ?? [];
  const first = trim(lengths[0] ?? '');
  if (lengths.some((each) => trim(each) !== first)) {
    const shown = (): string => lengths.map(quote).join(' ');
    throw new IoError(
      () => `http: message cannot contain multiple Content-Length headers; got [${shown()}]`,
    );
  }
  const length = lengths.length > 0 ? parseContentLength(first) : -1;
  if (Math.trunc(statusCode / 100) === 1 || statusCode === 204 || statusCode === 304) return 0;
  return chunked ? -1 : length;
}

/** Ports parseContentLength (net/http/transfer.go). */
function parseContentLength(text: ByteString): number {
  if (text === '') throw badString('invalid empty Content-Length', text);
  const length = parseUint(text, 63);
  if (length === undefined) throw badString('bad Content-Length', text);
  return length;
}

/** Ports shouldClose (net/http/transfer.go). */
function shouldClose({ header, major, minor }: ResponseHead): boolean {
  if (major < 1) return true;
  const connection = header.get('Connection') ?? [];
  if (hasToken(connection, 'close')) return true;
  return major === 1 && minor === 0 && !hasToken(connection, 'keep-alive');
}

/** Ports httpguts.HeaderValuesContainsToken (golang.org/x/net/http/httpguts/httplex.go). */
export function hasToken(values: readonly ByteString[], token: string): boolean {
  return values.some((value) =>
    value.split(',').some((part) => trim(part).toLowerCase() === token),
  );
}

/** Ports fixTrailer (net/http/transfer.go). */
function checkTrailer(header: Header): void {
  const names = (header.get('Trailer') ?? []).flatMap((value) => value.split(','));
  for (const name of names) {
    const key = canonicalHeaderKey(trim(name));
    if (key === 'Transfer-Encoding' || key === 'Trailer' || key === 'Content-Length') {
      throw badString('bad trailer key', key);
    }
  }
}
