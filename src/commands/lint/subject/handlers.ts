import type { Container, ContainerPort, IntOrString, Probe } from '../../../api/index.js';
import { isLoopback } from '../../../go/addr.js';
import { programOf, simpleCommands } from './commands.js';
import type { Member } from './subject.js';

/** Returns a text that is the same for probes with the same request to the same port. */
export function handlerKey(
  { exec, httpGet, tcpSocket, grpc }: Probe,
  container: Container,
): string {
  if (exec !== undefined) return JSON.stringify(['exec', exec.command]);
  if (httpGet !== undefined) {
    const { path = '/', port, host = '', scheme = 'HTTP', httpHeaders = [] } = httpGet;
    const headers = httpHeaders.map(({ name, value }) => [name.toLowerCase(), value]).sort();
    return JSON.stringify(['httpGet', path, portNumber(port, container), host, scheme, headers]);
  }
  if (tcpSocket !== undefined) {
    const { port, host = '' } = tcpSocket;
    return JSON.stringify(['tcpSocket', portNumber(port, container), host]);
  }
  return JSON.stringify(['grpc', grpc?.port, grpc?.service ?? '']);
}

/** Returns the port that a probe connects to, and the name of its handler. */
export function networkPort(
  probe: Probe,
): { readonly field: 'httpGet' | 'tcpSocket' | 'grpc'; readonly port: IntOrString } | undefined {
  if (probe.exec !== undefined) return undefined;
  const fields = ['httpGet', 'tcpSocket', 'grpc'] as const;
  return fields.flatMap((field) => (probe[field] ? { field, port: probe[field].port } : []))[0];
}

/** Returns a named port's number, where the container has it. */
export function portNumber(port: IntOrString, container: Container): IntOrString {
  return typeof port === 'number' ? port : (portsOf(port, container)[0]?.containerPort ?? port);
}

export function portsOf(port: IntOrString, { ports = [] }: Container): readonly ContainerPort[] {
  return ports.filter(({ name, containerPort }) =>
    typeof port === 'number' ? containerPort === port : name === port,
  );
}

interface MembersByPort {
  readonly declared: ReadonlyMap<number, Member>;
  readonly opened: ReadonlyMap<number, readonly Member[]>;
}

const BY_PORT = new WeakMap<readonly Member[], MembersByPort>();

/** Returns the first container that declares each port, and those whose flags open it; computed once for a pod. */
export function membersByPort(members: readonly Member[]): MembersByPort {
  const known = BY_PORT.get(members);
  if (known !== undefined) return known;
  const declared = new Map<number, Member>();
  const opened = new Map<number, Member[]>();
  for (const member of members) {
    for (const { containerPort } of member.container.ports ?? []) {
      if (!declared.has(containerPort)) declared.set(containerPort, member);
    }
    for (const port of openedPorts(member.container)) {
      const others = opened.get(port);
      if (others === undefined) opened.set(port, [member]);
      else others.push(member);
    }
  }
  const found = { declared, opened };
  BY_PORT.set(members, found);
  return found;
}

/** Returns the ports of flags with which a container listens on all addresses. */
function openedPorts({ command = [], args = [] }: Container): readonly number[] {
  return [...command, ...args].flatMap((word) => {
    const flag =
      /^--?[\w-]*(?:listen|bind|addr|port)[\w-]*=(?:https?:\/\/)?(?:0\.0\.0\.0|\[::\]|)?:?(\d+)\/?$/.exec(
        word,
      );
    return flag === null ? [] : Number(flag[1]);
  });
}

const ANY = /^(?:0\.0\.0\.0|\[?::\]?)$/;

/** Reports whether a host is the machine's own; for a probe that is the node, not the container. */
export function isOwnHost(host: string): boolean {
  return isLoopback(host) || host.toLowerCase() === 'localhost.localdomain';
}

/** Clients that take the server's host after `-h` or `--host`. */
const CLIENTS =
  /^(?:pg_isready|psql|mysql|mysqladmin|mariadb|mariadb-admin|redis-cli|mongo|mongosh|pg_dump|cqlsh|nodetool)$/;

/** Returns the other machine that a probe contacts; undefined where none is known. */
export function otherHost(probe: Probe): string | undefined {
  const host = probe.exec ? undefined : (probe.httpGet?.host ?? probe.tcpSocket?.host);
  if (host !== undefined && isOther(host)) return host;
  return simpleCommands(probe.exec?.command ?? [])
    .map(hostOf)
    .find((found) => found !== undefined && isOther(found));
}

function hostOf(words: readonly string[]): string | undefined {
  const program = programOf(words);
  if (/^(?:curl|wget)$/.test(program)) {
    return words.map((word) => /^\w+:\/\/(?:[^@/]*@)?([^:/?#]+)/.exec(word)?.[1]).find(Boolean);
  }
  if (CLIENTS.test(program)) {
    const long = words.find((word) => word.startsWith('--host='))?.slice('--host='.length);
    const at = words.findIndex((word) => word === '-h' || word === '--host');
    const short = words.find((word) => /^-h[^-\s]+\.[^\s]+$/.test(word))?.slice(2);
    return long ?? (at === -1 ? short : words[at + 1]);
  }
  if (/^(?:nc|ncat|netcat)$/.test(program)) {
    const plain = words.slice(1).filter((word) => !word.startsWith('-'));
    const port = plain.findIndex((word, index) => index > 0 && /^\d+$/.test(word));
    return port === -1 ? undefined : plain[port - 1];
  }
  return undefined;
}

/** A variable may well refer to the pod itself. */
function isOther(host: string): boolean {
  return (
    host !== '' && !/[$`{]/.test(host) && !/^\d+$/.test(host) && !isOwnHost(host) && !ANY.test(host)
  );
}
