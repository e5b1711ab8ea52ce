import type { HintRule } from './hint-context.js';

/** Characters of a body that are shown. */
const MAX_QUOTE = 80;

const answersTls: HintRule = ({ spec, said, body }) => {
  if (spec.httpGet === undefined || spec.httpGet.scheme === 'HTTPS') return undefined;
  const tlsAlert = /malformed HTTP response "\\x15\\x03/.test(said);
  const told = /HTTP request (?:was sent )?to an? HTTPS (?:server|port)/i.test(body);
  return tlsAlert || told
    ? 'the port answers TLS, the scheme is HTTP: set scheme: HTTPS'
    : undefined;
};

const answersPlain: HintRule = ({ said }) =>
  /server gave HTTP response to HTTPS client/.test(said)
    ? 'the port answers plain HTTP, the scheme is HTTPS'
    : undefined;

const answersHttp2: HintRule = ({ spec, said }) =>
  spec.httpGet !== undefined && /malformed HTTP response "\\x00\\x00/.test(said)
    ? 'the port answers HTTP/2 only; probes speak HTTP/1.1 there'
    : undefined;

const answersSomethingElse: HintRule = ({ spec, said }) =>
  spec.httpGet !== undefined && /malformed HTTP/.test(said)
    ? 'the port answers, but not in HTTP: is it the right one?'
    : undefined;

const redirected: HintRule = ({ attempt, response }) => {
  if (attempt.result !== 'warning') return undefined;
  const to = /^location: *(.+?)\r?$/im.exec(response)?.[1];
  return `redirected${to === undefined ? '' : ` to ${to}`}: the kubelet does not follow to another host, and counts it as a success`;
};

const tooManyRedirects: HintRule = ({ said }) =>
  /stopped after \d+ redirects/.test(said) ? 'the path redirects in a circle' : undefined;

const byStatus: HintRule = ({ spec, said, body }) => {
  const code = Number(/statuscode: (\d+)/.exec(said)?.[1]);
  const path = spec.httpGet?.path ?? '/';
  switch (code) {
    case 401:
    case 403:
      return `the server wants credentials (${code}): a probe sends none but what httpHeaders say`;
    case 404:
      return `the server answers, but has nothing at ${path}: is the path right?`;
    case 405:
      return 'the server does not take GET there';
    default:
      return Number.isNaN(code) ? undefined : bodyHint(body);
  }
};

/** The kubelet's event withholds what the answer says. */
function bodyHint(body: string): string | undefined {
  const first = body.trim().split('\n')[0]?.trim() ?? '';
  if (first === '' || first.startsWith('<')) return undefined;
  return `the answer says: ${first.length > MAX_QUOTE ? `${first.slice(0, MAX_QUOTE)}…` : first}`;
}

export const HTTP_HINTS: readonly HintRule[] = [
  answersTls,
  answersPlain,
  answersHttp2,
  answersSomethingElse,
  redirected,
  tooManyRedirects,
  byStatus,
];

const byExitCode: HintRule = ({ spec, response }) => {
  if (spec.exec === undefined) return undefined;
  const command = spec.exec.command?.[0] ?? '';
  switch (/^exit code (\d+)$/.exec(response)?.[1]) {
    case '126':
      return `exit 126: ${command} was found, but could not be run`;
    case '127':
      return `exit 127: ${command}, or what it calls, is not in the image`;
    case '137':
      return 'exit 137: the command was killed, by the system or with its container';
    default:
      return undefined;
  }
};

const notFound: HintRule = ({ spec, said }) => {
  if (spec.exec === undefined) return undefined;
  const command = spec.exec.command?.[0] ?? '';
  if (/executable file not found|no such file or directory/.test(said)) {
    return `${command} is not there: a probe's command has to be in the container's image`;
  }
  return /permission denied/.test(said) ? `${command} may not be run` : undefined;
};

const tooSlow: HintRule = ({ spec, said }) =>
  spec.exec !== undefined && /timed out/.test(said)
    ? `the command takes longer than the timeout of ${spec.timeoutSeconds} s`
    : undefined;

export const EXEC_HINTS: readonly HintRule[] = [byExitCode, notFound, tooSlow];

const noHealthService: HintRule = ({ spec, said }) =>
  spec.grpc !== undefined && /does not implement the grpc health protocol/.test(said)
    ? 'the server speaks gRPC, but has no grpc.health.v1.Health service'
    : undefined;

const unknownService: HintRule = ({ spec, said }) => {
  if (spec.grpc === undefined || !/NotFound|SERVICE_UNKNOWN/.test(said)) return undefined;
  const { service = '' } = spec.grpc;
  return service === ''
    ? 'the health service knows no service without a name: set grpc.service'
    : `the health service does not know the service ${service}`;
};

const notServing: HintRule = ({ spec, said }) =>
  spec.grpc !== undefined && /NOT_SERVING/.test(said)
    ? 'the server answers that it does not serve now'
    : undefined;

const notGrpc: HintRule = ({ spec, said, attempt }) => {
  if (spec.grpc === undefined || !/failed to connect service/.test(said)) return undefined;
  return attempt.detail?.timings.connect === undefined
    ? undefined
    : 'something listens there, but it speaks no plain gRPC: probes use neither TLS nor HTTP/1.1';
};

export const GRPC_HINTS: readonly HintRule[] = [
  noHealthService,
  unknownService,
  notServing,
  notGrpc,
];
