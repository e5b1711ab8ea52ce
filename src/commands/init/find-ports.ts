import { PROBE_DEFAULTS } from '../../api/decode/index.js';
import type { Probe, v1 } from '../../api/index.js';
import type { Clock } from '../../clock/clock.js';
import type { ProbeOutcome } from '../../kubelet/ports.js';
import { accepts } from '../../runtime/process-facts.js';
import { choosePaths, type ChosenPaths, type PathAnswer, pathsToAsk } from './choose-paths.js';
import { LOCALHOST, poll, type StartedCommand } from './started-command.js';

export type Protocol = 'http' | 'https' | 'grpc' | 'tcp';

export interface FoundPort extends ChosenPaths {
  readonly port: number;
  readonly protocol: Protocol;
  /** True where other machines, and so a kubelet, cannot connect. */
  readonly isLoopback: boolean;
}

/** Milliseconds after the last new port or answer: nothing more is expected then. */
const MAX_SILENCE = 3000;
const PAUSE = 100;
/** Polls in a row without facts after which this machine counts as one that does not show them. */
const MAX_UNSEEN = 20;
/** Number of ports that are asked for their paths. */
const MAX_PORTS = 5;

/** Finds the ports that a started command listens on, and what answers there; undefined where that cannot be seen. */
export async function findPorts(
  clock: Clock,
  command: StartedCommand,
  limit: number,
): Promise<readonly FoundPort[] | undefined> {
  const addresses = new Map<number, Set<string>>();
  const found = new Map<number, Promise<AskedPort>>();
  let [changed, unseen] = [0, 0];
  const end = await poll(clock, command, { limit, pause: PAUSE }, async () => {
    const facts = await command.facts();
    // A process that has just ended shows nothing either.
    if (facts === undefined) return ++unseen > MAX_UNSEEN ? 'unseen' : undefined;
    for (const socket of facts.sockets) {
      const { address, port } = socket;
      addresses.set(port, (addresses.get(port) ?? new Set()).add(address));
      const isAsked = accepts(socket, LOCALHOST, port) && found.size < MAX_PORTS;
      if (found.has(port) || !isAsked) continue;
      // At once: a server may hang soon after its start.
      found.set(port, askPort(clock, command, port, limit));
      changed = command.age();
    }
    return found.size > 0 && command.age() - changed > MAX_SILENCE ? 'settled' : undefined;
  });
  if (end === 'unseen') return undefined;
  const ports = (await Promise.all(found.values())).sort((a, b) => a.port - b.port);
  return ports.map((port) => {
    const listening = [...(addresses.get(port.port) ?? [])];
    return { ...port, isLoopback: listening.every((address) => address.startsWith('127.')) };
  });
}

type AskedPort = Omit<FoundPort, 'isLoopback'>;

async function askPort(
  clock: Clock,
  command: StartedCommand,
  port: number,
  limit: number,
): Promise<AskedPort> {
  const protocol = await protocolOf(command, port);
  const speaksHTTP = protocol === 'http' || protocol === 'https';
  const paths = speaksHTTP
    ? choosePaths(await pathAnswers(clock, command, { port, protocol }, limit))
    : {};
  return { port, protocol, ...paths };
}

/** The handler of a probe at a port: its name, or its number. */
export function handlerAt(protocol: Protocol, port: number | string, path = '/'): v1.ProbeHandler {
  switch (protocol) {
    case 'http':
    case 'https':
      return { httpGet: { path, port, scheme: protocol === 'http' ? 'HTTP' : 'HTTPS' } };
    case 'grpc':
      return { grpc: { port: Number(port), service: '' } };
    case 'tcp':
      return { tcpSocket: { port } };
  }
}

/** Settings of an attempt that only measures. */
export const MEASURING: Omit<Probe, keyof v1.ProbeHandler> = {
  ...PROBE_DEFAULTS,
  timeoutSeconds: 5,
};

function quickAttempt(
  command: StartedCommand,
  { protocol, port }: Pick<FoundPort, 'protocol' | 'port'>,
  path?: string,
) {
  const settings = { ...MEASURING, timeoutSeconds: 1 };
  const readinessProbe = { ...handlerAt(protocol, port, path), ...settings } as Probe;
  return command.attempt('readiness', { readinessProbe });
}

async function protocolOf(command: StartedCommand, port: number): Promise<Protocol> {
  const spoken: Readonly<Record<Exclude<Protocol, 'tcp'>, (outcome: ProbeOutcome) => boolean>> = {
    // A server that speaks TLS may answer plain HTTP with 400.
    https: ({ statusCode }) => statusCode !== undefined,
    http: ({ statusCode }) => statusCode !== undefined,
    grpc: ({ result, reason }) => result === 'success' || reason === 'notServing',
  };
  for (const [name, isSpoken] of Object.entries(spoken)) {
    const protocol = name as keyof typeof spoken;
    const { outcome } = await quickAttempt(command, { protocol, port });
    if (isSpoken(outcome)) return protocol;
  }
  return 'tcp';
}

/** Asks for the usual paths until their answers no longer change: one that is not ready yet answers with 503. */
async function pathAnswers(
  clock: Clock,
  command: StartedCommand,
  { port, protocol }: { readonly port: number; readonly protocol: Protocol },
  limit: number,
): Promise<readonly PathAnswer[]> {
  const answers = new Map<string, PathAnswer>();
  let changed = command.age();
  await poll(clock, command, { limit, pause: PAUSE }, async () => {
    for (const path of pathsToAsk(command.output())) {
      const before = answers.get(path);
      if (before?.since !== undefined) continue;
      const { age, latency, outcome } = await quickAttempt(command, { protocol, port }, path);
      const { statusCode, result } = outcome;
      const isGood = result === 'success' || result === 'warning';
      if (before === undefined || isGood || before.status !== statusCode) changed = command.age();
      const failedAt = isGood ? before?.failedAt : age;
      const since = isGood ? age + latency : undefined;
      answers.set(path, { path, status: statusCode, since, failedAt });
    }
    const all = [...answers.values()];
    // Waiting would not change that a path does not exist or is refused.
    const isRefused = all.every(({ status = 0 }) => status >= 400 && status < 500);
    const isSettled = all.some(({ since }) => since !== undefined) || isRefused;
    return (isSettled && command.age() - changed > MAX_SILENCE) || undefined;
  });
  return [...answers.values()];
}
