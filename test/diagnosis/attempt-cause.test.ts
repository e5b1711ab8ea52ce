import { describe, expect, it } from 'vitest';

import type { Probe } from '../../src/api/index.js';
import { attemptCause } from '../../src/diagnosis/attempt-cause.js';
import { type Cause, causeText } from '../../src/diagnosis/cause.js';
import type { OutputLine } from '../../src/trace/summary/container-view.js';
import { newPodSummary } from '../../src/trace/summary/fold.js';
import type { AttemptView } from '../../src/trace/summary/probe-view.js';
import { buildAttempt } from '../helpers/attempt.js';
import { buildContainer, buildPod, buildProbe } from '../helpers/builders.js';

const HTTP: Partial<Probe> = { httpGet: { path: '/ready', port: 8080 } };
const HTTPS: Partial<Probe> = { httpGet: { path: '/ready', port: 8443, scheme: 'HTTPS' } };
const EXEC: Partial<Probe> = { exec: { command: ['check'] } };
const GRPC: Partial<Probe> = { grpc: { port: 9000, service: 'shop' } };
const TCP: Partial<Probe> = { tcpSocket: { port: 5432 } };

/** The hint for an attempt of a readiness probe. */
function hintOf(...about: Parameters<typeof causeOf>): string | undefined {
  const cause = causeOf(...about);
  return cause && causeText(cause);
}

function causeOf(
  handler: Partial<Probe>,
  attempt: Partial<AttemptView>,
  output: readonly string[] = [],
): Cause | undefined {
  const { exec, ...spec } = buildProbe({ timeoutSeconds: 1 });
  const readinessProbe = { ...spec, ...handler };
  const pod = buildPod({ spec: { containers: [buildContainer({ readinessProbe })] } });
  const [container] = newPodSummary('default/web', pod, 0).containers;
  const [probe] = container!.probes;
  return attemptCause(
    { container: { ...container!, output: output.map(writtenInRun0) }, probe: probe! },
    buildAttempt({ result: 'failure', ...attempt }),
  );
}

function writtenInRun0(text: string): OutputLine {
  return { t: 0, run: 0, stream: 'stdout', text };
}

function detail(part: { body?: string; response?: string; connect?: number; firstByte?: number }) {
  const { body, response, ...timings } = part;
  return {
    address: '127.0.0.1:8080',
    timings: { total: 1000, ...timings },
    ...(body === undefined ? {} : { body: new TextEncoder().encode(body) }),
    ...(response === undefined ? {} : { response }),
  };
}

describe('a hint', () => {
  it.each<{ handler: Partial<Probe>; attempt: Partial<AttemptView>; hint: string }>([
    {
      handler: HTTP,
      attempt: { reason: 'speaksTLS' },
      hint: 'the port answers TLS, the scheme is HTTP',
    },
    {
      handler: HTTPS,
      attempt: { reason: 'plainHTTP' },
      hint: 'the port answers plain HTTP, the scheme is HTTPS',
    },
    {
      handler: HTTP,
      attempt: { statusCode: 404 },
      hint: 'has nothing at /ready',
    },
    {
      handler: HTTP,
      attempt: { statusCode: 401 },
      hint: 'the server wants credentials (401)',
    },
    {
      handler: HTTP,
      attempt: {
        statusCode: 503,
        detail: detail({ body: 'no database\nmore' }),
      },
      hint: 'the answer says: no database',
    },
    {
      handler: HTTP,
      attempt: { reason: 'refused' },
      hint: 'nothing listens on',
    },
    {
      handler: HTTP,
      attempt: { reason: 'timeout', detail: detail({ connect: 1 }) },
      hint: 'the server accepts the connection, but does not answer within the timeout of 1 s',
    },
    {
      handler: HTTP,
      attempt: {
        reason: 'timeout',
        detail: detail({ connect: 1, firstByte: 800 }),
      },
      hint: 'the answer began after 800 ms',
    },
    {
      handler: TCP,
      attempt: { reason: 'timeout' },
      hint: 'the connection was not accepted',
    },
    {
      handler: HTTP,
      attempt: { reason: 'closed' },
      hint: 'closes it without an answer',
    },
    {
      handler: HTTP,
      attempt: { reason: 'redirects' },
      hint: 'redirects in a circle',
    },
    {
      handler: HTTP,
      attempt: {
        result: 'warning',
        detail: detail({ response: 'HTTP/1.1 302 Found\r\nLocation: http://other/\r\n' }),
      },
      hint: 'redirected to http://other/',
    },
    {
      handler: EXEC,
      attempt: { exitCode: 127 },
      hint: 'exit 127: check, or what it calls, is not in the image',
    },
    {
      handler: EXEC,
      attempt: { error: 'exec failed', reason: 'notFound' },
      hint: 'check is not there',
    },
    {
      handler: EXEC,
      attempt: { reason: 'timeout' },
      hint: 'longer than the timeout of 1 s',
    },
    {
      handler: GRPC,
      attempt: { reason: 'notServing' },
      hint: 'the server answers that it is not serving',
    },
    {
      handler: GRPC,
      attempt: { reason: 'unimplemented' },
      hint: 'has no grpc.health.v1.Health service',
    },
    {
      handler: GRPC,
      attempt: { reason: 'unknownService' },
      hint: 'the health service does not know the service shop',
    },
    { handler: GRPC, attempt: { reason: 'notConnected' }, hint: 'nothing listens on' },
    {
      handler: GRPC,
      attempt: { reason: 'notConnected', detail: detail({ connect: 1 }) },
      hint: 'it speaks no plain gRPC',
    },
    {
      handler: { httpGet: { port: 'web' } },
      attempt: { error: 'strconv.Atoi: parsing "web": invalid syntax' },
      hint: 'no port of the container is named web',
    },
  ])('says "$hint"', ({ handler, attempt, hint }) => {
    expect(hintOf(handler, attempt)).toContain(hint);
  });

  it.each([
    'listening on 9090',
    'Listening on http://0.0.0.0:9090/',
    '{"level":"info","msg":"server started","port":9090}',
    'Tomcat started on port(s): 9090 (http)',
    '2026/11/21 10:11:12 Serving HTTP on 0.0.0.0 port 9090 ...',
  ])('names the port that the container logs: %s', (text) => {
    expect(hintOf(HTTP, { reason: 'refused' }, [text])).toMatch(
      /nothing listens on port 8080; .* port 9090\. Set readinessProbe\.httpGet\.port to 9090$/,
    );
  });

  it.each([
    'started at 10:11:12',
    'running on 2026-11-21',
    'took 9090 ms',
    'listening on :8080',
    'running 1.2.3:12345.6',
  ])('takes no other number for a port: %s', (text) => {
    expect(hintOf(HTTP, { reason: 'refused' }, [text])).toContain('not up yet, another port');
  });

  it('is not given for a success', () => {
    expect(hintOf(HTTP, { result: 'success' })).toBeUndefined();
  });

  it('is not given when the cause is unknown', () => {
    expect(hintOf(EXEC, { output: 'something' })).toBeUndefined();
  });

  it('is not derived from the output of a command', () => {
    const output = 'curl: connection refused; permission denied; EOF; command timed out';
    expect(hintOf(EXEC, { output, exitCode: 7 })).toBeUndefined();
  });
});

describe('a change to a known value', () => {
  const slow = { reason: 'timeout', detail: detail({ connect: 1, firstByte: 900 }) } as const;
  const printed = ['listening on http://0.0.0.0:3000'];
  it.each<[Partial<Probe>, Partial<AttemptView>, string, number | string, string[]]>([
    [HTTP, { reason: 'speaksTLS' }, 'httpGet.scheme', 'HTTPS', []],
    [HTTPS, { reason: 'plainHTTP' }, 'httpGet.scheme', 'HTTP', []],
    [HTTP, slow, 'timeoutSeconds', 2, []],
    [HTTP, { reason: 'refused' }, 'httpGet.port', 3000, printed],
    [{ tcpSocket: { port: 'db' } }, { error: 'no' }, 'tcpSocket.port', 3000, printed],
  ])('of %j after %j names %s and the value', (handler, attempt, field, value, output) => {
    const cause = causeOf(handler, attempt, output);
    expect(cause?.setting).toEqual({ field: `readinessProbe.${field}`, value });
    expect(cause?.change).toContain(` readinessProbe.${field} to ${value}`);
  });

  it('is no setting where several would do', () => {
    expect(causeOf(HTTP, { statusCode: 404 })?.setting).toBeUndefined();
  });
});
