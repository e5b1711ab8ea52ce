import type { Duplex } from 'node:stream';

import { joinHostPort, splitHostPort } from '../../go/addr.js';
import { parseUint } from '../../go/parse-int.js';
import type { Attempt } from '../attempt.js';
import { IoError } from '../io-error.js';
import { Conn } from './conn.js';
import { dial } from './dial.js';

/** What somebody else connects for us. */
type Stream = Duplex | Promise<Duplex>;

/** The connection of an attempt to what the kubelet would dial; it is closed when the attempt ends. */
export async function openConn(attempt: Attempt, address: string): Promise<Conn> {
  const { options, deadline } = attempt;
  const dialled = mapAddress(attempt, address);
  if (attempt.address === '') attempt.address = dialled;
  const stream = connectElsewhere(attempt, dialled);
  const onLookup = (): void => attempt.reached('lookup');
  const conn =
    stream === undefined
      ? await dial(dialled, { clock: options.clock, deadline, onLookup })
      : await connectThrough(attempt, stream, dialled);
  attempt.reached('connect');
  deadline.onEnd(() => conn.close());
  return conn;
}

function mapAddress({ options, target }: Attempt, address: string): string {
  const there = options.dial && parseAddress(address);
  if (!options.dial || !there) return address;
  const { host, port } = options.dial(target, there.host, there.port);
  return joinHostPort(host, port);
}

function parseAddress(address: string): { host: string; port: number } | undefined {
  const split = splitHostPort(address);
  const port = split.ok ? parseUint(split.value.port, 16) : undefined;
  return split.ok && port !== undefined ? { host: split.value.host, port } : undefined;
}

function connectElsewhere({ options, target }: Attempt, address: string): Stream | undefined {
  if (!options.connect) return undefined;
  const there = parseAddress(address);
  if (!there) throw new IoError(`dial tcp: address ${address}: invalid port`);
  return options.connect(target, there.host, there.port);
}

/** Over a helper's stream, which is not waited for longer than the attempt lasts. */
async function connectThrough(
  { options, deadline }: Attempt,
  made: Stream,
  address: string,
): Promise<Conn> {
  const connecting = Promise.resolve(made);
  const stream = await new Promise<Duplex>((resolve, reject) => {
    const release = deadline.onEnd(() => {
      connecting.then((late) => late.destroy(), ignore);
      reject(new IoError(`dial tcp ${address}: i/o timeout`));
    });
    connecting
      .then(resolve, (error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        reject(new IoError(`dial tcp ${address}: ${why}`));
      })
      .finally(release)
      .catch(ignore);
  });
  return new Conn(options.clock, stream, { local: '', remote: address });
}

function ignore(): void {
  // The attempt has ended with another error.
}
