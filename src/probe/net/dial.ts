import type { Socket } from 'node:net';
import { type Duplex, PassThrough } from 'node:stream';

import type { Clock } from '../../clock/clock.js';
import { canonicalIP, joinHostPort, splitHostPort } from '../../go/addr.js';
import { isASCII } from '../../go/byte-string.js';
import { errnoReason, IoError, type IoReason, isOwnLimit, syscallText } from '../../go/io-error.js';
import { parseUint } from '../../go/parse-int.js';
import { RuntimeError } from '../../kubelet/ports.js';
import type { Address, Attempt } from '../attempt.js';
import { Conn, type ConnAddresses, isRefusal, ReadableSocket, refusal } from './conn.js';

/** Connects an attempt to the address that the kubelet would dial; the connection is closed when the attempt ends. */
export async function openConn(attempt: Attempt, address: string): Promise<Conn> {
  const { options, target } = attempt;
  const requested = splitAddress(address);
  const route = options.dial?.(target, requested.host, requested.port) ?? requested;
  const { host, port } =
    route instanceof Promise ? await beforeEnd(attempt, route, `dial tcp ${address}`) : route;
  const dialed = options.dial ? joinHostPort(host, port) : address;
  if (attempt.address === '') attempt.address = dialed;
  const stream = options.connect?.(target, host, port);
  const conn =
    stream === undefined
      ? await dial(attempt, host, port)
      : await connectThrough(attempt, stream, dialed);
  attempt.reached('connect');
  attempt.deadline.onEnd(() => conn.close());
  return conn;
}

function splitAddress(address: string): Address {
  const split = splitHostPort(address);
  if (!split.ok) throw new IoError(`dial tcp: ${split.error}`);
  const port = parseUint(split.value.port, 16);
  if (port === undefined) throw new IoError(`dial tcp: address ${split.value.port}: invalid port`);
  return { host: split.value.host, port };
}

/** Waits for a stream that is connected elsewhere; one that comes after the attempt has ended is destroyed. */
async function connectThrough(
  attempt: Attempt,
  opened: Duplex | Promise<Duplex>,
  address: string,
): Promise<Conn> {
  const connecting = Promise.resolve(opened).catch((error: unknown) => {
    if (error instanceof RuntimeError) throw error;
    if (isRefusal(error)) throw refusal(address);
    const cause = error instanceof Error ? error.message : String(error);
    const reason = error instanceof IoError ? error.reason : undefined;
    throw new IoError(`dial tcp ${address}: ${cause}`, reason);
  });
  const release = attempt.deadline.onEnd(() => {
    connecting.then((late) => late.destroy()).catch(() => undefined);
  });
  const stream = await beforeEnd(attempt, connecting, `dial tcp ${address}`);
  release();
  const conn = new Conn(attempt.options.clock, stream, { local: '', remote: address });
  conn.onData = () => attempt.deadline.onData();
  return conn;
}

/** Waits no longer than the attempt lasts. */
function beforeEnd<T>({ deadline }: Attempt, work: Promise<T>, step: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const release = deadline.onEnd(() => reject(new IoError(`${step}: i/o timeout`, 'timeout')));
    work.then(resolve, reject).finally(release);
  });
}

/** Milliseconds that the other family's addresses wait. Ports Dialer.FallbackDelay (net/dial.go). */
const FALLBACK_DELAY = 300;

/** Connects over TCP, or throws an IoError `dial tcp …`. Ports Dialer.DialContext (net/dial.go). */
async function dial(attempt: Attempt, host: string, port: number): Promise<Conn> {
  if (host === '') return dialOne(attempt, { host: '127.0.0.1', shown: `:${port}`, port });
  const literal = canonicalIP(host);
  if (literal !== undefined) return dialOne(attempt, endpoint(literal, port));
  const addresses = await beforeEnd(attempt, lookupHost(host), `dial tcp: lookup ${host}`);
  attempt.reached('lookup');
  return dialParallel(
    attempt,
    addresses.map((each) => endpoint(canonicalIP(each) ?? each, port)),
  );
}

interface Endpoint extends Address {
  /** The address in errors. */
  readonly shown: string;
}

function endpoint(host: string, port: number): Endpoint {
  return { host, port, shown: joinHostPort(host, port) };
}

/** Dials the first address' family first, and the other one after a delay. Ports dialParallel (net/dial.go). */
async function dialParallel(attempt: Attempt, endpoints: readonly Endpoint[]): Promise<Conn> {
  const isFirstFamily = ({ host }: Endpoint): boolean =>
    host.includes(':') === endpoints[0]?.host.includes(':');
  const primaries = endpoints.filter(isFirstFamily);
  const fallbacks = endpoints.filter((each) => !isFirstFamily(each));
  if (fallbacks.length === 0) return dialSerial(attempt, primaries);
  let connected: Conn | undefined;
  const race = async (dialing: Promise<Conn>): Promise<Conn> => {
    const conn = await dialing;
    if (connected) conn.close();
    return (connected ??= conn);
  };
  const primary = race(dialSerial(attempt, primaries));
  const fallback = fallbackDelayOrEnd(primary, attempt.options.clock).then(() =>
    connected ? connected : race(dialSerial(attempt, fallbacks)),
  );
  try {
    return await Promise.any([primary, fallback]);
  } catch {
    // The primary's error is the one that counts.
    return primary;
  }
}

/** Resolves after the fallback delay, or earlier when the primary dial ends. */
function fallbackDelayOrEnd(primary: Promise<Conn>, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.setTimeout(resolve, FALLBACK_DELAY);
    const end = (): void => {
      timer.cancel();
      resolve();
    };
    primary.then(end, end);
  });
}

/** Returns the first success, or throws the first error. Ports dialSerial (net/dial.go). */
async function dialSerial(attempt: Attempt, endpoints: readonly Endpoint[]): Promise<Conn> {
  let first: unknown;
  for (const each of endpoints) {
    try {
      return await dialOne(attempt, each);
    } catch (error) {
      first ??= error;
    }
  }
  throw first instanceof Error ? first : new IoError('dial tcp: missing address');
}

/** Ports dialSingle (net/dial.go). A socket that this machine does not give is a RuntimeError: it says nothing of the target. */
function dialOne(
  { options: { clock }, deadline }: Attempt,
  { host, port, shown }: Endpoint,
): Promise<Conn> {
  return new Promise((resolve, reject) => {
    const socket = new ReadableSocket();
    let addresses: ConnAddresses | undefined;
    let release = (): unknown => undefined;
    const fail = (text: string, reason: IoReason | undefined, isOurs = false): void => {
      socket.destroy();
      release();
      const problem = `dial tcp ${shown}: ${text}`;
      reject(isOurs ? new RuntimeError(problem) : new IoError(problem, reason));
    };
    const onError = (error: NodeJS.ErrnoException): void => {
      if (error.code !== 'ECONNRESET' || !addresses) {
        return fail(syscallText(error, 'connect'), errnoReason(error), isOwnLimit(error));
      }
      // A connection that existed and was reset at once: a refusal has another code.
      release();
      resolve(brokenConn(clock, addresses, error));
    };
    socket.on('error', onError);
    socket.on('connect', () => {
      release();
      if (socket.destroyed) return;
      resolve(new Conn(clock, socket, addresses ?? addressesOf(socket, host, port)));
      socket.off('error', onError);
    });
    socket.once('connectionAttempt', () =>
      // The kernel has chosen the local port by then.
      queueMicrotask(() => {
        addresses = addressesOf(socket, host, port);
      }),
    );
    socket.connect({ host, port });
    release = deadline.onEnd(() => fail('i/o timeout', 'timeout'));
  });
}

function addressesOf(socket: Socket, host: string, port: number): ConnAddresses {
  const { localAddress = '', localPort = 0 } = socket;
  return { local: joinHostPort(localAddress, localPort), remote: joinHostPort(host, port) };
}

/** Returns a connection that the peer has reset before anything was read. */
function brokenConn(clock: Clock, addresses: ConnAddresses, reset: Error): Conn {
  const stream = new PassThrough();
  const conn = new Conn(clock, stream, addresses);
  stream.destroy(Object.assign(reset, { syscall: 'read' }));
  return conn;
}

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
    const prefix = `dial tcp: lookup ${name}${askedServer(dns.getServers())}`;
    throw isUnsure
      ? new IoError(`${prefix}: server misbehaving`)
      : new IoError(`${prefix}: no such host`, 'noHost');
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
