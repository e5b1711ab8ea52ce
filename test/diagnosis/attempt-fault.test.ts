import { describe, expect, it } from 'vitest';

import type { Probe } from '../../src/api/index.js';
import { attemptFault } from '../../src/diagnosis/attempt-fault.js';
import { type Finding } from '../../src/diagnosis/fault.js';
import { changeText, faultText, findingText, firstChange } from '../../src/diagnosis/words.js';
import type { ListeningView, OutputLine } from '../../src/trace/summary/container-view.js';
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
  seen?: Partial<ListeningView>,
): Finding | undefined {
  const { exec, ...spec } = buildProbe({ timeoutSeconds: 1 });
  const readinessProbe = { ...spec, ...handler };
  const pod = buildPod({ spec: { containers: [buildContainer({ readinessProbe })] } });
  const [container] = newPodSummary('default/web', pod, 0).containers;
  const [probe] = container!.probes;
  const facts = { t: 0, started: true, sockets: [], processes: [] };
  const runs =
    seen === undefined ? [] : [{ run: 0, startedAt: 0, listening: { ...facts, ...seen } }];
  return attemptFault(
    { container: { ...container!, runs, output: output.map(writtenInRun0) }, probe: probe! },
    buildAttempt({ result: 'failure', ...attempt }),
  );
}

it.each([
  ['timeout', 0.8, `${throttledIn(80)}. Raise resources.limits.cpu, or let it need less`],
  ['timeout', 0.2, throttledIn(20)],
  ['timeout', 0.05, ''],
  ['refused', 0.8, `${throttledIn(80)}. Raise resources.limits.cpu, or let it need less`],
  ['refused', 0.2, ''],
] as const)('names a limit on CPU after a %s: %s', (reason, throttled, text) => {
  const limited = 'its CPU limit';
  const hint = hintOf(HTTP, { reason }, [], { throttled }) ?? '';
  expect(hint.includes(limited) ? hint.slice(hint.indexOf(`; ${limited}`)) : '').toBe(text);
});

const SILENT = { address: '10.0.0.5', port: 5432 };
const ASKED = { address: '10.0.0.6', port: 6379, isAsked: true } as const;
const TIMEOUT = { reason: 'timeout', detail: detail({ connect: 1 }) } as const;
const AT_30 = { startedAt: 0, endedAt: 30 };
const LATE = { reason: 'refused', ...AT_30 } as const;
const ANSWERS = 'Find what it waits for, perhaps an answer of 10.0.0.5:5432: see';
const ACCEPTS = 'See why nothing accepts or refuses connections to 10.0.0.6:6379';

it.each([
  ['a timeout', TIMEOUT, { peers: [SILENT] }, [], ANSWERS],
  ['a timeout', TIMEOUT, { peers: [SILENT, ASKED] }, [], ACCEPTS],
  ['a timeout of a busy process', TIMEOUT, { peers: [SILENT], state: 'busy' }, [], undefined],
  [
    'a timeout with an error',
    { ...TIMEOUT, ...AT_30 },
    { peers: [SILENT] },
    ['ERROR: no heap'],
    undefined,
  ],
  ['a refusal of a program that waits', LATE, { peers: [SILENT] }, [], ANSWERS],
  ['an early refusal', { reason: 'refused', endedAt: 1 }, { peers: [SILENT] }, [], undefined],
  ['an early refusal', { reason: 'refused', endedAt: 1 }, { peers: [ASKED] }, [], ACCEPTS],
  ['a refusal at another port', LATE, { peers: [ASKED], sockets: [SILENT] }, [], ACCEPTS],
  ['a refusal at another port', LATE, { peers: [SILENT], sockets: [SILENT] }, [], undefined],
] as const)('after %s (%j), with %j and the lines %j: %s', (_, attempt, seen, lines, change) => {
  const { evidence = [], ...finding } = findingOf(HTTP, attempt, lines, seen) ?? {};
  const isShown = evidence.some(({ kind }) => kind === 'peers');
  expect(isShown).toBe(change !== undefined);
  if (change !== undefined)
    expect(firstChange({ evidence, ...finding } as Finding)).toContain(change);
});

function throttledIn(percent: number): string {
  return `; its CPU limit throttled it in ${percent} % of the periods in which it ran`;
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

it.each([
  [503, 'warn Envoy proxy is NOT ready: config not received', /program reports: .*NOT ready/],
  [503, 'GET /ready 503 not ready', /^(?!.*program reports)/],
  [404, 'cache is not ready', /^(?!.*program reports)/],
])('a silent %i beside the line %j is: %s', (statusCode, line, text) => {
  expect(hintOf(HTTP, { statusCode, startedAt: 0, endedAt: 1 }, [line]) ?? '').toMatch(text);
});

describe('a hint', () => {
  it.each([
    [400, '{"error":"missing query parameter: token"}', '?token=…'],
    [400, 'Missing required header: X-Api-Version', 'the header X-Api-Version'],
    [400, "Required request parameter 'tenant' for method parameter is not present", '?tenant=…'],
    [422, '{"detail":[{"type":"missing","loc":["query","q"],"msg":"Field required"}]}', '?q=…'],
    [422, '{"detail":[{"loc":["header","x-a"],"msg":"field required"}]}', 'the header x-a'],
    [400, 'A required parameter is missing', 'Fix what the answer names'],
    [503, 'Missing required header: X-Api-Version', 'Fix what the answer names'],
  ])('of an answer with %i and %s has the change: %s', (statusCode, body, change) => {
    const finding = findingOf(HTTP, { statusCode, detail: detail({ body }) });
    expect(finding?.fault.kind).toBe('errorAnswer');
    expect(firstChange(finding!)).toContain(change);
  });

  it.each([
    [401, '{"message":"Missing required header: X-Token"}', 'the header X-Token'],
    [401, '{"error":"API key required in header X-Api-Key"}', 'the header X-Api-Key'],
    [
      401,
      '{"message":"No API key found in request"}',
      'let the path be one that needs no credentials',
    ],
    [403, 'Missing required header: X-Token', 'the header X-Token'],
    [429, 'Too many requests, retry later', 'out of the limit'],
    [
      429,
      '{"initialized":true,"sealed":false,"standby":true}',
      'Correct readinessProbe.httpGet.path',
    ],
    [
      500,
      '[-]oidc failed: Get "https://auth": x509: certificate signed by unknown authority',
      'the CA',
    ],
    [503, '{"error":"connect ECONNREFUSED 10.0.0.5:6379"}', 'Start what it connects to'],
  ])('of an answer with %i and %s follows what it says: %s', (statusCode, body, change) => {
    const finding = findingOf(HTTP, { statusCode, detail: detail({ body }) });
    expect(firstChange(finding!)).toContain(change);
  });

  const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n';
  const RUNC =
    'OCI runtime exec failed: exec failed: exec: "sh": executable file not found in $PATH';
  const SHELL = { exec: { command: ['sh', '-c', 'wget -qO- localhost'] } };
  const SCRIPT = { exec: { command: ['./health.sh'] } };
  const NO_INTERPRETER =
    'exec failed: unable to start container process: fork/exec ./health.sh: no such file or directory: unknown';
  const CURL = `curl: (60) SSL certificate problem: self-signed certificate
More details here: https://curl.se/docs/sslcerts.html

curl failed to verify the legitimacy of the server and therefore could not
establish a secure connection to it.`;
  const inShell = (line: string) => ({ exec: { command: ['sh', '-c', line] } });
  const exited = (exitCode: number, output: string) =>
    ({ result: 'failure', exitCode, output }) as const;
  const NGINX =
    '2026/11/28 11:44:30 [error] 7#7: *1 directory index of "/srv/" is forbidden, client: 127.0.0.1';
  const PANIC =
    `2026/11/28 11:44:30 http: panic serving 127.0.0.1:5: runtime error: invalid memory address
goroutine 20 [running]:
\t/usr/local/go/src/net/http/server.go:1947 +0xb0
\t/app/main.go:34 +0x2e`.split('\n');
  const STACK = `unhandledRejection TypeError: no pool
    at node:internal/process/task_queues:95:5
    at Server.<anonymous> (/app/app.js:3:59)`.split('\n');

  it.each<[Partial<Probe>, Partial<AttemptView>, readonly string[], string]>([
    [SHELL, { reason: 'notFound', error: RUNC }, [], 'add sh to the image'],
    [SHELL, { reason: 'notFound', error: 'no such file' }, [], 'add sh to the image'],
    [SCRIPT, { reason: 'notFound', error: NO_INTERPRETER }, [], 'add its interpreter'],
    [
      SHELL,
      { error: 'Container f2bc is paused, unpause the container before exec' },
      [],
      'Unpause',
    ],
    [SCRIPT, exited(127, "env: 'sh\\r': No such file or directory"), [], 'line ends of Unix'],
    [inShell('[ $a == b ]'), exited(2, 'sh: 1: [: ready: unexpected operator'), [], 'with bash'],
    [inShell('echo ${a/b/c}'), exited(2, 'sh: 1: Bad substitution'), [], 'with bash'],
    [
      SCRIPT,
      exited(2, `${'/a-long-folder'.repeat(9)}/check.sh: 3: [: ok: unexpected operator`),
      [],
      'Write = in place of ==',
    ],
    [inShell('ls $(A_DIR)'), exited(2, 'sh: 1: A_DIR: not found\n'), [], 'write $A_DIR, which'],
    [inShell('curl https://x'), exited(60, CURL), [], 'the CA of its peer'],
    [HTTP, { statusCode: 403 }, [NGINX], 'Correct readinessProbe.httpGet.path'],
    [HTTP, { statusCode: 403 }, [], 'Let the server answer readinessProbe without credentials'],
    [HTTP, { statusCode: 405 }, [], 'Correct readinessProbe.httpGet.path'],
    [HTTP, { statusCode: 426 }, [], 'or use tcpSocket'],
    [
      HTTP,
      { statusCode: 426, detail: detail({ response: 'HTTP/1.1 426 X\r\nUpgrade: TLS/1.2\r\n' }) },
      [],
      'Correct readinessProbe.httpGet.scheme',
    ],
    [inShell('test "$(curl -s x)" = 200'), exited(1, ''), [], 'Run curl -s x in the container'],
    [HTTP, { reason: 'notHTTP', output: 'malformed HTTP response "x"' }, [], 'or use tcpSocket'],
    [
      HTTP,
      { reason: 'badHTTP', error: 'invalid byte in chunk length' },
      [],
      'Correct the response',
    ],
    [
      HTTP,
      { reason: 'closed', detail: detail({ response: ANSWER, body: 'ok' }) },
      [],
      "Correct the server's Content-Length: 2 of 100 bytes came",
    ],
    [HTTP, { reason: 'closed' }, PANIC, 'the program at main.go:34'],
    [HTTP, { reason: 'timeout', detail: detail({ connect: 1 }) }, STACK, 'the program at app.js:3'],
  ])('of %j, %j and the output %j has the change: %s', (handler, attempt, output, change) => {
    const times = { startedAt: 0, endedAt: 1 };
    expect(firstChange(findingOf(handler, { ...times, ...attempt }, output)!)).toContain(change);
  });

  it.each<[Partial<Probe>, Partial<AttemptView>]>([
    [EXEC, { exitCode: 137 }],
    [HTTP, { reason: 'closed' }],
  ])('names a process that the system has killed for memory: %j', (handler, attempt) => {
    const finding = findingOf(handler, attempt, [], { oomKills: 1 });
    expect(finding).toMatchObject({ certainty: 'likely' });
    expect(findingText(finding)).toContain('the system has killed 1 process');
    expect(firstChange(finding!)).toContain('use less memory');
  });

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
      handler: { exec: { command: ['sh', '-c', '[[ -f /ready ]]'] } },
      attempt: { exitCode: 127, output: 'sh: 1: [[: not found' },
      hint: 'sh does not know [[, which is a word of bash',
    },
    {
      handler: { exec: { command: ['sh', '-c', 'wget -qO- http://:80 >/dev/null > 2&1'] } },
      attempt: { exitCode: 127, output: 'sh: 1: not found' },
      hint: 'its shell reads 2&1 as the end of a command, and a command 1. Write 2>&1 in place of 2&1 in',
    },
    {
      handler: EXEC,
      attempt: { exitCode: 127, output: 'sh: check: not found' },
      hint: "check is not there: a probe's command has to be in the container's image",
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
      handler: HTTP,
      attempt: {
        ...{ error: 'timeout', reason: 'timeout' },
        detail: { ...detail({ firstByte: 1 }), response: 'HTTP/1.1 200 OK\r\nServer: x\r\n\r\n' },
      },
      hint: 'it has no Content-Length, so that it lasts as long as its connection. Let the server close',
    },
    {
      handler: GRPC,
      attempt: { reason: 'notConnected', detail: detail({ connect: 1 }) },
      hint: 'it speaks no plain gRPC',
    },
    {
      handler: GRPC,
      attempt: { reason: 'timeout', detail: detail({ connect: 1 }) },
      hint: 'the server accepts the connection, but does not answer within the timeout of 1 s',
    },
    {
      handler: GRPC,
      attempt: { reason: 'timeout', detail: { ...detail({ firstByte: 1 }), response: 'SERVING' } },
      hint: 'and did not end within the timeout of 1 s. ',
    },
    {
      handler: GRPC,
      attempt: { reason: 'closed', detail: { ...detail({ connect: 1 }), response: 'Unavailable' } },
      hint: 'the server accepts the connection, and closes it without an answer',
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

it('a connection that is reset shows no wrong Content-Length', () => {
  const finding = findingOf(HTTP, {
    reason: 'reset',
    detail: detail({ response: 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n', body: 'ok' }),
  });
  expect(finding?.changes).toEqual([]);
});

it('a timeout while kprobe itself was late is no more than possible', () => {
  const onTime = findingOf(HTTP, { reason: 'timeout' });
  const late = findingOf(HTTP, { reason: 'timeout', late: 1800 });
  expect([onTime?.certainty, late?.certainty]).toEqual(['proven', 'possible']);
  expect(findingText(late)).toContain('kprobe itself was 1.8 s late');
});

describe('a command that fails without a word', () => {
  it.each<[readonly string[], number, string]>([
    [['curl', '-fs', 'http://localhost:8080/'], 7, 'curl could not connect'],
    [['/usr/bin/curl', '-fs', 'http://localhost:8080/'], 22, 'the server answered curl with'],
    [['sh', '-c', 'curl -fs http://localhost:8080/'], 28, 'curl ran into its own timeout'],
    [['wget', '-q', 'http://localhost:8080/'], 8, 'the server answered wget with'],
    [['pg_isready', '-U', 'app'], 1, 'the server rejects connections, as it does while it starts'],
    [['grpc_health_probe', '-addr=:9000'], 4, 'the server answers that it is not serving'],
    [['pgrep', 'nginx'], 1, 'no process matches'],
    [['sh', '-c', 'shopctl state | jq -e .up'], 1, 'what shopctl state writes does not meet'],
    [['test', '-f', '/tmp/ready'], 1, '/tmp/ready is no file, or does not exist'],
    [['[', '-s', '/tmp/pid', ']'], 1, '/tmp/pid is empty, or does not exist'],
    [['sh', '-c', 'test -e /tmp/ready'], 1, '/tmp/ready does not exist'],
  ])('%j is explained by its exit code %i', (command, exitCode, text) => {
    const finding = findingOf({ exec: { command } }, { exitCode, output: '' })!;
    expect(faultText(finding)).toContain(text);
  });

  it.each<[readonly string[], number]>([
    [['sh', '-c', 'curl -fs http://localhost:8080/ || exit 1'], 1],
    [['sh', '-c', 'test -f "$READY_FILE"'], 1],
    [['test', '1', '-gt', '2'], 1],
    [['check'], 1],
  ])('%j is not explained by its exit code %i', (command, exitCode) => {
    const { fault } = findingOf({ exec: { command } }, { exitCode, output: '' })!;
    expect(fault).toEqual({ kind: 'commandFailed', text: '' });
  });
});

it.each<[readonly string[], string, number]>([
  [
    ['wget', '-qO-', 'http://127.0.0.1:9000/'],
    "wget: can't connect to remote host (127.0.0.1): Connection refused",
    9000,
  ],
  [['redis-cli', 'ping'], 'Could not connect to Redis at 127.0.0.1:6379: Connection refused', 6379],
  [
    ['mysqladmin', '-h127.0.0.1', '--port=3307', 'ping'],
    "Can't connect to MySQL server on '127.0.0.1:3307' (111)",
    3307,
  ],
  [
    ['grpc_health_probe', '-addr=localhost:9001'],
    'timeout: failed to connect service "localhost:9001" within 1s',
    9001,
  ],
  [
    ['python3', 'health.py'],
    'ConnectionRefusedError: [Errno 111] Connection refused: http://localhost:9002/',
    9002,
  ],
  [['nc', '-z', '127.0.0.1', '9003'], '', 9003],
])('%j asks a port at which the program does not listen', (command, output, port) => {
  const sockets = [{ address: '0.0.0.0', port: 8080 }];
  const attempt = { run: 0, exitCode: 1, output };
  const finding = findingOf({ exec: { command } }, attempt, [], { sockets })!;
  expect(finding.fault).toEqual({ kind: 'wrongPort', port, listens: sockets });
});

describe('a command that is refused at a port where the program listens', () => {
  const URL = 'http://localhost:8080/';
  const REFUSED = "wget: can't connect to remote host: Connection refused";
  const hint = (url: string, addresses: readonly string[], output = REFUSED, startedAt = 2) => {
    const sockets = addresses.map((address) => ({ address, port: 8080 }));
    const attempt = { run: 0, exitCode: 1, output, startedAt, endedAt: startedAt };
    const spec = { exec: { command: ['wget', '-qO-', url] } };
    return firstChange(findingOf(spec, attempt, [], { sockets, t: 1 })!);
  };

  it.each([
    [URL, ['0.0.0.0'], '127.0.0.1'],
    [URL, ['127.0.0.1'], '127.0.0.1'],
    ['http://[::1]:8080/', ['0.0.0.0'], '127.0.0.1'],
    [URL, ['::1'], '::1'],
    ['http://127.0.0.1:8080/', ['::1'], '::1'],
  ])('and dials %s, while that listens on %j, is told to dial %s', (url, addresses, host) => {
    const field = 'readinessProbe.exec.command';
    expect(hint(url, addresses)).toBe(`Name ${host} in ${field}, where the program listens`);
  });

  it.each<Parameters<typeof hint>>([
    ['http://127.0.0.1:8080/', ['0.0.0.0']],
    [URL, ['::']],
    [URL, ['0.0.0.0', '::1']],
    [URL, ['10.1.0.5']],
    [URL, ['0.0.0.0'], 'wget: server returned error: HTTP/1.1 503 Service Unavailable'],
    // It may have begun to listen since.
    [URL, ['0.0.0.0'], REFUSED, 1],
  ])('and dials %s, while that listens on %j, and writes %s, is not', (...input) => {
    expect(hint(...input)).not.toMatch(/^Name /);
  });
});

describe('a command that needs a shell', () => {
  it.each<[readonly string[], string]>([
    [['sh', '-c', 'test', '-f', '/tmp/ready'], 'sh -c runs test alone'],
    [['/bin/bash', '-ec', 'pg_isready', '-U', 'app'], 'sh -c runs pg_isready alone'],
    [['curl', 'http://localhost:$PORT/'], 'http://localhost:$PORT/ stays as it is'],
    [['pg_isready', '-U', '${POSTGRES_USER}'], '${POSTGRES_USER} stays as it is'],
    [['cat', '~/ready'], '~/ready stays as it is'],
    [['wget', '-qO-', 'http://127.0.0.1/', '|', 'grep', 'ok'], '| stays as it is'],
    [['test', '-f', '/tmp/a', '&&', 'cat', '/tmp/b'], '&& stays as it is'],
  ])('%j is told so', (command, text) => {
    expect(hintOf({ exec: { command } }, { exitCode: 1 })).toContain(text);
  });

  it.each([
    [['sh', '-c', 'test -f "$0"', '/tmp/ready']],
    [['sh', '-c', '$1 -V', 'sh', 'redis-cli']],
    [['awk', '$1 > 2', '/tmp/load']],
    [['pg_isready', '-U', '$(POSTGRES_USER)']],
    [['grep', '-q', 'ready$', '/tmp/state']],
    [['find', '/tmp', '-exec', 'test', '-f', '{}', ';']],
    [['expr', '1', '>', '2']],
  ])('%j is not', (command) => {
    expect(findingOf({ exec: { command } }, { exitCode: 1 })?.fault.kind).toBe('commandFailed');
  });
});

it.each([
  ["cat: can't open '/run/ready': Permission denied", 5, 'Give its user access:'],
  ["cat: can't open '/run/ready': No such file or directory", 40, 'Fix what the command checks'],
  ["cat: can't open '/run/ready': No such file or directory", 5, ''],
  ["cat: can't open '/run/ready': Input/output error", 5, 'Fix what the command checks'],
  ['127.0.0.1:5432 - no response', 5, ''],
  ['127.0.0.1:5432 - no response', 40, 'Fix what the command checks'],
])(
  'a command that writes "%s" %i s after the start has the advice: %s',
  (output, endedAt, advice) => {
    const finding = findingOf(EXEC, { exitCode: 1, output, startedAt: endedAt, endedAt })!;
    const change = firstChange(finding) ?? '';
    expect(change.slice(0, advice.length)).toBe(advice);
    expect(change === '').toBe(advice === '');
  },
);

it('a socket that a command does not find is not awaited where the program listens already', () => {
  const output =
    'psql: error: connection to server on socket "/run/s" failed: No such file or directory';
  const attempt = { exitCode: 2, output, startedAt: 5, endedAt: 5 };
  const sockets = [{ address: '0.0.0.0', port: 5432 }];
  expect(findingOf(EXEC, attempt)?.changes).toEqual([]);
  const finding = findingOf(EXEC, attempt, [], { sockets })!;
  expect(firstChange(finding)).toContain('Fix what the command checks');
});

it.each([
  [
    5,
    'Start what it connects to, or correct the address that it reads, unless that is still starting',
  ],
  [40, 'Start what it connects to, or correct the address that it reads'],
])('a peer that refuses a program %i s after its start has the advice: %s', (endedAt, advice) => {
  const attempt = { reason: 'refused', startedAt: endedAt, endedAt } as const;
  const finding = findingOf(HTTP, attempt, ['Error: connect ECONNREFUSED 10.0.0.7:5432'], {})!;
  expect(firstChange(finding)).toBe(advice);
});

it('a command that takes too long has the error that its program reports', () => {
  const line = '[ERROR/MainProcess] consumer: Cannot connect to redis: Connection refused';
  const attempt = { reason: 'timeout', startedAt: 0, endedAt: 60 } as const;
  const finding = findingOf(EXEC, attempt, [line])!;
  expect(finding.fault.kind).toBe('commandSlow');
  expect(firstChange(finding)).toContain('Start what it connects to');
});

it.each<[string, Partial<Probe>, string]>([
  ['path', { httpGet: { path: '/$(BASE)/ready', port: 8080 } }, '$(BASE)'],
  [
    'httpHeaders',
    {
      httpGet: { path: '/', port: 80, httpHeaders: [{ name: 'X-Key', value: 'Bearer ${KEY}' }] },
    },
    '${KEY}',
  ],
])('a variable in %s is sent as it is', (field, handler, word) => {
  const finding = findingOf(handler, { statusCode: 404 })!;
  expect(finding.fault).toEqual({ kind: 'notExpanded', words: [word], isField: true });
  expect(findingText(finding)).toContain('the kubelet replaces no variables there');
  expect(firstChange(finding)).toBe(`Correct readinessProbe.httpGet.${field}`);
});

it('a redirect to a path that is not there is the fault, and not the probed path', () => {
  const response = 'HTTP/1.1 302 Found\r\nLocation: /login\r\n\r\nHTTP/1.1 404 Not Found\r\n';
  const finding = findingOf(HTTP, { statusCode: 404, detail: detail({ response }) })!;
  expect(finding.fault).toEqual({ kind: 'redirect', to: '/login', end: 'notFound' });
});

it('allows for a slow start where a startup probe runs the command', () => {
  const advice = { do: 'fixCheck', field: 'startupProbe.exec.command' } as const;
  expect(changeText({ kind: 'advice', advice })).toBe(
    'Fix what the command checks, or correct startupProbe.exec.command, unless it only needs longer to start',
  );
});

it.each([
  [5, '', ', unless it only needs longer to start'],
  [31, '', ''],
  [5, 'no license', ''],
])(
  'a command that fails %i s after a start and writes %j has its advice with the hint %j',
  (seconds, output, hint) => {
    const spec = { exec: { command: ['sh', '-c', 'check'] } };
    const attempt = { output, exitCode: 1, startedAt: seconds, endedAt: seconds };
    const advice = 'Fix what the command checks, or correct readinessProbe.exec.command';
    expect(firstChange(findingOf(spec, attempt)!)).toBe(advice + hint);
  },
);

it('does not take the error of a program about an operator for one of its own', () => {
  const command = ['wget', '-qO-', 'http://127.0.0.1/', '|', 'grep', 'ok'];
  const finding = findingOf({ exec: { command } }, { output: "wget: bad address '|'" })!;
  expect(firstChange(finding)).toBe('Run the line of readinessProbe.exec.command with sh -c');
});

describe('what the program wrote', () => {
  const traceback = [
    'Traceback (most recent call last):',
    '  File "/app/app.py", line 7, in <module>',
    "ModuleNotFoundError: No module named 'redis'",
  ];
  const refused = { reason: 'refused', run: 0 } as const;

  it('is named where nothing listens, with the place of its error', () => {
    const finding = findingOf(HTTP, refused, traceback)!;
    expect(findingText(finding)).toContain('the program reports: ModuleNotFoundError: No module');
    expect(firstChange(finding)).toBe(
      'Add the module or library to the image, or correct its name',
    );
  });

  it('is named where it repeats', () => {
    const lines = Array<string>(4).fill('waiting for db:5432 ...');
    expect(hintOf(HTTP, refused, ['starting', ...lines])).toContain(
      'the program has written 4 times: waiting for db:5432 ...',
    );
  });

  it('is the error that repeats, and not what a library asks after it', () => {
    const error = 'waiting for database: connection refused';
    const lines = [1, 2, 3].flatMap(() => [error, '\tIs the server running on that host?']);
    expect(hintOf(HTTP, refused, lines)).toContain(`the program has written 3 times: ${error}`);
  });

  it('is left out where the program goes on without what it lacked', () => {
    for (const lines of [
      [...traceback, 'falling back to memory'],
      [
        'ERROR:root:no cache, going on without it',
        ...traceback,
        '',
        ...traceback,
        'INFO:root:loading',
      ],
    ]) {
      expect(findingOf(HTTP, refused, lines)).toMatchObject({ changes: [], evidence: [] });
    }
  });

  it('is left out where it is an ordinary line', () => {
    expect(hintOf(HTTP, refused, ['starting', 'loading models'])).not.toContain('written');
  });
});

it.each([
  ['/actuator/health/readiness', true],
  ['/shop/actuator/health/liveness', true],
  ['/actuator/health', false],
  ['/health/readiness', false],
])('%s, which is not found, has advice for Spring Boot: %s', (path, isOfSpring) => {
  const finding = findingOf({ httpGet: { path, port: 8080 } }, { statusCode: 404 })!;
  expect(firstChange(finding)!.includes('Spring Boot')).toBe(isOfSpring);
});

it.each([
  ['authentication failed', 'pq: password authentication failed for user \\"shop\\"', true],
  ['a missing database', 'database \\"shop\\" does not exist', true],
  ['a denied access', 'AccessDenied: access denied', true],
  ['a count', '3 of 3', false],
])('a check whose text is %s is a part that is down: %s', (_, text, isDown) => {
  const body = `{"status":"unhealthy","checks":{"cache":"ok","db":"${text}"}}`;
  const { fault } = findingOf(HTTP, { statusCode: 503, detail: detail({ body }) })!;
  expect('parts' in fault ? fault.parts : []).toEqual(isDown ? ['db'] : []);
});

it("does not repeat the page of Python's server that says no more than its status", () => {
  const body =
    '<html><head><title>Error response</title></head><body><h1>Error response</h1><p>Error code: 404</p><p>Message: File not found.</p></body></html>';
  const attempt = { statusCode: 404, detail: detail({ body }) };
  expect(hintOf({ httpGet: { path: '/', port: 8080 } }, attempt)).toBe(
    'the server answers, but has nothing at /. Correct readinessProbe.httpGet.path, or what the server answers',
  );
});

it('a text of the answer is named beside its status', () => {
  const body = 'no such site: 127.0.0.1:8080';
  const finding = findingOf(HTTP, { statusCode: 404, detail: detail({ body }) })!;
  expect(findingText(finding)).toContain(`nothing at /ready (${body})`);
  expect(firstChange(finding)).toBe(
    'Correct readinessProbe.httpGet.path or readinessProbe.httpGet.httpHeaders',
  );
});

it.each<[string, number, string, string | undefined]>([
  ['/healthz', 500, '', 'Let the program log its errors: it wrote none with this answer'],
  ['/healthz', 503, 'no workers', 'Fix what the answer names; no field of the probe is wrong'],
  [
    '/healthz?green',
    503,
    'no workers',
    'Fix what the answer names, or correct readinessProbe.httpGet.path',
  ],
  [
    '/healthz',
    408,
    'no workers',
    'Fix what the answer names, or correct readinessProbe.httpGet.path',
  ],
  ['/healthz', 503, 'warming up', undefined],
])('an answer at %s with %i and "%s" has the advice: %s', (path, statusCode, body, advice) => {
  const answer = { statusCode, endedAt: 5, detail: detail({ body }) };
  const finding = findingOf({ httpGet: { path, port: 80 } }, answer, [], {});
  expect(firstChange(finding!)).toBe(advice);
});

it.each([
  ['curl: (22) The requested URL returned error: 404', 'Correct the path of the URL in'],
  ['curl: (35) error:0A00010B:SSL routines::wrong version number', 'Correct https:// in'],
  ['  File "<string>", line 1\nSyntaxError: invalid syntax', 'Correct'],
  [
    'urllib.error.HTTPError: HTTP Error 503: Service Unavailable',
    'Fix what the command checks, or correct',
  ],
])('a command that writes %j has the advice: %s', (output, advice) => {
  const finding = findingOf({ exec: { command: ['check'] } }, { exitCode: 1, output })!;
  expect(firstChange(finding)).toBe(`${advice} readinessProbe.exec.command`);
});

it('a page of nginx that asks for a certificate is a server that requires one', () => {
  const body = '<title>400 No required SSL certificate was sent</title>';
  const finding = findingOf(HTTP, { statusCode: 400, detail: detail({ body }) })!;
  expect(finding.fault).toEqual({ kind: 'clientCertificate' });
});

it.each([
  [503, 'limiting requests, excess: 0.9 by zone "z"', { kind: 'rateLimited', status: 503 }],
  [500, 'open() "/app/x" failed', { kind: 'errorAnswer', isLogged: true }],
])('an answer of %i is explained by the log of nginx: %s', (statusCode, logged, fault) => {
  const line = `2026/11/29 10:00:00 [error] 7#7: *1 ${logged}, client: 127.0.0.1`;
  const finding = findingOf(HTTP, { statusCode, startedAt: 0, endedAt: 1 }, [line])!;
  expect(finding.fault).toMatchObject(fault);
});

it.each([
  ['sleep 1', 'See in its script what the loop around sleep waits for, and provide that'],
  ['sleep 15', undefined],
  ['java -jar shop.jar', undefined],
])('a script that has run %s for long has the advice: %s', (process, advice) => {
  const processes = ['sh ./entry.sh', process];
  const refused = { reason: 'refused', startedAt: 19, endedAt: 20 } as const;
  const finding = findingOf(HTTP, refused, [], { sockets: [], processes })!;
  expect(firstChange(finding)).toBe(advice);
});

it.each([
  [['sh', './run.sh web'], 'sh: 0: cannot open ./run.sh web: No such file', 'Make each word'],
  [['cat', '/data/a b'], "cat: '/data/a b': No such file or directory", 'Fix what the command'],
  [['grep', '-q', 'SYNCED', 'status.txt'], '', 'Run cat status.txt in the container'],
  [['check', '-v'], 'x'.repeat(10 * 1024), 'Run check -v | tail in the container'],
])('%j that fails has the advice: %s', (command, output, advice) => {
  const finding = findingOf(
    { exec: { command } },
    { exitCode: 1, output, startedAt: 90, endedAt: 90 },
  )!;
  expect(firstChange(finding)).toContain(advice);
});

it('what a server logs when its client has left is no cause of a timeout', () => {
  const output = ['Traceback (most recent call last):', 'BrokenPipeError: [Errno 32] Broken pipe'];
  expect(hintOf(HTTP, { ...TIMEOUT, startedAt: 0 }, output)).not.toContain('BrokenPipe');
  const other = [output[0]!, 'ValueError: no pool'];
  expect(hintOf(HTTP, { ...TIMEOUT, startedAt: 0 }, other)).toContain('ValueError');
});
