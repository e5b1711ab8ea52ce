import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import type { HTTPHeader, Probe } from '../../api/index.js';
import type { CommandInput, Io } from '../../cli/shared/io.js';
import { isHost } from '../../cli/shared/option-values.js';
import type { Clock } from '../../clock/clock.js';
import { probeOf } from '../../kubelet/prober/probe-of.js';
import type { KubeletConfig } from '../../kubelet/release.js';
import { KnownSecrets } from '../../secrets/known-secrets.js';
import type { ClusterAttempts } from '../../session/cluster/cluster-attempts.js';
import { probedPorts, rejectUnusedPorts } from '../../session/targets/probed-ports.js';
import type { RunEnd } from '../../session/wait-for-goal.js';
import { optionOf, UsageError } from '../../usage-error.js';
import { type OnceGoal, type OncePlan, type OnceProbe, podAround } from './once.js';
import type { OnceFlags } from './once-options.js';

export interface ChosenPlans {
  readonly plans: readonly OncePlan[];
  /** True where the names of probes come from a manifest. */
  readonly named: boolean;
  readonly errors: string;
  readonly secrets: KnownSecrets;
  /** Makes the attempts at a pod of a cluster; absent where they are made from this machine. */
  readonly within?: (clock: Clock, signal: AbortSignal) => ClusterAttempts;
  /** The kubelet of the pod's node. */
  readonly kubelet?: KubeletConfig;
  /** Resolves when the cluster's pod meets the condition of `--until`, or no longer can. */
  readonly until?: (() => Promise<RunEnd>) | undefined;
}

export function onceGoalOf({ untilSuccess, untilFailure, until, repeat = 1 }: OnceFlags): OnceGoal {
  if (until !== undefined) return { kind: 'times', times: Infinity };
  if (untilFailure === true) return { kind: 'untilFailure' };
  return untilSuccess === true ? { kind: 'untilSuccess' } : { kind: 'times', times: repeat };
}

export async function choosePlans(input: CommandInput<OnceFlags>, io: Io): Promise<ChosenPlans> {
  const { flags, commandLine } = input;
  checkThreshold(flags);
  const urls = input.paths.filter(isProbeURL);
  const files = input.paths.filter((path) => !isProbeURL(path));
  const described = flagProbes(flags, urls, commandLine);
  if (described.length > 0) {
    if (files.length > 0) {
      throw new UsageError(
        `options and a manifest (${files.join(', ')}) both give probes: choose one`,
      );
    }
    if (flags.container !== undefined || flags.probe !== undefined) {
      const option = flags.container === undefined ? '--probe' : '--container';
      throw new UsageError(`${option} selects probes of a manifest: leave it out`);
    }
    const probes = described.map((each) => bareProbe(each, flags));
    rejectUnusedPorts(dialedPorts(probes), flags.port);
    const plans = plansOf(probes, flags, false);
    return { plans, named: false, errors: '', secrets: new KnownSecrets() };
  }
  if (files.length === 0) {
    throw new UsageError(
      'nothing to probe: give --http, --https, --tcp, --grpc, --exec or a manifest',
    );
  }
  rejectBareAddresses(files, io);
  const { manifestProbes } = await import('./manifest-probes.js');
  const { probes, ...rest } = await manifestProbes(files, flags, io);
  if (probes.length > 0) rejectUnusedPorts(dialedPorts(probes), flags.port);
  return { plans: plansOf(probes, flags, true), named: true, ...rest };
}

/** Suggests an option for `kprobe once localhost:8080/healthz`. */
function rejectBareAddresses(files: readonly string[], { cwd }: Io): void {
  const address = files.find(
    (file) =>
      /^(?:[\w.-]+|\[[\da-f:]+\])?:\d+(?:\/|$)/i.test(file) && !existsSync(resolve(cwd, file)),
  );
  if (address === undefined) return;
  const tcp = address.includes('/') ? '' : `, or --tcp ${address}`;
  throw new UsageError(
    `${address}: no such file; to probe an address, write --http ${address}${tcp}`,
  );
}

function dialedPorts(probes: readonly OnceProbe[]): readonly number[] {
  return probes.flatMap(({ container, probeType, address }) =>
    probedPorts(container, address)
      .filter(({ path }) => path.startsWith(`${probeType}Probe.`))
      .map(({ port }) => port),
  );
}

export function checkThreshold({ repeat, successThreshold = 1 }: OnceFlags): void {
  if (repeat !== undefined && repeat < successThreshold) {
    throw new UsageError(
      `--repeat ${repeat} cannot reach --success-threshold ${successThreshold}: repeat more often`,
    );
  }
}

export function isSeveral({ repeat, untilSuccess, untilFailure, until }: OnceFlags): boolean {
  const isUntil = untilSuccess === true || untilFailure === true || until !== undefined;
  return isUntil || repeat !== undefined;
}

/**
 * Plans the attempts of each probe; several attempts count as the probe's thresholds say. Each probe without a manifest
 * gets a pod in the trace.
 */
export function plansOf(
  probes: readonly OnceProbe[],
  flags: OnceFlags,
  named: boolean,
): readonly OncePlan[] {
  return probes.map((probe, index) => {
    const { name, namespace } = probe.pod.metadata;
    const podName = named || probes.length === 1 ? name : `${name}-${index + 1}`;
    return { ...plan(probe, flags), pod: `${namespace}/${podName}` };
  });
}

function plan(probe: OnceProbe, flags: OnceFlags): Omit<OncePlan, 'pod'> {
  const spec = isSeveral(flags) ? probeOf(probe.container, probe.probeType) : undefined;
  return {
    probe,
    interval: flags.interval ?? (spec?.periodSeconds ?? 1) * 1000,
    thresholds: {
      success: flags.successThreshold ?? spec?.successThreshold ?? 1,
      failure: flags.failureThreshold ?? spec?.failureThreshold ?? 1,
    },
  };
}

function bareProbe({ probe, host }: FlagProbe, flags: OnceFlags): OnceProbe {
  const container = { name: 'probe', image: '', livenessProbe: probe };
  const address = host === '' ? flags.host : host;
  const { httpGet, tcpSocket, grpc } = probe;
  const handler = httpGet ? 'HTTP' : tcpSocket ? 'TCP' : grpc ? 'GRPC' : 'Exec';
  return { pod: podAround(container), container, probeType: 'liveness', address, handler };
}

interface FlagProbe {
  readonly probe: Probe;
  /** Empty when the flag names no host. */
  readonly host: string;
}

const NETWORK = ['http', 'https', 'tcp', 'grpc'] as const;
type Kind = (typeof NETWORK)[number];

interface Address {
  readonly kind: Kind;
  readonly text: string;
}

const EXAMPLES = { http: ':8080/healthz', https: ':8443/healthz', tcp: ':5432', grpc: ':9000' };

/** Reports whether an argument is a probe, such as `http://:8080/healthz` or wait-on's `tcp:4000`, and no file. */
function isProbeURL(argument: string): boolean {
  return /^(?:https?|tcp|grpc):\/\//.test(argument) || WAIT_ON.test(argument);
}

/** `tcp:4000` or `tcp:host:4000`. */
const WAIT_ON = /^tcp:(?=(?:[^/]+:)?\d+$)/;

function flagProbes(
  flags: OnceFlags,
  urls: readonly string[],
  commandLine: readonly string[] = [],
): readonly FlagProbe[] {
  const addresses = NETWORK.flatMap((kind) => [
    ...(flags[kind] ?? []).map((text) => ({ kind, text })),
    ...urls.filter((url) => url.split(':', 1)[0] === kind).map((text) => ({ kind, text })),
  ]);
  rejectStrayFlags(flags, addresses);
  const settings = common(flags);
  const probes = addresses.map((address): FlagProbe => {
    const { host, port, path } = parseAddress(address);
    return { host, probe: { ...settings, ...handler(address, port, path, flags) } };
  });
  if (flags.exec !== true) return probes;
  if (commandLine.length === 0) {
    throw new UsageError('--exec needs a command: kprobe once --exec -- command arguments…');
  }
  return [...probes, { host: '', probe: { ...settings, exec: { command: commandLine } } }];
}

function rejectStrayFlags(flags: OnceFlags, addresses: readonly Address[]): void {
  const has = (...kinds: Kind[]): boolean => addresses.some(({ kind }) => kinds.includes(kind));
  const ofRequest = (['header', 'userAgent'] as const).find((name) => flags[name] !== undefined);
  if (ofRequest !== undefined && !has('http', 'https')) {
    throw new UsageError(`${optionOf(ofRequest)} needs an HTTP probe`);
  }
  const ofCheck = (['service', 'tls'] as const).find((name) => flags[name] !== undefined);
  if (ofCheck !== undefined && !has('grpc')) {
    throw new UsageError(`${optionOf(ofCheck)} needs a gRPC probe`);
  }
  if (flags.http2PriorKnowledge === true && (!has('http') || has('https'))) {
    throw new UsageError('--http2-prior-knowledge needs an HTTP probe, and --https has none');
  }
}

function common({ probeTimeout = 1000, successThreshold = 1, failureThreshold = 1 }: OnceFlags) {
  return {
    initialDelaySeconds: 0,
    timeoutSeconds: probeTimeout / 1000,
    periodSeconds: 1,
    successThreshold,
    failureThreshold,
  };
}

function handler({ kind, text }: Address, port: number, path: string, flags: OnceFlags) {
  switch (kind) {
    case 'http':
    case 'https':
      const scheme = kind === 'http' ? ('HTTP' as const) : ('HTTPS' as const);
      const protocol = flags.http2PriorKnowledge && { protocol: 'HTTP2' as const };
      return {
        httpGet: { port, path: path || '/', scheme, httpHeaders: headers(flags), ...protocol },
      };
    case 'tcp':
      if (path !== '') throw new UsageError(`--tcp ${text}: a TCP probe has no path`);
      return { tcpSocket: { port } };
    case 'grpc':
      if (path.length > 1 && flags.service !== undefined) {
        throw new UsageError(`--grpc ${text} and --service both name a service: choose one`);
      }
      const mode = flags.tls && { mode: 'TLS' as const };
      return { grpc: { port, service: flags.service ?? path.slice(1), ...mode } };
  }
}

const PORTS: Readonly<Partial<Record<string, string>>> = { http: '80', https: '443' };

/** Parses `:8080/path`, `8080/path`, `host:8080/path` or `[::1]:8080`, also after `http://`, which allows `host/path` too. */
function parseAddress({ kind, text }: Address): { host: string; port: number; path: string } {
  const isURL = text.startsWith(`${kind}://`);
  const short = kind === 'tcp' ? text.replace(WAIT_ON, '') : text;
  const bare = isURL ? text.slice(kind.length + 3) : short;
  const match =
    /^(?:(?<host>\[[^\]]*\]|[^:/?[\]]*):)?(?<port>\d+)(?<path>[/?].*)?$/s.exec(bare) ??
    (isURL ? /^(?<host>\[[^\]]*\]|[^:/?[\]]+)(?<path>[/?].*)?$/s.exec(bare) : null);
  const { host = '', port = PORTS[match === null ? '' : kind], path = '' } = match?.groups ?? {};
  const number = Number(port);
  const bareHost = host.replace(/^\[|\]$/g, '');
  const isRight = host === '' || isHost(bareHost);
  if (port === undefined || number < 1 || number > 65_535 || !isRight) {
    const form = `[HOST]:PORT with a port from 1 to 65535, such as ${EXAMPLES[kind]}`;
    throw new UsageError(`--${kind} ${text}: write ${form}`);
  }
  return { host: bareHost, port: number, path };
}

function headers({ header = [], userAgent }: OnceFlags): readonly HTTPHeader[] {
  if (!isHeaderValue(userAgent ?? '')) {
    throw new UsageError('--user-agent has a character that a header cannot have');
  }
  const userAgents = userAgent === undefined ? [] : [{ name: 'User-Agent', value: userAgent }];
  return [...userAgents, ...header.map(parseHeader)];
}

function parseHeader(text: string): HTTPHeader {
  const [, name = '', value = ''] = HEADER.exec(text) ?? [];
  if (name === '' || !isHeaderValue(value)) {
    throw new UsageError(`--header ${text}: write NAME:VALUE, such as "Host: shop.example"`);
  }
  return { name, value: value.trim() };
}

/** The name is a token (RFC 9110, section 5.6.2). */
const HEADER = /^\s*([\w!#$%&'*+.^`|~-]+)\s*:(.*)$/s;

/** Returns false for a text with control characters other than a tab. */
function isHeaderValue(text: string): boolean {
  return !/[^\P{Cc}\t\x80-\x9f]/u.test(text.trim());
}
