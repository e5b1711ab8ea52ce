import type { Socket } from 'node:net';

import type { Clock } from '../../clock/clock.js';
import { canonicalIP, joinHostPort, splitHostPort } from '../../go/addr.js';
import { syscallText } from '../../go/errno.js';
import { parseUint } from '../../go/parse-int.js';
import type { Deadline } from '../deadline.js';
import { IoError } from '../io-error.js';
import { Conn, type ConnAddresses } from './conn.js';
import { lookupHost } from './lookup.js';
import { ReadableSocket } from './readable-socket.js';

/** How long the other family's addresses wait. Ports Dialer.FallbackDelay (net/dial.go). */
const FALLBACK_DELAY = 300;

/** Within what a dial has to end. */
export interface DialLimits {
  readonly clock: Clock;
  readonly deadline: Deadline;
  /** Told when a name's addresses are known. */
  readonly onLookup?: () => void;
}

/** Connects over TCP, or throws an IoError `dial tcp …`. Ports Dialer.DialContext (net/dial.go). */
export async function dial(address: string, limits: DialLimits): Promise<Conn> {
  const { host, port } = splitAddress(address);
  if (host === '') return dialOne({ host: '127.0.0.1', shown: `:${port}`, port }, limits);
  const literal = canonicalIP(host);
  if (literal !== undefined) return dialOne(endpoint(literal, port), limits);
  const addresses = await resolve(host);
  limits.onLookup?.();
  return dialParallel(
    addresses.map((each) => endpoint(canonicalIP(each) ?? each, port)),
    limits,
  );
}

interface Endpoint {
  readonly host: string;
  readonly port: number;
  /** As errors name it. */
  readonly shown: string;
}

function endpoint(host: string, port: number): Endpoint {
  return { host, port, shown: joinHostPort(host, port) };
}

function splitAddress(address: string): { readonly host: string; readonly port: number } {
  const split = splitHostPort(address);
  if (!split.ok) throw new IoError(`dial tcp: ${split.error}`);
  const port = parseUint(split.value.port, 16);
  if (port === undefined) {
    throw new IoError(`dial tcp: address ${split.value.port}: invalid port`);
  }
  return { host: split.value.host, port };
}

async function resolve(host: string): Promise<string[]> {
  try {
    return await lookupHost(host);
  } catch (error) {
    if (error instanceof IoError) throw new IoError(`dial tcp: ${error.message}`);
    throw error;
  }
}

/** Ports dialParallel (net/dial.go): the first address' family first, the other one after a while. */
async function dialParallel(endpoints: readonly Endpoint[], limits: DialLimits): Promise<Conn> {
  const isFirstFamily = ({ host }: Endpoint): boolean =>
    host.includes(':') === endpoints[0]?.host.includes(':');
  const primaries = endpoints.filter(isFirstFamily);
  const fallbacks = endpoints.filter((each) => !isFirstFamily(each));
  if (fallbacks.length === 0) return dialSerial(primaries, limits);
  let connected: Conn | undefined;
  const race = async (dialing: Promise<Conn>): Promise<Conn> => {
    const conn = await dialing;
    if (connected) conn.close();
    return (connected ??= conn);
  };
  const primary = race(dialSerial(primaries, limits));
  const fallback = laterOrFailed(primary, limits.clock).then(() =>
    connected ? connected : race(dialSerial(fallbacks, limits)),
  );
  try {
    return await Promise.any([primary, fallback]);
  } catch {
    // The primary's error is the one that counts.
    return primary;
  }
}

/** Resolves after the fallback delay, or when the primary dial has ended before. */
function laterOrFailed(primary: Promise<Conn>, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.setTimeout(resolve, FALLBACK_DELAY);
    const end = (): void => {
      timer.cancel();
      resolve();
    };
    primary.then(end, end);
  });
}

/** Ports dialSerial (net/dial.go): the first success, or the first error. */
async function dialSerial(endpoints: readonly Endpoint[], limits: DialLimits): Promise<Conn> {
  let first: unknown;
  for (const each of endpoints) {
    try {
      return await dialOne(each, limits);
    } catch (error) {
      first ??= error;
    }
  }
  throw first instanceof Error ? first : new IoError('dial tcp: missing address');
}

/** Ports dialSingle (net/dial.go). */
function dialOne({ host, port, shown }: Endpoint, { clock, deadline }: DialLimits): Promise<Conn> {
  return new Promise((resolve, reject) => {
    const socket = new ReadableSocket();
    let addresses: ConnAddresses | undefined;
    const fail = (text: string): void => {
      socket.destroy();
      release();
      reject(new IoError(`dial tcp ${shown}: ${text}`));
    };
    const onError = (error: NodeJS.ErrnoException): void => {
      if (error.code !== 'ECONNRESET' || !addresses) return fail(syscallText(error, 'connect'));
      // The connection was there, and is not any more: what refuses one says so otherwise.
      release();
      resolve(Conn.broken(clock, addresses, error));
    };
    const release = deadline.onEnd(() => fail('i/o timeout'));
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
  });
}

function addressesOf(socket: Socket, host: string, port: number): ConnAddresses {
  const { localAddress = '', localPort = 0 } = socket;
  return { local: joinHostPort(localAddress, localPort), remote: joinHostPort(host, port) };
}
