import { type ByteString, latin1, toText } from './byte-string.js';
import { quote } from './quote.js';
import { fail, ok, type OrError } from './result.js';

export interface Userinfo {
  readonly username: ByteString;
  readonly password?: ByteString;
}

/** url.URL (net/url/url.go). All strings are byte strings. */
export interface GoUrl {
  readonly scheme: ByteString;
  readonly opaque: ByteString;
  readonly user?: Userinfo;
  /** `host` or `host:port`; an IPv6 address in brackets. */
  readonly host: ByteString;
  /** Unescaped. */
  readonly path: ByteString;
  /** The path as it was written, where that is not the default escaping of it. */
  readonly rawPath: ByteString;
  readonly forceQuery: boolean;
  readonly rawQuery: ByteString;
  readonly fragment: ByteString;
  readonly rawFragment: ByteString;
  readonly omitHost: boolean;
}

export const EMPTY_URL: GoUrl = {
  scheme: '',
  opaque: '',
  host: '',
  path: '',
  rawPath: '',
  forceQuery: false,
  rawQuery: '',
  fragment: '',
  rawFragment: '',
  omitHost: false,
};

/** Ports Userinfo.String (net/url/url.go). */
export function userinfoString(user: Userinfo): ByteString {
  const name = escape(user.username, 'userPassword');
  return user.password === undefined ? name : `${name}:${escape(user.password, 'userPassword')}`;
}

/** Characters that `validEncoded` accepts. */
const ENCODED_PATH = /^[A-Za-z0-9\-_.~!$&'()*+,;=:@[\]%/]*$/;
const ENCODED_FRAGMENT = /^[A-Za-z0-9\-_.~!$&'()*+,;=:@[\]%/?]*$/;

/** Ports URL.EscapedPath (net/url/url.go). */
export function escapedPath(url: GoUrl): ByteString {
  const { path, rawPath } = url;
  if (rawPath !== '' && ENCODED_PATH.test(rawPath) && unescapesTo(rawPath, path)) return rawPath;
  return path === '*' ? '*' : escape(path, 'path');
}

function unescapesTo(raw: ByteString, text: ByteString): boolean {
  const unescaped = unescape(raw, 'path');
  return unescaped.ok && unescaped.value === text;
}

/** Ports URL.EscapedFragment (net/url/url.go). */
function escapedFragment(url: GoUrl): ByteString {
  const { fragment, rawFragment } = url;
  const isRaw = rawFragment !== '' && ENCODED_FRAGMENT.test(rawFragment);
  return isRaw && unescapesTo(rawFragment, fragment) ? rawFragment : escape(fragment, 'fragment');
}

/** Ports URL.String (net/url/url.go). */
export function urlString(url: GoUrl): ByteString {
  let out = url.scheme === '' ? '' : `${url.scheme}:`;
  if (url.opaque !== '') out += url.opaque;
  else out += authorityString(url) + pathString(url, out === '');
  if (url.forceQuery || url.rawQuery !== '') out += `?${url.rawQuery}`;
  return url.fragment === '' ? out : `${out}#${escapedFragment(url)}`;
}

function authorityString({ scheme, host, user, path, omitHost }: GoUrl): ByteString {
  if (host === '' && user === undefined && (scheme === '' || omitHost)) return '';
  const slashes = host !== '' || path !== '' || user !== undefined ? '//' : '';
  const userinfo = user === undefined ? '' : `${userinfoString(user)}@`;
  return slashes + userinfo + escape(host, 'host');
}

function pathString(url: GoUrl, isFirst: boolean): ByteString {
  const path = escapedPath(url);
  if (path !== '' && !path.startsWith('/') && url.host !== '') return `/${path}`;
  // `this:that` would be taken for a scheme.
  const dot = isFirst && authorityString(url) === '' && /^[^/]*:/.test(path);
  return dot ? `./${path}` : path;
}

/** The target of a request line. Ports URL.RequestURI (net/url/url.go). */
export function requestURI(url: GoUrl): ByteString {
  const query = url.forceQuery || url.rawQuery !== '' ? `?${url.rawQuery}` : '';
  if (url.opaque === '') return (escapedPath(url) || '/') + query;
  return (url.opaque.startsWith('//') ? `${url.scheme}:${url.opaque}` : url.opaque) + query;
}

const OPTIONAL_PORT = /^(.*?)(?::(\d*))?$/s;

/** Ports splitHostPort (net/url/url.go): the port only where it is digits, the host without brackets. */
function splitUrlHost(url: GoUrl): { readonly hostname: ByteString; readonly port: ByteString } {
  const [, host = '', port = ''] = OPTIONAL_PORT.exec(url.host) ?? [];
  const hostname = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  return { hostname, port };
}

/** Ports URL.Hostname (net/url/url.go). */
export function hostname(url: GoUrl): ByteString {
  return splitUrlHost(url).hostname;
}

/** Ports URL.Port (net/url/url.go). */
export function port(url: GoUrl): ByteString {
  return splitUrlHost(url).port;
}

export interface Destination {
  readonly host: string;
  readonly port: number;
}

/** Returns the host and the port that a URL leads to: without a port, that of its scheme. */
export function destinationOf(url: GoUrl): Destination {
  const known = url.scheme === 'https' ? 443 : 80;
  return { host: toText(hostname(url)), port: Number(port(url) || known) };
}

/** Ports url.Error.Error (net/url/url.go) for a GET. */
export function getErrorText(url: ByteString, cause: ByteString): ByteString {
  return `Get ${quote(url)}: ${cause}`;
}

/** Ports removeEmptyPort (net/http/http.go). */
export function removeEmptyPort(host: ByteString): ByteString {
  const hasPort = host.lastIndexOf(':') > host.lastIndexOf(']');
  return hasPort && host.endsWith(':') ? host.slice(0, -1) : host;
}

/** The URL as an error shows it, without its password. Ports stripPassword (net/http/client.go). */
export function stripPassword(url: GoUrl): ByteString {
  const text = urlString(url);
  if (url.user?.password === undefined) return text;
  return replaceFirst(text, `${userinfoString(url.user)}@`, `${url.user.username}:***@`);
}

export function replaceFirst(text: string, part: string, by: string): string {
  const at = text.indexOf(part);
  return at === -1 ? text : text.slice(0, at) + by + text.slice(at + part.length);
}

/** The part of a URL that is escaped. Ports encoding (net/url/url.go). */
export type Encoding = 'path' | 'host' | 'zone' | 'userPassword' | 'fragment';

const UNRESERVED = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~';
const HOST = `${UNRESERVED}!$&'()*+,;=:[]<>"`;

/** Flags by byte code: 1 for bytes that need no escape. Ports the table of net/url/encoding_table.go. */
const PLAIN: Readonly<Record<Encoding, Uint8Array>> = {
  path: tableOf(`${UNRESERVED}$&+,/:;=@`),
  host: tableOf(HOST),
  zone: tableOf(HOST),
  userPassword: tableOf(`${UNRESERVED}$&+,;=`),
  fragment: tableOf(`${UNRESERVED}$&+,/:;=?@!()*`),
};

function tableOf(chars: string): Uint8Array {
  return Uint8Array.from({ length: 0x100 }, (_, code) =>
    chars.includes(String.fromCharCode(code)) ? 1 : 0,
  );
}

const PERCENT = 0x25;
const HEX = '0123456789ABCDEF';

/** Ports escape (net/url/url.go), for what may be megabytes. */
export function escape(text: ByteString, mode: Encoding): ByteString {
  const plain = PLAIN[mode];
  let escapes = 0;
  for (let at = 0; at < text.length; at++) escapes += 1 - (plain[text.charCodeAt(at)] ?? 0);
  if (escapes === 0) return text;
  const out = new Uint8Array(text.length + 2 * escapes);
  let size = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (plain[code] === 1) {
      out[size++] = code;
    } else {
      out[size++] = PERCENT;
      out[size++] = HEX.charCodeAt(code >> 4);
      out[size++] = HEX.charCodeAt(code & 0xf);
    }
  }
  return latin1(out);
}

/** Ports unescape (net/url/url.go); the error's text is that of EscapeError or InvalidHostError. */
export function unescape(text: ByteString, mode: Encoding): OrError<ByteString> {
  const isHost = mode === 'host' || mode === 'zone';
  if (!isHost && !text.includes('%')) return ok(text);
  const out = new Uint8Array(text.length);
  let size = 0;
  for (let at = 0; at < text.length; at++) {
    let code = text.charCodeAt(at);
    if (code === PERCENT) {
      code = 16 * hexDigit(text.charCodeAt(at + 1)) + hexDigit(text.charCodeAt(at + 2));
      if (!mayUnescape(code, mode)) {
        return fail(`invalid URL escape ${quote(text.slice(at, at + 3))}`);
      }
      at += 2;
    } else if (isHost && code < 0x80 && PLAIN[mode][code] !== 1) {
      return fail(`invalid character ${quote(text.charAt(at))} in host name`);
    }
    out[size++] = code;
  }
  return ok(latin1(out.subarray(0, size)));
}

/** NaN where it is not a hexadecimal digit, also past the end. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : NaN;
}

function mayUnescape(code: number, mode: Encoding): boolean {
  if (Number.isNaN(code)) return false;
  if (code === PERCENT) return true;
  // In a host, only what is not ASCII may be escaped (RFC 3986, section 3.2.2).
  if (mode === 'host') return code >= 0x80;
  return mode !== 'zone' || code === 0x20 || PLAIN.host[code] === 1;
}
