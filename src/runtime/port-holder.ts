import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';

/** Milliseconds; what does not accept a connection by then does not listen. */
const CONNECT_LIMIT = 1000;

export function isListening(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_LIMIT });
    const end = (answers: boolean): void => {
      socket.destroy();
      resolve(answers);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}

interface PortHolder {
  readonly pid: number;
  readonly name: string;
}

/** Finds the process that listens there; undefined where /proc does not show it, as without the right to see it. */
export function portHolder(host: string, port: number): PortHolder | undefined {
  const lines = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => textOf(file).split('\n'));
  const inodes = lines.flatMap((line) => listenerInode(line, host, port) ?? []);
  const sockets = new Set(inodes.map((inode) => `socket:[${inode}]`));
  if (sockets.size === 0) return undefined;
  const listing = (folder: string): readonly string[] => orElse(() => readdirSync(folder), []);
  const isSocket = (fd: string): boolean => sockets.has(orElse(() => readlinkSync(fd), ''));
  const pids = listing('/proc').filter((name) => /^\d+$/.test(name));
  const pid = pids.find((id) =>
    listing(`/proc/${id}/fd`).some((fd) => isSocket(`/proc/${id}/fd/${fd}`)),
  );
  return pid === undefined ? undefined : { pid: Number(pid), name: nameOf(pid) };
}

const LISTEN = '0A';

/** Reports whether a line of /proc/net/tcp or tcp6 is a socket that accepts connections to an address. */
export function listensAt(line: string, host: string, port: number): boolean {
  return listenerInode(line, host, port) !== undefined;
}

/** Returns the inode of a socket that accepts connections to an address; undefined for other lines of /proc/net/tcp. */
function listenerInode(line: string, host: string, port: number): string | undefined {
  const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
  const [address = '', hexPort = ''] = local.split(':');
  if (state !== LISTEN || Number.parseInt(hexPort, 16) !== port) return undefined;
  return /^0+$/.test(address) || isAddress(address, host) ? inode : undefined;
}

/** IPv4 stands there as a little-endian number, in IPv6 behind the prefix of mapped addresses. */
function isAddress(hex: string, host: string): boolean {
  const bytes = host.split('.').map(Number);
  // IPv6 addresses have many forms: the port decides.
  if (bytes.length !== 4) return hex.length === 32;
  const expected = Buffer.from(bytes.reverse()).toString('hex').toUpperCase();
  return hex === expected || hex === `0000000000000000FFFF0000${expected}`;
}

/** Returns the name of a program as it was called, or as the kernel has it. */
function nameOf(pid: string): string {
  const [called = ''] = textOf(`/proc/${pid}/cmdline`).split(/[\0 ]/);
  const name = called.split('/').at(-1)?.replace(/:$/, '') ?? '';
  return name === '' ? textOf(`/proc/${pid}/comm`).trim() : name;
}

function textOf(file: string): string {
  return orElse(() => readFileSync(file, 'utf8'), '');
}

/** Reads of /proc what this user may see of processes that still exist. */
function orElse<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
