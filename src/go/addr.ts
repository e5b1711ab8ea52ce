import { encode } from 'punycode/punycode.es6.js';

import { type ByteString, isASCII, toByteString, toText } from './byte-string.js';
import { quote } from './quote.js';
import { fail, ok, type OrError } from './result.js';

/** Returns the family of an IP address as netip takes it, or the error's text. Ports netip.ParseAddr (net/netip/netip.go). */
export function parseAddr(text: ByteString): 4 | 6 | string {
  const mark = /[.:%]/.exec(text)?.[0];
  if (mark === '.') return parseIPv4Fields(text, text) ?? 4;
  if (mark === ':') return parseIPv6(text) ?? 6;
  return addrError(text, mark === '%' ? 'missing IPv6 address' : 'unable to parse IP');
}

function addrError(text: ByteString, message: string, at = ''): string {
  const where = at === '' ? '' : ` (at ${quote(at)})`;
  return `ParseAddr(${quote(text)}): ${message}${where}`;
}

/** The error's text, or undefined when `fields` are four numbers. */
function parseIPv4Fields(text: ByteString, fields: ByteString): string | undefined {
  let value = 0;
  let digits = 0;
  let dots = 0;
  for (let i = 0; i < fields.length; i++) {
    const char = fields.charAt(i);
    if (char >= '0' && char <= '9') {
      if (digits === 1 && value === 0) {
        return addrError(text, 'IPv4 field has octet with leading zero');
      }
      value = value * 10 + Number(char);
      digits++;
      if (value > 255) return addrError(text, 'IPv4 field has value >255');
    } else if (char === '.') {
      if (i === 0 || i === fields.length - 1 || fields[i - 1] === '.') {
        return addrError(text, 'IPv4 field must have at least one digit', fields.slice(i));
      }
      if (dots === 3) return addrError(text, 'IPv4 address too long');
      dots++;
      value = digits = 0;
    } else {
      return addrError(text, 'unexpected character', fields.slice(i));
    }
  }
  return dots < 3 ? addrError(text, 'IPv4 address too short') : undefined;
}

/** The error's text, or undefined when it is an IPv6 address, with or without a zone. */
function parseIPv6(text: ByteString): string | undefined {
  const percent = text.indexOf('%');
  if (percent === text.length - 1) return addrError(text, 'zone must be a non-empty string');
  let rest = percent === -1 ? text : text.slice(0, percent);
  let hasEllipsis = rest.startsWith('::');
  if (hasEllipsis) rest = rest.slice(2);
  let size = 0;
  while (rest !== '' && size < 16) {
    const group = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? '';
    const problem = groupProblem(group, rest, size, hasEllipsis);
    if (problem !== undefined) return addrError(text, problem, rest);
    if (rest[group.length] === '.') {
      const error = parseIPv4Fields(text, rest);
      if (error !== undefined) return error;
      size += 4;
      rest = '';
      break;
    }
    size += 2;
    rest = rest.slice(group.length);
    if (rest === '') break;
    if (!rest.startsWith(':')) return addrError(text, 'unexpected character, want colon', rest);
    if (rest.length === 1) {
      return addrError(text, 'colon must be followed by more characters', rest);
    }
    rest = rest.slice(1);
    if (rest.startsWith(':')) {
      if (hasEllipsis) return addrError(text, 'multiple :: in address', rest);
      hasEllipsis = true;
      rest = rest.slice(1);
    }
  }
  if (rest !== '') return addrError(text, 'trailing garbage after address', rest);
  if (size < 16 && !hasEllipsis) return addrError(text, 'address string too short');
  if (size === 16 && hasEllipsis) {
    return addrError(text, 'the :: must expand to at least one field of zeros');
  }
  return undefined;
}

function groupProblem(
  group: string,
  rest: ByteString,
  size: number,
  hasEllipsis: boolean,
): string | undefined {
  if (group.length > 4) return 'each group must have 4 or less digits';
  if (group === '') return 'each colon-separated field must have at least one digit';
  if (rest[group.length] !== '.') return undefined;
  if (!hasEllipsis && size !== 12) {
    return 'embedded IPv4 address must replace the final 2 fields of the address';
  }
  if (size + 4 > 16) return 'too many hex fields to fit an embedded IPv4 at the end of the address';
  return undefined;
}

const IPV4_IN_6 = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/;

/** An IP address as Go writes it; undefined for any other text. Ports IP.String (net/ip.go). */
export function canonicalIP(host: string): string | undefined {
  if (typeof parseAddr(host) === 'string') return undefined;
  if (!host.includes(':')) return host;
  const percent = host.indexOf('%');
  const zone = percent === -1 ? '' : host.slice(percent);
  const written = percent === -1 ? host : host.slice(0, percent);
  // The URL parser writes an address as RFC 5952 says, as Go does.
  const bracketed = new URL(`http://[${written}]`).hostname;
  const embedded = IPV4_IN_6.exec(bracketed);
  if (embedded) return dotted(embedded[1] ?? '', embedded[2] ?? '');
  return bracketed.slice(1, -1) + zone;
}

function dotted(high: string, low: string): string {
  const bytes = [high, low].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
  return bytes.join('.');
}

/** Returns the canonical form of an address whose numbers may begin with zeros. Ports ParseIPSloppy (k8s.io/utils/net). */
export function canonicalIPSloppy(host: string): string | undefined {
  if (host.includes('%')) return undefined;
  return canonicalIP(host.replace(/(^|[:.])0+(?=[0-9a-fA-F])/g, '$1'));
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::(?:1|ffff:127(?:\.\d{1,3}){3})\]?)$/i;

/** Returns true for a host that always means the machine itself. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

interface HostPort {
  readonly host: ByteString;
  readonly port: ByteString;
}

/** Brackets a host that has a colon. Ports net.JoinHostPort (net/ipsock.go). */
export function joinHostPort(host: ByteString, port: number | string): ByteString {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Ports net.SplitHostPort (net/ipsock.go). */
export function splitHostPort(hostPort: ByteString): OrError<HostPort> {
  const colon = hostPort.lastIndexOf(':');
  const invalid = (cause: string): OrError<HostPort> =>
    fail(hostPort === '' ? cause : `address ${hostPort}: ${cause}`);
  if (colon < 0) return invalid('missing port in address');
  let host = hostPort.slice(0, colon);
  let openFrom = 0;
  let closeFrom = 0;
  if (hostPort.startsWith('[')) {
    const end = hostPort.indexOf(']');
    if (end < 0) return invalid("missing ']' in address");
    if (end + 1 === hostPort.length) return invalid('missing port in address');
    if (end + 1 !== colon) {
      const hasColon = hostPort[end + 1] === ':';
      return invalid(hasColon ? 'too many colons in address' : 'missing port in address');
    }
    host = hostPort.slice(1, end);
    openFrom = 1;
    closeFrom = end + 1;
  } else if (host.includes(':')) {
    return invalid('too many colons in address');
  }
  if (hostPort.includes('[', openFrom)) return invalid("unexpected '[' in address");
  if (hostPort.includes(']', closeFrom)) return invalid("unexpected ']' in address");
  return ok({ host, port: hostPort.slice(colon + 1) });
}

/** A Host header in ASCII. Ports httpguts.PunycodeHostPort (golang.org/x/net/http/httpguts/httplex.go). */
export function punycodeHostPort(hostPort: ByteString): ByteString {
  if (isASCII(hostPort)) return hostPort;
  const split = splitHostPort(hostPort);
  const { host, port } = split.ok ? split.value : { host: hostPort, port: '' };
  // Go encodes and nothing else: no mapping, no lower case.
  const labels = toText(host).split('.');
  const ascii = labels.map((label) => (isASCII(label) ? label : `xn--${encode(label)}`)).join('.');
  return port === '' ? ascii : joinHostPort(ascii, toByteString(port));
}
