import type { HintContext, HintRule } from './hint-context.js';

const execExitCode: HintRule = ({ spec, response }) => {
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

const execFailed: HintRule = ({ spec, output }) => {
  if (spec.exec === undefined) return undefined;
  const command = spec.exec.command?.[0] ?? '';
  if (/executable file not found|no such file or directory/.test(output)) {
    return `${command} is not there: a probe's command has to be in the container's image`;
  }
  if (/permission denied/.test(output)) return `${command} may not be run`;
  return /timed out/.test(output)
    ? `the command takes longer than the timeout of ${spec.timeoutSeconds} s`
    : undefined;
};

const grpcFailed: HintRule = ({ spec, output, attempt }) => {
  if (spec.grpc === undefined) return undefined;
  const { service = '' } = spec.grpc;
  if (/does not implement the grpc health protocol/.test(output)) {
    return 'the server speaks gRPC, but has no grpc.health.v1.Health service';
  }
  if (/NotFound|SERVICE_UNKNOWN/.test(output)) {
    return service === ''
      ? 'the health service knows no service without a name: set grpc.service'
      : `the health service does not know the service ${service}`;
  }
  if (/NOT_SERVING/.test(output)) return 'the server answers that it is not serving';
  return /failed to connect service/.test(output) && attempt.detail?.timings.connect !== undefined
    ? 'something listens there, but it speaks no plain gRPC: probes use neither TLS nor HTTP/1.1'
    : undefined;
};

/** Answers of the wrong protocol. */
const notHttp: HintRule = ({ spec, output, body }) => {
  if (/server gave HTTP response to HTTPS client/.test(output)) {
    return 'the port answers plain HTTP, the scheme is HTTPS';
  }
  if (spec.httpGet === undefined) return undefined;
  const isTlsAlert = /malformed HTTP response "\\x15\\x03/.test(output);
  const saysTls = /HTTP request (?:was sent )?to an? HTTPS (?:server|port)/i.test(body);
  if (spec.httpGet.scheme !== 'HTTPS' && (isTlsAlert || saysTls)) {
    return 'the port answers TLS, the scheme is HTTP: set scheme: HTTPS';
  }
  if (/malformed HTTP response "\\x00\\x00/.test(output)) {
    return 'the port answers HTTP/2 only; HTTP probes use HTTP/1.1';
  }
  return /malformed HTTP/.test(output)
    ? 'the port answers, but not in HTTP: is it the right one?'
    : undefined;
};

const redirected: HintRule = ({ attempt, response, output }) => {
  if (/stopped after \d+ redirects/.test(output)) return 'the path redirects in a circle';
  if (attempt.result !== 'warning') return undefined;
  const to = /^location: *(.+?)\r?$/im.exec(response)?.[1];
  return `redirected${to === undefined ? '' : ` to ${to}`}: the kubelet does not follow to another host, and counts it as a success`;
};

const httpStatus: HintRule = ({ spec, output, body }) => {
  const code = Number(/statuscode: (\d+)/.exec(output)?.[1]);
  switch (code) {
    case 401:
    case 403:
      return `the server wants credentials (${code}): a probe sends only those in httpHeaders`;
    case 404:
      return `the server answers, but has nothing at ${spec.httpGet?.path ?? '/'}: is the path right?`;
    case 405:
      return 'the server does not accept GET there';
    default:
      return Number.isNaN(code) ? undefined : bodyHint(body);
  }
};

/** Characters of a body that are shown. */
const MAX_QUOTE = 80;

/** The kubelet's event leaves out the body. */
function bodyHint(body: HintContext['body']): string | undefined {
  const first = body.trim().split('\n')[0]?.trim() ?? '';
  if (first === '' || first.startsWith('<')) return undefined;
  return `the answer says: ${first.length > MAX_QUOTE ? `${first.slice(0, MAX_QUOTE)}…` : first}`;
}

export const PROTOCOL_HINTS: readonly HintRule[] = [
  execExitCode,
  execFailed,
  grpcFailed,
  notHttp,
  redirected,
  httpStatus,
];
