import type { ByteString } from './byte-string.js';
import { fail, ok, type Result } from './result.js';

export interface HostPort {
  readonly host: ByteString;
  readonly port: ByteString;
}

/** Brackets a host that has a colon. Ports net.JoinHostPort (net/ipsock.go). */
export function joinHostPort(host: ByteString, port: number | string): ByteString {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Ports net.SplitHostPort (net/ipsock.go). */
export function splitHostPort(hostPort: ByteString): Result<HostPort> {
  const colon = hostPort.lastIndexOf(':');
  const bad = (why: string): Result<HostPort> =>
    fail(hostPort === '' ? why : `address ${hostPort}: ${why}`);
  if (colon < 0) return bad('missing port in address');
  let host = hostPort.slice(0, colon);
  let openFrom = 0;
  let closeFrom = 0;
  if (hostPort.startsWith('[')) {
    const end = hostPort.indexOf(']');
    if (end < 0) return bad("missing ']' in address");
    if (end + 1 === hostPort.length) return bad('missing port in address');
    if (end + 1 !== colon) {
      const again = hostPort[end + 1] === ':';
      return bad(again ? 'too many colons in address' : 'missing port in address');
    }
    host = hostPort.slice(1, end);
    openFrom = 1;
    closeFrom = end + 1;
  } else if (host.includes(':')) {
    return bad('too many colons in address');
  }
  if (hostPort.includes('[', openFrom)) return bad("unexpected '[' in address");
  if (hostPort.includes(']', closeFrom)) return bad("unexpected ']' in address");
  return ok({ host, port: hostPort.slice(colon + 1) });
}
