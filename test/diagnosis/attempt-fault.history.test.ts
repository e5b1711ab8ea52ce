import { expect, it } from 'vitest';

import type { Probe } from '../../src/api/index.js';
import { attemptFault } from '../../src/diagnosis/attempt-fault.js';
import { NO_PATH } from '../../src/diagnosis/trials.js';
import { findingText } from '../../src/diagnosis/words.js';
import type { ContainerView } from '../../src/trace/summary/container-view.js';
import { newPodSummary } from '../../src/trace/summary/fold.js';
import type { AttemptView, ProbeView } from '../../src/trace/summary/probe-view.js';
import { buildAttempt } from '../helpers/attempt.js';
import { buildContainer, buildPod, buildProbe } from '../helpers/builders.js';

const TIMEOUT = { result: 'failure', reason: 'timeout' } as const;

/** The cause and the change for the last of a readiness probe's attempts. */
function said(...facts: Parameters<typeof findingOf>) {
  return findingText(findingOf(...facts));
}

function findingOf(
  handler: Partial<Probe>,
  attempts: readonly AttemptView[],
  more: Partial<ProbeView>,
  runs: ContainerView['runs'] = [],
  states: ContainerView['states'] = [],
  written: readonly string[] = [],
) {
  const { exec, ...spec } = buildProbe({ timeoutSeconds: 1 });
  const readinessProbe = { ...spec, ...handler };
  const pod = buildPod({ spec: { containers: [buildContainer({ readinessProbe })] } });
  const [container] = newPodSummary('default/web', pod, 0).containers;
  const probe = { ...container!.probes[0]!, attempts, ...more };
  const output = written.map((text) => ({ t: 0, run: 0, stream: 'stderr', text }) as const);
  return attemptFault(
    { container: { ...container!, runs, states, output, probes: [probe] }, probe },
    attempts.at(-1)!,
  )!;
}

const TRIED = {
  trials: [
    {
      ...{ run: 0, field: 'readinessProbe.timeoutSeconds', to: 10, result: 'success' },
      ...{ word: '200 after 1.1 s', latency: 1100 },
    },
  ],
} as const satisfies Partial<ProbeView>;

it.each([
  [1100, 'the server needs 1.1 s for its answer'],
  [4000, 'and then none came within 1 s'],
])('after quick answers, a trial that takes %i ms shows: %s', (latency, text) => {
  const [trial] = TRIED.trials;
  const detail = { address: '', timings: { total: 1, connect: 1 } };
  const passed = buildAttempt({ result: 'success', latency: 5, startedAt: 1, endedAt: 1.1 });
  const failed = buildAttempt({ ...TIMEOUT, detail, startedAt: 2, endedAt: 3 });
  const trials = [{ ...trial, latency }];
  expect(said({ httpGet: { path: '/', port: 80 } }, [passed, failed], { trials })).toContain(text);
});

it('says what the server answers after the timeout, where that is no success', () => {
  const [trial] = TRIED.trials;
  const failed = { ...trial, result: 'failure', word: '503 after 4.0 s', latency: 4000 } as const;
  const attempt = buildAttempt({
    ...TIMEOUT,
    detail: { address: '', timings: { total: 1, connect: 1 } },
  });
  expect(said({ httpGet: { path: '/', port: 80 } }, [attempt], { trials: [failed] })).toBe(
    'the server does not answer within the timeout of 1 s; with more time: 503 after 4.0 s. Find what its threads wait for, such as a lock or a call without a timeout of its own; a longer timeout does not help',
  );
});

it.each([
  [
    'that rise',
    [700, 760, 820, 880, 940, 990],
    'answers get slower (700 ms, later 990 ms), and this one takes more than the timeout of 1 s. Perhaps raise readinessProbe.timeoutSeconds to 2',
  ],
  [
    'that vary',
    [700, 990, 820, 880, 740, 900],
    'the server needs 1.1 s for its answer, and the timeout of 1 s is shorter. Raise readinessProbe.timeoutSeconds to 2 (tried: 200 after 1.1 s)',
  ],
])(
  'takes an attempt with a longer timeout for no proof where latencies %s alone',
  (_, before, text) => {
    const attempts = [
      ...before.map((latency, at) => buildAttempt({ startedAt: at, endedAt: at + 0.9, latency })),
      buildAttempt({ startedAt: 9, endedAt: 10, ...TIMEOUT }),
    ];
    expect(said({ httpGet: { path: '/', port: 80 } }, attempts, TRIED)).toBe(text);
  },
);

it.each([
  [
    2,
    '. Raise readinessProbe.failureThreshold if that passes, or timeoutSeconds if some answers need longer',
  ],
  [
    3,
    ': the server hangs. Raise readinessProbe.failureThreshold if that passes; a longer timeout does not help',
  ],
])('%i timeouts in a row after quick answers show whether a server hangs', (resultRun, text) => {
  const attempts = [
    buildAttempt({ startedAt: 0, endedAt: 0.01 }),
    buildAttempt({ startedAt: 1, endedAt: 2, ...TIMEOUT, resultRun }),
  ];
  expect(said({ httpGet: { path: '/', port: 80 } }, attempts, {})).toBe(
    `answers took at most 10 ms before, and then none came within 1 s${text}`,
  );
});

it('counts no answers of the next run as timeouts in a row', () => {
  const timeout = buildAttempt({ startedAt: 1, endedAt: 2, ...TIMEOUT, resultRun: 2 });
  const attempts = [buildAttempt({ startedAt: 0, endedAt: 0.01 }), timeout];
  const next = buildAttempt({ run: 1, startedAt: 5, endedAt: 5.01, resultRun: 3 });
  const spec = { httpGet: { path: '/', port: 80 } };
  expect(said(spec, attempts, { attempts: [...attempts, next] })).toBe(said(spec, attempts, {}));
});

it('takes a quick answer to an attempt with a longer timeout for no proof', () => {
  const attempts = [buildAttempt({ startedAt: 0, endedAt: 1, ...TIMEOUT })];
  const trials = TRIED.trials.map((trial) => ({ ...trial, latency: 25 }));
  expect(said({ httpGet: { path: '/', port: 80 } }, attempts, { trials })).toBe(
    'the connection was not accepted within the timeout of 1 s',
  );
});

it.each([
  [1, []],
  [undefined, [{ kind: 'advice', advice: { do: 'addStartupProbe' } }]],
])(
  'a run before that was reached (connected after %s ms) needs no startup probe',
  (connect, changes) => {
    const { exec, ...spec } = buildProbe({ timeoutSeconds: 1 });
    const livenessProbe = {
      ...spec,
      httpGet: { path: '/live', port: 80, scheme: 'HTTP' },
    } as const;
    const pod = buildPod({ spec: { containers: [buildContainer({ livenessProbe })] } });
    const [container] = newPodSummary('default/web', pod, 0).containers;
    const timings = { total: 1, ...(connect !== undefined && { connect }) };
    const attempts = [
      buildAttempt({ result: 'failure', statusCode: 404, detail: { address: '', timings } }),
      buildAttempt({ result: 'failure', reason: 'refused', run: 1 }),
    ];
    const probe = { ...container!.probes[0]!, attempts };
    const listening = { t: 2, started: true, sockets: [], processes: ['x'] };
    const runs = [{ run: 1, startedAt: 0, listening }];
    const found = attemptFault(
      { container: { ...container!, runs, probes: [probe] }, probe },
      attempts[1]!,
    );
    expect(found?.changes).toEqual(changes);
  },
);

it('a server that does not answer, and did in an earlier run, needs no startup probe', () => {
  const attempts = [
    buildAttempt({ run: 0 }),
    buildAttempt({ startedAt: 9, endedAt: 10, ...TIMEOUT, run: 1 }),
  ];
  expect(said({ httpGet: { path: '/', port: 80 } }, attempts, {})).toBe(
    'the connection was not accepted within the timeout of 1 s. Raise readinessProbe.failureThreshold if that passes, or timeoutSeconds if some answers need longer',
  );
});

const NEVER =
  '. Find what its threads wait for, such as a lock or a call without a timeout of its own; a longer timeout does not help';

it.each([
  [40, '', undefined, NEVER],
  [20, '', undefined, ''],
  [40, '404', undefined, '. Fix what the program does at /healthz: it answers other paths'],
  [40, '', 'busy' as const, ''],
])(
  'a server that has answered nothing %i s after its start, within a longer timeout either, waits for something; another path: %j, state: %s',
  (endedAt, other, state, text) => {
    const trial = { run: 0, result: 'failure', word: 'timeout', latency: 10_000 } as const;
    const trials = [
      { ...trial, field: 'readinessProbe.timeoutSeconds', to: 10 },
      { ...trial, field: 'readinessProbe.httpGet.path', to: NO_PATH.to, word: other || 'timeout' },
    ];
    const detail = { address: '', timings: { total: 1, connect: 1 } };
    const attempt = buildAttempt({ ...TIMEOUT, startedAt: endedAt - 1, endedAt, detail });
    const facts = { t: 2, started: true, sockets: [{ address: '::', port: 80 }], processes: ['x'] };
    const listening = { ...facts, ...(state && { state }) };
    const probe = { httpGet: { path: '/healthz', port: 80 } };
    const hint = said(probe, [attempt], { trials }, [{ run: 0, startedAt: 0, listening }]) ?? '';
    expect(hint.slice(hint.lastIndexOf('. ') === -1 ? hint.length : hint.indexOf('. '))).toBe(text);
  },
);

it.each([
  ['404', '. Fix what the program does at /healthz: it answers other paths'],
  [
    'closed',
    '. Correct readinessProbe.httpGet.port, or use tcpSocket if that is for another protocol',
  ],
])('an answer to another path (%s) shows whether the handler or the server fails', (word, text) => {
  const field = 'readinessProbe.httpGet.path';
  const tried = { run: 0, field, to: NO_PATH.to, result: 'failure', word, latency: 1 } as const;
  const closed = buildAttempt({ result: 'failure', reason: 'closed' });
  const hint = said({ httpGet: { path: '/healthz', port: 80 } }, [closed], { trials: [tried] });
  expect(hint).toBe(`the server accepts the connection, and closes it without an answer${text}`);
});

it.each([
  [
    2,
    'the command takes longer than the timeout of 1 s. Raise readinessProbe.timeoutSeconds if it needs longer',
  ],
  [
    3,
    'the command has not ended within the timeout of 1 s in any attempt. Let readinessProbe.exec.command end by itself, or raise readinessProbe.timeoutSeconds if it only needs longer',
  ],
])('says of a command that did not end in %i attempts what that shows', (count, text) => {
  const attempts = Array.from({ length: count }, () => buildAttempt(TIMEOUT));
  expect(said({ exec: { command: ['sleep', '1000'] } }, attempts, {})).toBe(text);
});

it('proposes another port for a server that resets connections where that port has answered, and nothing else', () => {
  const tried = (name: string, to: string | number, word: string) => {
    const result = word === '200' ? ('success' as const) : ('failure' as const);
    return { run: 0, field: `readinessProbe.httpGet.${name}`, to, latency: 1, result, word };
  };
  const trials = [tried('scheme', 'HTTPS', 'reset')];
  const reset = buildAttempt({
    ...{ startedAt: 2, endedAt: 2, result: 'failure', reason: 'reset', output: 'reset' },
  });
  const text = 'the server accepts the connection, and resets it without an answer';
  const handler = { httpGet: { path: '/', port: 80 } };
  expect(said(handler, [buildAttempt({ endedAt: 1 }), reset], { trials })).toBe(
    `${text}; it succeeded 1 time in this run before`,
  );
  expect(said(handler, [reset], { trials })).toBe(`${text}; scheme HTTPS was tried: reset`);
  const answered = [...trials, tried('port', 9090, '200')];
  expect(said(handler, [reset], { trials: answered })).toBe(
    `${text}. Set readinessProbe.httpGet.port to 9090 (tried: 200)`,
  );
});

it.each([
  [60, 1, 'flapping'],
  [42, 1, 'notFound'],
  [60, 5, 'notFound'],
])(
  'failure %i s after the start, the %ith in a row of a cluster, is %s',
  (startedAt, resultRun, kind) => {
    const { exec: _, ...spec } = buildProbe({ periodSeconds: 10, failureThreshold: 3 });
    const livenessProbe = { ...spec, httpGet: { path: '/', port: 80 } };
    const pod = buildPod({ spec: { containers: [buildContainer({ livenessProbe })] } });
    const [view] = newPodSummary('default/web', pod, 0).containers;
    const container = { ...view!, runs: [{ run: 0, startedAt: 0, evidence: 'seen' } as const] };
    const attempt = buildAttempt({
      ...{ result: 'failure', statusCode: 404, evidence: 'seen' },
      ...{ startedAt, endedAt: startedAt + 1 },
    });
    const probe = { ...container.probes[0]!, attempts: [attempt], resultRun };
    expect(attemptFault({ container, probe }, attempt)?.fault.kind).toBe(kind);
  },
);

it.each<[string, Partial<Probe>, Partial<AttemptView>, number, boolean, string]>([
  [
    'an HTTP server that was ready before',
    { httpGet: { path: '/', port: 80 } },
    { ...TIMEOUT, output: 'context deadline exceeded (awaiting headers)' },
    ...([3, true] as const),
    'the server accepts the connection, but does not answer within the timeout of 1 s; it succeeded in this run before. Raise readinessProbe.failureThreshold if that passes, or timeoutSeconds if some answers need longer',
  ],
  [
    'a command that has timed out at each attempt',
    { exec: { command: ['tail', '-f', '/dev/null'] } },
    TIMEOUT,
    ...([3, false] as const),
    'the command takes longer than the timeout of 1 s. Let readinessProbe.exec.command end by itself, or raise readinessProbe.timeoutSeconds if it only needs longer',
  ],
  [
    'a command that had succeeded before',
    { exec: { command: ['tail', '-f', '/dev/null'] } },
    TIMEOUT,
    ...([3, true] as const),
    'the command takes longer than the timeout of 1 s. Raise readinessProbe.timeoutSeconds if it needs longer',
  ],
  [
    'a gRPC client that does not say whether it was refused',
    { grpc: { port: 80, service: '' } },
    { result: 'failure', reason: 'notConnected' },
    ...([3, false] as const),
    'no gRPC server without TLS answers on port 80: not up yet, another port, another address, or another protocol. kprobe once --kube shows what it answers: events leave that out',
  ],
])('a cluster reports %s', (_, handler, fields, count, ready, text) => {
  const attempts = Array.from({ length: count }, (_, n) =>
    buildAttempt({ ...fields, evidence: 'seen', startedAt: 40 + 10 * n, endedAt: 41 + 10 * n }),
  );
  const runs = [{ run: 0, startedAt: 0, evidence: 'seen' } as const];
  const state = { t: 5, ready: true, started: true } as ContainerView['states'][number];
  expect(said(handler, attempts, {}, runs, ready ? [state] : [])).toBe(text);
});

it.each([
  ['', 'a kubelet reads 10 KiB of its output, which has more'],
  ['ERROR: queue is full\n', 'ERROR: queue is full'],
])('does not quote where the output of a command was cut: %j', (error, text) => {
  const line = 'check: this node is well and ready\n';
  const output = (error + line.repeat(300)).slice(0, 10 * 1024);
  const attempt = buildAttempt({ result: 'failure', output, exitCode: 1 });
  const { fault } = findingOf({ exec: { command: ['/check'] } }, [attempt], {});
  expect(fault).toEqual({ kind: 'commandFailed', text });
});

it('does not count the successes of a cluster, which reports those alone that change the status', () => {
  const before = buildAttempt({ evidence: 'inferred', startedAt: 5, endedAt: 5, latency: 0 });
  const failed = buildAttempt({ ...TIMEOUT, evidence: 'seen', startedAt: 40, endedAt: 41 });
  expect(said({ httpGet: { path: '/', port: 80 } }, [before, failed], {})).toMatch(
    /^no answer within the timeout of 1 s; it succeeded in this run before\. Raise/,
  );
});

it.each([
  [14, []],
  [16, [{ kind: 'advice', advice: { do: 'fixAnswer', probe: 'startup' } }]],
])(
  'an answer of a start has advice once half of the budget is used: failure %i',
  (resultRun, changes) => {
    const { exec: _, ...spec } = buildProbe({ periodSeconds: 1, failureThreshold: 30 });
    const startupProbe = { ...spec, httpGet: { path: '/', port: 80 } };
    const pod = buildPod({ spec: { containers: [buildContainer({ startupProbe })] } });
    const [view] = newPodSummary('default/web', pod, 0).containers;
    const body = new TextEncoder().encode('{"status":"starting"}');
    const detail = { address: '', timings: { total: 1 }, body };
    const attempt = buildAttempt({ result: 'failure', statusCode: 503, detail, resultRun });
    const probe = { ...view!.probes[0]!, attempts: [attempt] };
    const runs = [{ run: 0, startedAt: 0 }];
    const container = { ...view!, runs, probes: [probe] };
    expect(attemptFault({ container, probe }, attempt)?.changes).toEqual(changes);
  },
);

it('waits for a database that says that it starts', () => {
  const attempt = buildAttempt({
    ...{ result: 'failure', exitCode: 1, startedAt: 1, endedAt: 2 },
    output: '127.0.0.1:5432 - rejecting connections\n',
  });
  const runs = [{ run: 0, startedAt: 0 }];
  const { fault, changes } = findingOf({ exec: { command: ['pg_isready'] } }, [attempt], {}, runs);
  expect(fault).toEqual({ kind: 'commandFailed', text: '127.0.0.1:5432 - rejecting connections' });
  expect(changes).toEqual([]);
});

it('knows that a gRPC server had served before', () => {
  const served = buildAttempt({ result: 'success', startedAt: 0, endedAt: 1 });
  const failed = { result: 'failure', reason: 'notServing', startedAt: 2, endedAt: 3 } as const;
  expect(said({ grpc: { port: 80 } }, [served, buildAttempt(failed)], {})).toBe(
    'the server answers that it is not serving; it succeeded 1 time in this run before. Find out why the program answers so; no field of the probe is wrong',
  );
});

const EXEC_FAILED = { result: 'failure', exitCode: 1 } as const;

it('a command that took little time before gets no longer timeout', () => {
  const exec = { exec: { command: ['check'] } };
  const after = (latency: number) => [
    buildAttempt({ startedAt: 0, endedAt: latency / 1000, latency }),
    buildAttempt({ startedAt: 5, endedAt: 6, ...TIMEOUT }),
  ];
  expect(said(exec, after(90), {})).toMatch(/Fix what the command checks: it has succeeded/);
  expect(said(exec, after(900), {})).toMatch(/Raise readinessProbe.timeoutSeconds/);
});

it.each([
  ['timeout: failed to connect service ":8080" within 1s', ['matchProtocol', 'fixCheck']],
  ['error: health rpc did not complete within 1s', ['commandLimit', 'fixCheck']],
  ['localhost:8080 - no response', ['fixCheck', 'fixCheck']],
])('advises on %s without, and with, a success before', (output, expected) => {
  const sockets = [{ address: '::', port: 8080 }];
  const listening = { t: 1, started: true, sockets, processes: ['app'] } as const;
  const success = buildAttempt({ startedAt: 2, endedAt: 2.1 });
  const failure = buildAttempt({ startedAt: 5, endedAt: 6, ...EXEC_FAILED, output });
  const exec = { exec: { command: ['probe', 'localhost:8080'] } };
  const advice = [[failure], [success, failure]].map((attempts) => {
    const [change] = findingOf(exec, attempts, {}, [{ run: 0, startedAt: 0, listening }]).changes;
    return change?.kind === 'advice' && change.advice.do;
  });
  expect(advice).toEqual(expected);
});

it('a command that has succeeded before is explained by what its program reports', () => {
  const output = "cat: can't open '/tmp/ready': No such file or directory";
  const attempts = [
    buildAttempt({ startedAt: 0, endedAt: 0.1 }),
    buildAttempt({ startedAt: 5, endedAt: 5.1, ...EXEC_FAILED, output }),
  ];
  const written = ['connected to db', 'ERROR lost connection to database db:5432'];
  const exec = { exec: { command: ['cat', '/tmp/ready'] } };
  expect(findingOf(exec, attempts, {}, [], [], written)).toMatchObject({
    fault: { kind: 'commandFailed' },
    evidence: [
      { kind: 'successes' },
      { kind: 'written', text: 'lost connection to database db:5432' },
    ],
    changes: [{ advice: { do: 'fixCheck', worked: true } }],
  });
});

it('a pattern of files that no shell expands is the fault, and not a file', () => {
  const output = "cat: can't open '/proc/*/stat': No such file or directory";
  const attempts = [buildAttempt({ ...EXEC_FAILED, output })];
  expect(said({ exec: { command: ['cat', '/proc/*/stat'] } }, attempts, {})).toBe(
    'no shell reads the command, so /proc/*/stat stays as it is. Run the line of readinessProbe.exec.command with sh -c',
  );
});

it("a status that a cluster's kubelet reports has what the program has written", () => {
  const attempt = buildAttempt({
    result: 'failure',
    statusCode: 500,
    evidence: 'seen',
    endedAt: 9,
  });
  const written = ['waiting on port 3000 until the app listens'];
  expect(said({ httpGet: { path: '/', port: 80 } }, [attempt], {}, [], [], written)).toContain(
    'waiting on port 3000 until the app listens',
  );
});

it('a silent check that liveness counts from the start may need a startup probe', () => {
  const { exec: _, ...settings } = buildProbe();
  const livenessProbe = { ...settings, exec: { command: ['grep', '-q', 'YES', '/tmp/s'] } };
  const pod = buildPod({ spec: { containers: [buildContainer({ livenessProbe })] } });
  const [container] = newPodSummary('default/web', pod, 0).containers;
  const attempt = buildAttempt({ ...EXEC_FAILED, endedAt: 2 });
  const probe = { ...container!.probes[0]!, attempts: [attempt] };
  const changes = attemptFault({ container: container!, probe }, attempt)?.changes;
  expect(changes?.[0]).toMatchObject({ advice: { do: 'addStartupProbe' } });
});
