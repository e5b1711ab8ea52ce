import { joinHostPort } from '../../go/addr.js';
import { type ByteString, isASCII, toText } from '../../go/byte-string.js';
import { type GoUrl, hostname, port } from '../../go/url.js';

/** Ports canonicalAddr (net/http/transport.go). */
export function canonicalAddr(url: GoUrl): string {
  return joinHostPort(idnaASCII(hostname(url)), port(url) || (url.scheme === 'https' ? 443 : 80));
}

/** Ports idnaASCIIFromURL (net/http/transport.go): a name as DNS has it. */
export function idnaASCII(host: ByteString): string {
  if (isASCII(host)) return host;
  try {
    return new URL(`http://${toText(host)}`).hostname;
  } catch {
    return host;
  }
}
