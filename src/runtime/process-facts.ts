import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { platform } from 'node:os';

import { omitUndefined } from '../api/index.js';
import type { Clock } from '../clock/clock.js';
import type { Inspection, Peer, ProcessFacts, Socket } from '../kubelet/ports.js';
import {
  belongs,
  cpuTime,
  readOr,
  type Started,
  startTicks,
  statOf,
} from '../process/processes.js';

interface NetSocket extends Socket {
  readonly inode: string;
  readonly state: string;
  readonly peer: Socket;
}

/** Returns the ids of a process and its descendants; none where there is no /proc. */
export function processTree(started: Started): readonly number[] {
  return processIDs().filter((pid) => belongs(pid, started));
}

export function processIDs(): readonly number[] {
  return readOr(() => readdirSync('/proc'), []).flatMap((name) =>
    /^\d+$/.test(name) ? Number(name) : [],
  );
}

export interface Executable {
  readonly pid: number;
  /** The file that the process runs; empty where it cannot be read. */
  readonly file: string;
  /** Ticks since the machine started. */
  readonly startedAt: number;
}

/**
 * Returns the daemons that a process has left: without a parent, of the same file, and started later. Marks do not find
 * them all, since a daemon that sets its title overwrites its environment.
 */
export function daemonsOf(ended: Executable): readonly number[] {
  if (ended.file === '') return [];
  return processIDs().filter((pid) => {
    const { file, startedAt } = executableOf(pid);
    // Of processes that started in one tick, the later one has the greater id.
    const order = startedAt - ended.startedAt || pid - ended.pid;
    return file === ended.file && order > 0 && parentOf(pid) === 1;
  });
}

/** Returns the executable of a process; `started` is the file that it was started from, in case it has ended already. */
export function executableOf(pid: number, started = ''): Executable {
  const running = readOr(() => readlinkSync(`/proc/${pid}/exe`), '');
  const file = running === '' && started !== '' ? readOr(() => realpathSync(started), '') : running;
  return { pid, file, startedAt: startTicks(statOf(pid)) };
}

function parentOf(pid: number): number {
  return Number(statOf(pid)[1]);
}

/** Returns the facts of a process that kprobe has started, and of its descendants. */
export function factsOf(started: Started, kills: number): Inspection {
  if (platform() !== 'linux') return factsByLsof(started.pid);
  const pids = processTree(started);
  if (pids.length === 0) return undefined;
  return {
    ...factsOfAll(pids, '/proc/net', socketsOfAll(pids)),
    ...cgroupFacts(started.pid, kills),
  };
}

/** Returns the facts of a container by its first process; undefined where /proc does not separate its sockets from others. */
export function factsOfContainer(pid: number, isHostNetwork: boolean): ProcessFacts | undefined {
  if (textOf(`/proc/${pid}/stat`) === '') return undefined;
  const pids = descendantsOf(pid);
  const folder = `/proc/${pid}/net`;
  // Another user's processes do not show their files.
  const isReadable = readOr(() => readdirSync(`/proc/${pid}/fd`).length >= 0, false);
  if (!isReadable && isHostNetwork) return undefined;
  return {
    ...factsOfAll(pids, folder, isReadable ? socketsOfAll(pids) : undefined),
    ...(isFrozen(pid) && { state: 'paused' }),
    ...cgroupFacts(pid, oomKills(cgroupFile(pid, 'memory'))),
  };
}

/** Returns the ids of a process and its descendants, by their parents. */
function descendantsOf(pid: number): readonly number[] {
  const parents = new Map(processIDs().map((each) => [each, parentOf(each)]));
  const isBelow = (each: number | undefined): boolean =>
    each === pid || (each !== undefined && each > 1 && isBelow(parents.get(each)));
  return [...parents.keys()].filter(isBelow);
}

function socketsOfAll(pids: readonly number[]): ReadonlySet<string> {
  return new Set(pids.flatMap(socketsOf));
}

/** Returns the facts of processes; if their sockets are unknown, with all sockets of the network namespace. */
function factsOfAll(
  pids: readonly number[],
  folder: string,
  inodes: ReadonlySet<string> | undefined,
): ProcessFacts {
  const isOwn = ({ inode }: { readonly inode: string }): boolean => inodes?.has(inode) ?? true;
  const tcp = tcpSockets(folder, [LISTEN, SYN_SENT, ESTABLISHED]).filter(isOwn);
  const sockets = tcp.filter(({ state }) => state === LISTEN);
  const others = sockets.length > 0 ? {} : otherSockets(folder, isOwn);
  const peers = peersOf(tcp);
  const limits = pids.flatMap((pid) => cpuLimit(pid) ?? []);
  const stats = pids.map(statOf);
  const states = stats.map(([state]) => state);
  const state = states.some((each) => each === 'T' || each === 't')
    ? 'stopped'
    : states.includes('R')
      ? 'busy'
      : undefined;
  return {
    started: true,
    sockets: sockets.map(addressIn),
    processes: [...new Set(pids.map(commandOf).filter((command) => command !== ''))],
    ...(state !== undefined && { state }),
    busyTime: [...stats.map(cpuTime), ...pids.map(waitTime)].reduce((sum, time) => sum + time, 0),
    ...others,
    ...(peers.length > 0 && { peers }),
    ...(limits.length > 0 && { cpuSeconds: Math.min(...limits) }),
  };
}

const MAX_PEERS = 5;

/** Returns the servers to which processes connect: a connection from a client has a port on which they listen. */
function peersOf(sockets: readonly NetSocket[]): readonly Peer[] {
  const ports = new Set(sockets.flatMap(({ state, port }) => (state === LISTEN ? port : [])));
  const outgoing = (wanted: string): readonly Peer[] =>
    sockets.flatMap(({ state, port, peer }) => (state === wanted && !ports.has(port) ? peer : []));
  const asked = outgoing(SYN_SENT).map((peer) => ({ ...peer, isAsked: true }) as const);
  const peers = [...asked, ...outgoing(ESTABLISHED)];
  const distinct = new Map(peers.map((peer) => [JSON.stringify(peer), peer]));
  return [...distinct.values()].slice(0, MAX_PEERS);
}

/** Returns the seconds of CPU time after which the system kills a process. */
function cpuLimit(pid: number): number | undefined {
  const [, hard] = /^Max cpu time +\S+ +(\d+)/m.exec(textOf(`/proc/${pid}/limits`)) ?? [];
  return hard === undefined ? undefined : Number(hard);
}

/** Returns the seconds that the main thread of a process has waited for a CPU. */
function waitTime(pid: number): number {
  const [, nanoseconds = '0'] = textOf(`/proc/${pid}/schedstat`).split(' ');
  return Number(nanoseconds) / 1e9;
}

/** Returns the UDP ports that accept datagrams from anybody, and the UNIX sockets that listen. */
function otherSockets(
  folder: string,
  isOwn: (socket: { readonly inode: string }) => boolean,
): Pick<ProcessFacts, 'udp' | 'unix'> {
  const datagram = ['udp', 'udp6'].flatMap((name) =>
    socketsIn(textOf(`${folder}/${name}`), [BOUND]),
  );
  const udp = [...new Set(datagram.filter(isOwn).map(({ port }) => port))];
  const unix = textOf(`${folder}/unix`)
    .split('\n')
    .flatMap((line) => {
      const [, , , flags = '', , , inode = '', path = ''] = line.trim().split(/\s+/);
      const listens = Number.parseInt(flags, 16) === ACCEPTS && path !== '';
      return listens && isOwn({ inode }) ? path : [];
    });
  return { ...(udp.length > 0 && { udp }), ...(unix.length > 0 && { unix }) };
}

const LSOF_LIMIT = 2000;

/** Returns the facts of a process group from lsof, where there is no /proc. */
export function factsByLsof(group: number): Promise<ProcessFacts | undefined> {
  const args = ['-nP', '-a', '-iTCP', '-sTCP:LISTEN', '-g', String(group), '-Fctn'];
  return new Promise((resolve) => {
    execFile('lsof', args, { timeout: LSOF_LIMIT }, (error, stdout) =>
      // lsof exits with 1 when it finds nothing.
      resolve(error === null || error.code === 1 ? lsofFacts(stdout) : undefined),
    );
  });
}

/** Reads the output of `lsof -F`: one field a line, after the letter of the field. */
export function lsofFacts(text: string): ProcessFacts {
  const fields = text.split('\n').map((line) => [line.charAt(0), line.slice(1)] as const);
  const named = (letter: string): readonly string[] =>
    fields.flatMap(([name, value]) => (name === letter ? value : []));
  const types = named('t');
  const sockets = named('n').map((name, index) => {
    const at = name.lastIndexOf(':');
    const host = name.slice(0, at).replaceAll(/[[\]]/g, '');
    const any = types[index] === 'IPv6' ? '::' : '0.0.0.0';
    return { address: host === '*' ? any : host, port: Number(name.slice(at + 1)) };
  });
  return { started: true, sockets, processes: [...new Set(named('c'))] };
}

/** Returns what listens on this machine; undefined without a /proc. */
export function factsOfMachine(): ProcessFacts | undefined {
  if (textOf('/proc/net/tcp') === '') return undefined;
  return { started: false, sockets: tcpSockets().map(addressIn), processes: [] };
}

/** Limits reading to a tenth of the time, and returns the last facts in between: with thousands of connections it is slow. */
export function throttledRead<T>(clock: Pick<Clock, 'now'>, read: () => T): () => T | undefined {
  let last: { readonly facts: T; readonly until: number } | undefined;
  return () => {
    const begin = clock.now();
    if (last !== undefined && begin < last.until) return last.facts;
    const facts = read();
    const end = clock.now();
    last = { facts, until: end + 9 * (end - begin) };
    return facts;
  };
}

export function addressIn({ address, port }: Socket): Socket {
  return { address, port };
}

/** States of sockets in /proc/net: TCP sockets that listen, are connected, or ask for a connection, and UDP sockets without a peer. */
const LISTEN = '0A';
const ESTABLISHED = '01';
const SYN_SENT = '02';
const BOUND = '07';
/** The flag of a UNIX socket that listens (__SO_ACCEPTCON). */
const ACCEPTS = 0x10000;

/** Returns TCP sockets in these states (by default, those that listen) from the files of a network namespace. */
export function tcpSockets(folder = '/proc/net', states?: readonly string[]): readonly NetSocket[] {
  return ['tcp', 'tcp6'].flatMap((name) => socketsIn(textOf(`${folder}/${name}`), states));
}

/** Returns the sockets in these states, from the text of a file such as /proc/net/tcp. */
export function socketsIn(
  text: string,
  states: readonly string[] = [LISTEN],
): readonly NetSocket[] {
  return text.split('\n').flatMap((line) => {
    const [, local = '', remote = '', state = '', , , , , , inode = ''] = line.trim().split(/\s+/);
    if (!states.includes(state)) return [];
    return { ...endpoint(local), inode, state, peer: endpoint(remote) };
  });
}

function endpoint(text: string): Socket {
  const [address = '', port = ''] = text.split(':');
  return { address: addressOf(address), port: Number.parseInt(port, 16) };
}

/** Returns whether a socket accepts connections to an address; an IPv6 address has many forms, so its port decides. */
export function accepts(socket: Socket, host: string, port: number): boolean {
  const { address } = socket;
  const matches = address === host || ['0.0.0.0', '::'].includes(address);
  return socket.port === port && (matches || (address.includes(':') && host.includes(':')));
}

/** Reads an address as the kernel prints it: numbers of 32 bits in the machine's order. */
function addressOf(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) => (word.match(/../g) ?? []).reverse());
  const v4 = (parts: readonly string[]): string =>
    parts.map((part) => Number.parseInt(part, 16)).join('.');
  if (bytes.length === 4) return v4(bytes);
  if (/^0{20}ffff/i.test(bytes.join(''))) return v4(bytes.slice(12));
  const groups = (bytes.join('').match(/.{4}/g) ?? []).map((group) =>
    Number.parseInt(group, 16).toString(16),
  );
  return groups.join(':').replace(/(?:^|:)0(?::0)+(?::|$)/, '::');
}

function socketsOf(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`;
  return readOr(() => readdirSync(folder), []).flatMap(
    (fd) => /^socket:\[(\d+)\]$/.exec(readOr(() => readlinkSync(`${folder}/${fd}`), ''))?.[1] ?? [],
  );
}

/** Returns the process that has one of these sockets, among those that this user may see. */
export function socketOwner(inodes: ReadonlySet<string>): number | undefined {
  if (inodes.size === 0) return undefined;
  return processIDs().find((pid) => socketsOf(pid).some((inode) => inodes.has(inode)));
}

/** Returns the name of a program from its command line, or else from the kernel. */
export function programName(pid: number): string {
  const [called = ''] = textOf(`/proc/${pid}/cmdline`).split(/[\0 ]/);
  const name = called.split('/').at(-1)?.replace(/:$/, '') ?? '';
  return name === '' ? textOf(`/proc/${pid}/comm`).trim() : name;
}

const MAX_COMMAND = 1000;

export function commandOf(pid: number): string {
  const [file = '', ...args] = textOf(`/proc/${pid}/cmdline`).split('\0').filter(Boolean);
  // A program that gives itself a title, as nginx does, has no path in it.
  const line = [file.replace(/^\S*\//, ''), ...args].join(' ');
  return line.length > MAX_COMMAND ? `${line.slice(0, MAX_COMMAND)}…` : line;
}

/** The file that is read of each controller: with cgroups of version 1, which have one hierarchy per controller, and 2. */
const CGROUP_FILES = {
  memory: ['memory.oom_control', 'memory.events'],
  freezer: ['freezer.state', 'cgroup.events'],
  cpu: ['cpu.stat', 'cpu.stat'],
} as const;

/** Returns the file of a process's cgroup that a controller writes. */
export function cgroupFile(
  pid: number,
  controller: keyof typeof CGROUP_FILES,
  groups = textOf(`/proc/${pid}/cgroup`),
): string {
  const [first, second] = CGROUP_FILES[controller];
  const group = new RegExp(`^\\d+:(?:[^:]*,)?${controller}(?:,[^:]*)?:(.*)$`, 'm').exec(
    groups,
  )?.[1];
  if (group !== undefined) return `/sys/fs/cgroup/${controller}${group}/${first}`;
  return `/sys/fs/cgroup${/^0::(\/.*)$/m.exec(groups)?.[1] ?? ''}/${second}`;
}

/** Returns the number of processes that were killed for lack of memory, by a file that counts them. */
export function oomKills(file: string): number {
  return Number(/^oom_kill (\d+)$/m.exec(textOf(file))?.[1] ?? 0);
}

function cgroupFacts(pid: number, kills: number): Pick<ProcessFacts, 'oomKills' | 'cpu'> {
  return omitUndefined({ oomKills: kills > 0 ? kills : undefined, cpu: cpuPeriods(pid) });
}

/** Returns undefined where a process has no limit on CPU, or shares its cgroup with kprobe. */
function cpuPeriods(pid: number): ProcessFacts['cpu'] {
  const file = cgroupFile(pid, 'cpu');
  const ours = cgroupFile(pid, 'cpu', textOf('/proc/self/cgroup'));
  return file === ours ? undefined : periodsIn(textOf(file));
}

/** Reads a file cpu.stat. */
export function periodsIn(text: string): ProcessFacts['cpu'] {
  const periods = Number(/^nr_periods (\d+)$/m.exec(text)?.[1] ?? 0);
  const throttled = Number(/^nr_throttled (\d+)$/m.exec(text)?.[1] ?? 0);
  return periods === 0 ? undefined : { periods, throttled };
}

function isFrozen(pid: number): boolean {
  return /^FROZEN$|^frozen 1$/m.test(textOf(cgroupFile(pid, 'freezer')));
}

function textOf(file: string): string {
  return readOr(() => readFileSync(file, 'utf8'), '');
}
