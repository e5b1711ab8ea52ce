import { describe, expect, it } from 'vitest';

import type { Probe } from '../../src/api/index.js';
import { attemptFault } from '../../src/diagnosis/attempt-fault.js';
import { type Finding } from '../../src/diagnosis/fault.js';
import { findingText, firstChange } from '../../src/diagnosis/words.js';
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
function hintOf(...about: Parameters<typeof findingOf>): string | undefined {
  return findingText(findingOf(...about));
}

function findingOf(
  handler: Partial<Probe>,
  attempt: Partial<AttemptView>,
  output: readonly string[] = [],
): Finding | undefined {
  const { exec, ...spec } = buildProbe({ timeoutSeconds: 1 });
  const readinessProbe = { ...spec, ...handler };
  const pod = buildPod({ spec: { containers: [buildContainer({ readinessProbe })] } });
  const [container] = newPodSummary('default/web', pod, 0).containers;
  const [probe] = container!.probes;
  return attemptFault(
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
      hint: 'the path redirects in a circle',
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
      attempt: { exitCode: 127, output: 'sh: check: not found' },
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

  it.each(['listening on 9090', 'Debugger listening on ws://127.0.0.1:9229/x'])(
    'takes no port from a line of the log: %s',
    (text) => {
      const finding = findingOf(HTTP, { reason: 'refused' }, [text]);
      expect(finding?.changes).toEqual([]);
      expect(findingText(finding)).not.toMatch(/9090|9229/);
    },
  );

  it('is not given for a success', () => {
    expect(hintOf(HTTP, { result: 'success' })).toBeUndefined();
  });

  it('is not derived from the output of a command', () => {
    const output = 'curl: connection refused; permission denied; EOF; command timed out';
    expect(hintOf(EXEC, { output, exitCode: 7 })).toBeUndefined();
  });
});

describe('a change to a known value', () => {
  const slow = { reason: 'timeout', detail: detail({ connect: 1, firstByte: 900 }) } as const;
  it.each<[Partial<Probe>, Partial<AttemptView>, string]>([
    [HTTP, { reason: 'speaksTLS' }, 'set readinessProbe.httpGet.scheme to HTTPS'],
    [HTTPS, { reason: 'plainHTTP' }, 'set readinessProbe.httpGet.scheme to HTTP'],
    [HTTP, slow, 'raise readinessProbe.timeoutSeconds to 2'],
  ])('of %j after %j is a guess before it was tried', (handler, attempt, text) => {
    expect(firstChange(findingOf(handler, attempt)!)).toBe(`Perhaps ${text}`);
  });

  it('names no value where several would do', () => {
    const [change] = findingOf(HTTP, { statusCode: 404 })?.changes ?? [];
    expect(change?.kind).toBe('advice');
  });
});

it('a timeout while kprobe itself was late is no more than possible', () => {
  const onTime = findingOf(HTTP, { reason: 'timeout' });
  const late = findingOf(HTTP, { reason: 'timeout', late: 1800 });
  expect([onTime?.certainty, late?.certainty]).toEqual(['proven', 'possible']);
  expect(findingText(late)).toContain('kprobe itself was 1.8 s late');
});
