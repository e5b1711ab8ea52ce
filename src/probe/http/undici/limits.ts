import type { ByteString } from '../../../go/byte-string.js';
import type { Header } from '../../../go/header.js';
import type { RequestHead } from '../request-head.js';

/** Headers that undici refuses, or takes for orders to itself. */
const OWN_MEANING = new Set(['Connection', 'Expect', 'Keep-Alive', 'Upgrade']);

const TARGET = /^\/[\x21-\xff]*$/;

/**
 * Whether undici can say what Go's client would. It cannot leave a Connection header out, as hooks do, nor write one
 * of the user's, nor a target with blanks in it. TLS and h2 are beneath and beside it: they are not asked for here.
 */
export function canSay({ target, host, fields, close }: RequestHead): boolean {
  if (!close || !TARGET.test(target)) return false;
  // It looks for a name to verify, and takes brackets to be whole.
  if (host.startsWith('[') && !host.includes(']')) return false;
  return fields.every(([name]) => !OWN_MEANING.has(name));
}

/** A response's head as undici has read it. */
export interface ReadHead {
  /** The bytes that it was read from. */
  readonly raw: ByteString;
  readonly statusCode: number;
  readonly header: Header;
}

/** llhttp and Go do not count equally far. */
const CONTENT_LENGTH = /^\d{1,15}$/;

/**
 * Whether undici has read what Go would have. They part over other versions, interim responses, chunks (which Go reads
 * by narrower rules and limits), announced trailers, and lengths: of what has no body, or more than one.
 */
export function hasReadAsGo({ raw, statusCode, header }: ReadHead): boolean {
  if (!raw.startsWith('HTTP/1.1 ') || statusCode < 200) return false;
  if (header.has('Transfer-Encoding') || header.has('Trailer')) return false;
  const [length, another] = header.get('Content-Length') ?? [];
  if (length === undefined) return true;
  const hasBody = statusCode !== 204 && statusCode !== 304;
  return hasBody && another === undefined && CONTENT_LENGTH.test(length);
}
