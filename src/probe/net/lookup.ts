import { joinHostPort } from '../../go/addr.js';
import { isASCII } from '../../go/byte-string.js';
import { IoError } from '../../go/io-error.js';

/** Returns the addresses of a name, in the system's order; throws an IoError with the text of Go's resolver (net/dnsclient_unix.go). */
export async function lookupHost(name: string): Promise<string[]> {
  if (!isDomainName(name)) throw new IoError(`dial tcp: lookup ${name}: no such host`, 'noHost');
  const dns = await import('node:dns');
  try {
    // The system would take it for an address; Go asks DNS, which knows no such name.
    if (NUMERIC.test(name)) throw new IoError('no such host');
    const found = await dns.promises.lookup(name, { all: true, order: 'verbatim' });
    return found.map(({ address }) => address);
  } catch (error) {
    const isUnsure = error instanceof Error && 'code' in error && error.code === 'EAI_AGAIN';
    const about = `dial tcp: lookup ${name}${askedServer(dns.getServers())}`;
    throw isUnsure
      ? new IoError(`${about}: server misbehaving`)
      : new IoError(`${about}: no such host`, 'noHost');
  }
}

function askedServer([first]: readonly string[]): string {
  if (first === undefined) return '';
  const hasPort = first.startsWith('[') || /^[^:]*:\d+$/.test(first);
  return ` on ${hasPort ? first : joinHostPort(first, 53)}`;
}

const LABEL = /^(?!-)[A-Za-z0-9_-]{1,63}(?<!-)$/;

/** An address as inet_aton reads it. */
const NUMERIC = /^(?:0x[0-9a-f]*|\d+)(?:\.(?:0x[0-9a-f]*|\d+)){0,3}\.?$/i;

/** Ports isDomainName (net/dnsclient.go). */
function isDomainName(name: string): boolean {
  if (name === '.') return true;
  if (!isASCII(name) || name.length > (name.endsWith('.') ? 254 : 253)) return false;
  const labels = name.replace(/\.$/, '').split('.');
  return labels.every((label) => LABEL.test(label)) && /[A-Za-z_-]/.test(name);
}
