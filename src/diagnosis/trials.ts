import type { Container, Probe } from '../api/index.js';
import type { ProbeType, TrialValue } from '../trace/event.js';
import type { Evidence, EvidenceOf, Fault, FaultOf } from './fault.js';
import { askedURL } from './rules/command-words.js';

/** An attempt that would show whether a change helps. */
export interface PlannedTrial {
  /** Path of the field in the probe, such as `httpGet.path`. */
  readonly field: string;
  readonly to: TrialValue;
  /** A server that answers any path does not show that this value is right. */
  readonly isOfPath?: true;
}

/** Seconds of a trial with a longer timeout. */
const PATIENT = 10;
/** Ports that are tried: a program with more has them for other purposes. */
const MAX_PORTS = 3;

/** Returns the attempts that show whether a change would help, at the host that the probe dials; `listens` has the ports of the program. */
export function trialsFor(
  fault: Fault,
  spec: Probe,
  container: Container,
  listens: readonly number[] = [],
): readonly PlannedTrial[] {
  switch (fault.kind) {
    case 'notFound':
      return [
        ...otherPaths(fault),
        ...otherPortsOfPath(spec, container, listens),
        ...healthPaths(fault),
      ];
    case 'errorAnswer':
      return standby(fault, spec);
    case 'commandFailed':
      return askedURL(spec.exec?.command).map((to) => ({ field: OF_COMMAND, to }));
    case 'onlyHTTP2':
      return [{ field: 'httpGet.protocol', to: 'HTTP2' }];
    case 'notPlainGrpc':
      return fault.speaks === 'HTTP/2' ? [] : [{ field: 'grpc.mode', to: 'TLS' }];
    case 'schemeMismatch':
      return [{ field: 'httpGet.scheme', to: fault.speaks }];
    case 'wrongPort':
      // A port that a command asks is part of its words.
      if (spec.exec !== undefined) return [];
      return fault.listens
        .slice(0, MAX_PORTS)
        .map(({ port: to }) => ({ field: `${handlerOf(spec)}.port`, to }));
    case 'unknownPortName':
      return otherPorts(spec, container);
    case 'redirect':
      return redirectTrials(fault, spec);
    case 'closedEarly':
      if (fault.after !== 'nothing') return [];
      return [
        ...otherScheme(spec),
        ...otherPortsOfPath(spec, container, listens),
        ...(spec.httpGet ? [headerTrial(spec, 'Host', 'localhost'), NO_PATH] : []),
      ];
    case 'unknownService':
      return [...fault.listed, ...(fault.service === '' ? [] : [''])].map((to) => {
        return { field: 'grpc.service', to };
      });
    case 'statusOnly':
      return fault.status === 400 && spec.httpGet !== undefined
        ? [headerTrial(spec, 'Host', 'localhost')]
        : [];
    case 'forbidden':
      return spec.httpGet === undefined ? [] : [headerTrial(spec, 'User-Agent', 'Mozilla/5.0')];
    case 'hostRejected':
      return [headerTrial(spec, 'Host', 'localhost')];
    case 'noAnswer':
    case 'slowAnswer':
    case 'stalled':
      return patientTrials(fault, spec);
    default:
      return [];
  }
}

/** Returns trials with more time; a process that stands still or is busy does not answer a patient client either. */
function patientTrials(
  fault: FaultOf<'noAnswer' | 'slowAnswer' | 'stalled'>,
  spec: Probe,
): readonly PlannedTrial[] {
  if (fault.kind === 'stalled' && fault.process !== undefined) return [];
  return [
    ...(spec.timeoutSeconds < PATIENT ? [{ field: 'timeoutSeconds', to: PATIENT }] : []),
    ...(fault.kind === 'noAnswer' && spec.httpGet ? [NO_PATH] : []),
  ];
}

export function handlerOf(spec: Probe): 'httpGet' | 'tcpSocket' | 'grpc' {
  if (spec.httpGet !== undefined) return 'httpGet';
  return spec.tcpSocket !== undefined ? 'tcpSocket' : 'grpc';
}

/** Returns trials of the ports that the container declares or the program listens on, without the probed one. */
function otherPorts(
  spec: Probe,
  container: Container,
  listens: readonly number[] = [],
): readonly PlannedTrial[] {
  const { ports = [] } = container;
  const probed = (spec.httpGet ?? spec.tcpSocket)?.port;
  const number = ports.find(({ name }) => name === probed)?.containerPort ?? probed;
  const declared = ports.filter(({ containerPort }) => containerPort !== number);
  const known = new Set([number, ...declared.map(({ containerPort }) => containerPort)]);
  const undeclared = listens.filter((port) => !known.has(port));
  return [...declared.map(({ name, containerPort }) => name ?? containerPort), ...undeclared]
    .slice(0, MAX_PORTS)
    .map((to) => ({ field: `${handlerOf(spec)}.port`, to }));
}

function otherPortsOfPath(...args: Parameters<typeof otherPorts>): readonly PlannedTrial[] {
  // Any port may have a root page, which does not show that probes are for it.
  if ((args[0].httpGet?.path ?? '/') === '/') return [];
  return otherPorts(...args).map((trial) => ({ ...trial, isOfPath: true }));
}

/** Parameters with which Vault and OpenBao let a standby count as healthy. One for disaster recovery serves no clients. */
const STANDBY = ['standbyok=true', 'perfstandbyok=true'];

function standby({ text }: FaultOf<'errorAnswer'>, { httpGet }: Probe): readonly PlannedTrial[] {
  const { path = '/' } = httpGet ?? {};
  if (httpGet === undefined || !/\bstandby: true\b/.test(text)) return [];
  const has = path.split(/[?&]/);
  const missing = STANDBY.filter((parameter) => !has.includes(parameter)).join('&');
  const to = `${path}${path.includes('?') ? '&' : '?'}${missing}`;
  return missing === '' ? [] : [{ field: 'httpGet.path', to }];
}

function headerTrial({ httpGet }: Probe, name: string, value: string): PlannedTrial {
  const others = (httpGet?.httpHeaders ?? []).filter(
    (each) => each.name.toLowerCase() !== name.toLowerCase(),
  );
  return { field: 'httpGet.httpHeaders', to: [...others, { name, value }] };
}

function redirectTrials({ to, end }: FaultOf<'redirect'>, spec: Probe): readonly PlannedTrial[] {
  const target = pathOf(to);
  const isOther = target !== undefined && target !== (spec.httpGet?.path ?? '/');
  const wantsHttps = end !== 'otherHost' && (end === 'circle' || /^https:/i.test(to));
  return [
    ...(isOther ? [{ field: 'httpGet.path', to: target }] : []),
    ...(wantsHttps ? [...https(spec), headerTrial(spec, 'X-Forwarded-Proto', 'https')] : []),
  ];
}

function https({ httpGet }: Probe): readonly PlannedTrial[] {
  if (httpGet === undefined || httpGet.scheme === 'HTTPS') return [];
  return [{ field: 'httpGet.scheme', to: 'HTTPS' }];
}

function otherScheme(spec: Probe): readonly PlannedTrial[] {
  return spec.httpGet?.scheme === 'HTTPS' ? [{ field: 'httpGet.scheme', to: 'HTTP' }] : https(spec);
}

/** Returns the path and the query to which a redirect leads. */
function pathOf(location: string): string | undefined {
  const base = 'http://probe';
  if (location === '' || !URL.canParse(location, base)) return undefined;
  const { pathname, search } = new URL(location, base);
  return `${pathname}${search}`;
}

/** Paths that Spring Boot serves in a cluster, which it knows by a variable that is set there alone. */
export const OF_SPRING = /\/actuator\/health\/(?:liveness|readiness)$/;

function otherPaths({ path, under, listed = [] }: FaultOf<'notFound'>): readonly PlannedTrial[] {
  const paths = [...listed];
  if (under !== undefined) {
    // Spring Boot has the groups of its health for probes in a cluster only.
    paths.push(`${under}${path}`, ...(OF_SPRING.test(path) ? [`${under}/actuator/health`] : []));
  }
  if (path !== '/' && !path.includes('?')) {
    paths.push(path.endsWith('/') ? path.slice(0, -1) : `${path}/`);
  }
  return paths.map((to) => ({ field: 'httpGet.path', to }));
}

/** Paths at which frameworks answer probes: Kubernetes' own servers, Spring Boot's groups, Rails, Laravel. */
export const HEALTH_PATHS = ['/healthz', '/health', '/up', '/readyz', '/livez'];
const OF_HEALTH = /(?:alive|health|live|ping|ready|status|up)[\w-]*\/?$/i;

/** Returns trials of common paths: this server answers 404 to others, so that one which succeeds is there. */
function healthPaths({ path, listed = [] }: FaultOf<'notFound'>): readonly PlannedTrial[] {
  if (!OF_HEALTH.test(path)) return [];
  const others = HEALTH_PATHS.filter(
    (each) => each !== path.replace(/\/$/, '') && !listed.includes(each),
  );
  return others.map((to) => ({ field: 'httpGet.path', to }));
}

/** A path that no server has, unless it answers all. */
export const NO_PATH: PlannedTrial = { field: 'httpGet.path', to: '/kprobe-no-such-path' };

/** The request that a command makes, which may hide the answer: no field of a probe. */
export const OF_COMMAND = 'exec.url';

/** Finds the trial that shows what the request of a command is answered. */
export function answerOfCommand(evidence: readonly Evidence[]): EvidenceOf<'trial'> | undefined {
  const trials = evidence.filter((each) => each.kind === 'trial');
  return trials.find(({ field }) => field.endsWith(`.${OF_COMMAND}`));
}

export function withTrial(
  container: Container,
  type: ProbeType,
  { field, to }: PlannedTrial,
): Container {
  const [first = '', second] = field.split('.');
  const name = `${type}Probe` as const;
  const probe = container[name] as Readonly<Record<string, unknown>> | undefined;
  if (field === OF_COMMAND && typeof to === 'string') {
    const { protocol, port, pathname, search } = new URL(to);
    const scheme = protocol === 'https:' ? 'HTTPS' : 'HTTP';
    const httpGet = { scheme, port: Number(port), path: `${pathname}${search}` };
    return { ...container, [name]: { ...probe, exec: undefined, httpGet } };
  }
  const inner = probe?.[first] as Readonly<Record<string, unknown>> | undefined;
  const changed = second === undefined ? to : { ...inner, [second]: to };
  return { ...container, [name]: { ...probe, [first]: changed } };
}
