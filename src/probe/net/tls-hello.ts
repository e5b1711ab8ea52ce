import { quote } from '../../go/quote.js';
import { ByteCursor } from './byte-cursor.js';
import { restExtensions } from './tls-extensions.js';

const EXTENSIONS = {
  serverName: 0,
  statusRequest: 5,
  supportedPoints: 11,
  alpn: 16,
  sct: 18,
  extendedMasterSecret: 23,
  sessionTicket: 35,
  preSharedKey: 41,
  supportedVersions: 43,
  cookie: 44,
  keyShare: 51,
  renegotiationInfo: 0xff01,
} as const;

const TLS12 = 0x0303;
const TLS13 = 0x0304;
/** What Go offers up to TLS 1.2, and with 1.3 (crypto/tls/cipher_suites.go). */
const SUITES12 = [0xc02f, 0xc02b, 0xc030, 0xc02c, 0xcca8, 0xcca9, 0xc013, 0xc009, 0xc014, 0xc00a];
const SUITES13 = [0x1301, 0x1302, 0x1303];
/** The end of `random` of a server that could speak a newer version. */
const DOWNGRADES = ['DOWNGRD\x01', 'DOWNGRD\x00'];

/** Of TLS 1.2, and not to be seen in a TLS 1.3 hello. */
const FORBIDDEN13 = [
  EXTENSIONS.statusRequest,
  EXTENSIONS.sessionTicket,
  EXTENSIONS.extendedMasterSecret,
  EXTENSIONS.renegotiationInfo,
  EXTENSIONS.alpn,
  EXTENSIONS.sct,
];

export interface ServerHello {
  readonly version: number;
  readonly random: Buffer;
  readonly suite: number;
  readonly compression: number;
  readonly extensions: ReadonlyMap<number, Buffer>;
}

/** Ports serverHelloMsg.unmarshal (crypto/tls/handshake_messages.go); undefined when it does not parse. */
export function parseServerHello(body: Buffer): ServerHello | undefined {
  const cursor = new ByteCursor(body);
  const version = cursor.uint(2);
  const random = cursor.take(32);
  const sessionID = cursor.prefixed(1);
  const suite = cursor.uint(2);
  const compression = cursor.uint(1);
  if (version === undefined || !random || !sessionID) return undefined;
  if (suite === undefined || compression === undefined) return undefined;
  const extensions = restExtensions(cursor);
  if (!extensions) return undefined;
  for (const [id, data] of extensions) if (!isValidExtension(id, data)) return undefined;
  return { version, random, suite, compression, extensions };
}

function isValidExtension(id: number, data: Buffer): boolean {
  const cursor = new ByteCursor(data);
  switch (id) {
    case EXTENSIONS.serverName:
    case EXTENSIONS.statusRequest:
    case EXTENSIONS.sessionTicket:
    case EXTENSIONS.extendedMasterSecret:
      return data.length === 0;
    case EXTENSIONS.renegotiationInfo:
      return cursor.prefixed(1) !== undefined && cursor.isEmpty();
    case EXTENSIONS.supportedPoints:
      return isFilled(cursor.prefixed(1)) && cursor.isEmpty();
    case EXTENSIONS.supportedVersions:
    case EXTENSIONS.preSharedKey:
      return data.length === 2;
    case EXTENSIONS.cookie:
      return isFilled(cursor.prefixed(2)) && cursor.isEmpty();
    case EXTENSIONS.keyShare:
      if (data.length === 2) return true;
      return cursor.take(2) !== undefined && cursor.prefixed(2) !== undefined && cursor.isEmpty();
    case EXTENSIONS.alpn:
      return alpnOf(data) !== undefined;
    default:
      return true;
  }
}

function isFilled(bytes: Buffer | undefined): boolean {
  return bytes !== undefined && bytes.length > 0;
}

function alpnOf(data: Buffer): string | undefined {
  const cursor = new ByteCursor(data);
  const list = cursor.prefixed(2);
  if (!list || !cursor.isEmpty()) return undefined;
  const names = new ByteCursor(list);
  const name = names.prefixed(1);
  return name && name.length > 0 && names.isEmpty() ? name.toString('latin1') : undefined;
}

/** The version that a hello chose. */
export function chosenVersion({ version, extensions }: ServerHello): number {
  return extensions.get(EXTENSIONS.supportedVersions)?.readUInt16BE(0) || version;
}

/** What Go does not take of a hello that parses. Ports clientHandshake (crypto/tls/handshake_client.go). */
export function helloProblem(hello: ServerHello, offered: readonly string[]): string | undefined {
  const version = chosenVersion(hello);
  if (version !== TLS12 && version !== TLS13) {
    return `tls: server selected unsupported protocol version ${version.toString(16)}`;
  }
  if (version === TLS13) return problem13(hello);
  if (DOWNGRADES.includes(hello.random.toString('latin1', 24))) {
    return 'tls: downgrade attempt detected, possibly due to a MitM attack or a broken middlebox';
  }
  return problem12(hello, offered);
}

/** Ports checkServerHelloOrHRR (crypto/tls/handshake_client_tls13.go), but for the session's id. */
function problem13({ version, suite, compression, extensions }: ServerHello): string | undefined {
  if (!extensions.get(EXTENSIONS.supportedVersions)?.readUInt16BE(0)) {
    return 'tls: server selected TLS 1.3 using the legacy version field';
  }
  if (version !== TLS12) return 'tls: server sent an incorrect legacy version';
  if (FORBIDDEN13.some((id) => extensions.has(id))) {
    return 'tls: server sent a ServerHello extension forbidden in TLS 1.3';
  }
  if (compression !== 0) return 'tls: server sent non-zero legacy TLS compression method';
  return SUITES13.includes(suite) ? undefined : 'tls: server chose an unconfigured cipher suite';
}

/** Ports processServerHello (crypto/tls/handshake_client.go). */
function problem12(
  { suite, compression, extensions }: ServerHello,
  offered: readonly string[],
): string | undefined {
  if (!SUITES12.includes(suite)) return 'tls: server chose an unconfigured cipher suite';
  if (compression !== 0) return 'tls: server selected unsupported compression format';
  const points = extensions.get(EXTENSIONS.supportedPoints)?.subarray(1);
  if (points && !points.includes(0)) return 'tls: server offered only incompatible point formats';
  if ((extensions.get(EXTENSIONS.renegotiationInfo)?.length ?? 0) > 1) {
    return 'tls: initial handshake had non-empty renegotiation extension';
  }
  const alpn = extensions.get(EXTENSIONS.alpn);
  return alpn && alpnProblem(alpnOf(alpn) ?? '', offered);
}

/** Ports checkALPN (crypto/tls/handshake_client.go). */
function alpnProblem(chosen: string, offered: readonly string[]): string | undefined {
  if (offered.length === 0) return 'tls: server advertised unrequested ALPN extension';
  if (offered.includes(chosen)) return undefined;
  return `tls: server selected unadvertised ALPN protocol ${quote(chosen)}`;
}
