import { parseAddr } from '../../go/parse-addr.js';

const IPV4_IN_6 = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/;

/** An IP address as Go writes it, or undefined when it is none. Ports IP.String (net/ip.go). */
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
