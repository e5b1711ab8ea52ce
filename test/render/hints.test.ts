import { describe, expect, it } from 'vitest';

import type { Probe } from '../../src/api/index.js';
import { hintFor } from '../../src/render/hints.js';
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

/** The hint for a readiness probe's attempt. */
function hintOf(
  handler: Partial<Probe>,
  attempt: Partial<AttemptView>,
  output: readonly string[] = [],
): string | undefined {
  const readinessProbe = buildProbe({ timeoutSeconds: 1, ...handler });
  const pod = buildPod({ spec: { containers: [buildContainer({ readinessProbe })] } });
  const [container] = newPodSummary('default/web', pod, 0).containers;
  const [probe] = container!.probes;
  return hintFor(
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
      attempt: {
        output:
          'net/http: HTTP/1.x transport connection broken: malformed HTTP response "\\x15\\x03\\x01"',
      },
      hint: 'the port answers TLS, the scheme is HTTP',
    },
    {
      handler: HTTPS,
      attempt: { output: 'http: server gave HTTP response to HTTPS client' },
      hint: 'the port answers plain HTTP, the scheme is HTTPS',
    },
    {
      handler: HTTP,
      attempt: { output: 'HTTP probe failed with statuscode: 404' },
      hint: 'has nothing at /ready',
    },
    {
      handler: HTTP,
      attempt: { output: 'HTTP probe failed with statuscode: 401' },
      hint: 'the server wants credentials (401)',
    },
    {
      handler: HTTP,
      attempt: {
        output: 'HTTP probe failed with statuscode: 503',
        detail: detail({ body: 'no database\nmore' }),
      },
      hint: 'the answer says: no database',
    },
    {
      handler: HTTP,
      attempt: { output: 'dial tcp 127.0.0.1:8080: connect: connection refused' },
      hint: 'nothing listens on',
    },
    {
      handler: HTTP,
      attempt: { output: 'context deadline exceeded', detail: detail({ connect: 1 }) },
      hint: 'the server accepts the connection, but does not answer within the timeout of 1 s',
    },
    {
      handler: HTTP,
      attempt: {
        output: 'context deadline exceeded',
        detail: detail({ connect: 1, firstByte: 800 }),
      },
      hint: 'the answer began after 800 ms',
    },
    {
      handler: TCP,
      attempt: { output: 'dial tcp 10.0.0.1:5432: i/o timeout' },
      hint: 'the connection was not accepted',
    },
    {
      handler: HTTP,
      attempt: { output: 'Get "http://h/": EOF' },
      hint: 'closes it without an answer',
    },
    {
      handler: HTTP,
      attempt: { output: 'stopped after 10 redirects' },
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
      attempt: { detail: detail({ response: 'exit code 127' }) },
      hint: 'exit 127: check, or what it calls, is not in the image',
    },
    {
      handler: EXEC,
      attempt: { error: 'exec: "check": executable file not found in $PATH' },
      hint: 'check is not there',
    },
    {
      handler: EXEC,
      attempt: { output: 'command "check" timed out' },
      hint: 'longer than the timeout of 1 s',
    },
    {
      handler: GRPC,
      attempt: { output: 'service unhealthy (responded with "NOT_SERVING")' },
      hint: 'the server answers that it is not serving',
    },
    {
      handler: GRPC,
      attempt: {
        output:
          'error: this server does not implement the grpc health protocol (grpc.health.v1.Health)',
      },
      hint: 'has no grpc.health.v1.Health service',
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
  ])('names the port that the container tells of: %s', (text) => {
    const refused = { output: 'dial tcp 127.0.0.1:8080: connect: connection refused' };
    expect(hintOf(HTTP, refused, [text])).toMatch(/nothing listens on port 8080; .* port 9090:/);
  });

  it.each([
    'started at 10:11:12',
    'running on 2026-11-21',
    'took 9090 ms',
    'listening on :8080',
    'running 1.2.3:12345.6',
  ])('takes nothing else for a port: %s', (text) => {
    const refused = { output: 'dial tcp 127.0.0.1:8080: connect: connection refused' };
    expect(hintOf(HTTP, refused, [text])).toContain('not up yet, another port');
  });

  it('is not given for a success', () => {
    expect(hintOf(HTTP, { result: 'success' })).toBeUndefined();
  });

  it('is not given where nothing is known', () => {
    expect(hintOf(EXEC, { output: 'something' })).toBeUndefined();
  });
});
