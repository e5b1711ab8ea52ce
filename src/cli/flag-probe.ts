import type { HTTPHeader, Probe } from '../api/types/probe.js';
import type { OnceFlags } from './once-flags.js';
import { UsageError } from './usage-error.js';

export interface FlagProbe {
  readonly probe: Probe;
  /** The host that the flag names; empty when it names none. */
  readonly host: string;
}

const HANDLERS = ['http', 'https', 'tcp', 'grpc', 'exec'] as const;

/** The probe that the flags describe, or undefined when they describe none. */
export function flagProbe(
  flags: OnceFlags,
  commandLine: readonly string[] | undefined,
): FlagProbe | undefined {
  const given = HANDLERS.filter((name) => flags[name] !== undefined);
  const [kind, another] = given;
  if (another !== undefined) {
    throw new UsageError(`choose one of ${given.map((name) => `--${name}`).join(' and ')}`);
  }
  if (commandLine !== undefined && kind !== 'exec') {
    throw new UsageError('a command after -- needs --exec');
  }
  if (flags.header !== undefined && kind !== 'http' && kind !== 'https') {
    throw new UsageError('--header is for --http and --https');
  }
  if (kind === undefined) return undefined;
  const timeoutSeconds = (flags.probeTimeout ?? 1000) / 1000;
  const common = {
    initialDelaySeconds: 0,
    timeoutSeconds,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  };
  if (kind === 'exec') {
    if (commandLine === undefined || commandLine.length === 0) {
      throw new UsageError('--exec needs a command: kprobe once --exec -- command arguments…');
    }
    return { host: '', probe: { ...common, exec: { command: commandLine } } };
  }
  const { host, port, path } = parseAddress(kind, flags[kind] ?? '');
  switch (kind) {
    case 'http':
    case 'https':
      return {
        host,
        probe: {
          ...common,
          httpGet: {
            port,
            path: path === '' ? '/' : path,
            scheme: kind === 'http' ? 'HTTP' : 'HTTPS',
            httpHeaders: (flags.header ?? []).map(parseHeader),
          },
        },
      };
    case 'tcp':
      if (path !== '') throw new UsageError(`--tcp ${flags.tcp ?? ''}: a TCP probe has no path`);
      return { host, probe: { ...common, tcpSocket: { port } } };
    case 'grpc':
      return { host, probe: { ...common, grpc: { port, service: path.slice(1) } } };
  }
}

/** Reads `:8080/path`, `8080/path`, `host:8080/path`, `[::1]:8080` and the same behind `http://`. */
function parseAddress(
  kind: 'http' | 'https' | 'tcp' | 'grpc',
  text: string,
): { host: string; port: number; path: string } {
  const bare = text.startsWith(`${kind}://`) ? text.slice(kind.length + 3) : text;
  const match = /^(?:(?<host>\[[^\]]*\]|[^:/?[\]]*):)?(?<port>\d+)(?<path>[/?].*)?$/s.exec(bare);
  const { host = '', port, path = '' } = match?.groups ?? {};
  const number = Number(port);
  if (port === undefined || number < 1 || number > 65_535) {
    const example = { http: ':8080/healthz', https: ':8443/healthz', tcp: ':5432', grpc: ':9000' };
    throw new UsageError(`--${kind} ${text}: write [HOST]:PORT, such as ${example[kind]}`);
  }
  return { host: host.replace(/^\[|\]$/g, ''), port: number, path };
}

function parseHeader(text: string): HTTPHeader {
  const at = text.indexOf(':');
  if (at === -1)
    throw new UsageError(`--header ${text}: write NAME:VALUE, such as "Host: shop.example"`);
  return { name: text.slice(0, at).trim(), value: text.slice(at + 1).trim() };
}
