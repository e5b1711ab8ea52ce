/*
 * The end-to-end tests of probes of Kubernetes v1.36.3 (test/e2e/common/node/container_probe.go): 23 with a container, and the same
 * with a sidecar. Each has the fields that its pod sets, what its program does, and what the test expects.
 *
 * Two of the 23 are not played, `should mark readiness on pods to false while pod is in progress of terminating …`, with and without a
 * liveness probe: they read the status of a deleted pod, and kprobe ends a pod as a kubelet ends a static one, whose last status nobody gets.
 */

/** What one of those tests waits for, within so many seconds from the start of the pod. */
export type Expected = { readonly within: number } & (
  | /** As RunLivenessTest: at least so many restarts; none at all for 0. */ {
      readonly kind: 'restarts';
      readonly count: number;
    }
  | { readonly kind: 'readyAfterDelay'; readonly delay: number }
  | { readonly kind: 'neverReady' }
  | { readonly kind: 'readySoonAfterStarted'; readonly soon: number }
);

export interface ProbeTest {
  readonly title: string;
  readonly expected: Expected;
  /** Fields of the container. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The command and arguments of the container: of busybox, or of agnhost. */
  readonly program: readonly string[];
  /** What that program does, as a run in a scenario file. */
  readonly run: Readonly<Record<string, unknown>>;
  readonly terminationGracePeriodSeconds?: number;
  /** An event that the test waits for. */
  readonly event?: { readonly reason: string; readonly message: string };
}

/** Seconds: defaultObservationTimeout. */
const OBSERVATION = 240;
const INITIAL_DELAY = 15;

const exec = (...command: string[]) => ({ exec: { command } });
const http = (path: string, port: number) => ({ httpGet: { path, port } });
const sh = (script: string) => ['/bin/sh', '-c', script];
const WEB_SERVER = ['/agnhost', 'test-webserver', '--port', '80'];
const LIVENESS = ['/agnhost', 'liveness'];
const GRPC = ['/agnhost', 'grpc-health-checking'];
const SLEEP = sh('sleep 600');
const restarts = (count: number, within = OBSERVATION) =>
  ({ kind: 'restarts', count, within }) as const;

/** What the busybox containers do with `command`: nothing else answers. */
const SLEEPS = { stopTakes: '1h' };
const FALSE = { '/bin/false': [{ exit: 1 }] };
/** agnhost's `liveness`: /healthz fails from 10 s on. */
const FAILS_AFTER_TEN = [{ until: '10s' }, { status: 500, body: 'error: 10.5s' }];
const SLOW_COMMAND = { '/bin/sh -c sleep 10': [{ takes: '10s' }] };
const removedAt = (until: string) => [{ until }, { exit: 1 }];

export const PROBE_TESTS: readonly ProbeTest[] = [
  {
    title: 'with readiness probe should not be ready before initial delay and never restart',
    fields: { readinessProbe: { ...http('/', 80), initialDelaySeconds: INITIAL_DELAY } },
    program: WEB_SERVER,
    run: { http: { '/': [{}] } },
    expected: { kind: 'readyAfterDelay', delay: INITIAL_DELAY, within: 120 },
  },
  {
    title: 'with readiness probe that fails should never be ready and never restart',
    fields: { readinessProbe: http('/', 81) },
    program: WEB_SERVER,
    run: { http: { ':81/': [{ refused: true }] } },
    expected: { kind: 'neverReady', within: 60 },
  },
  {
    title: 'should be restarted with a exec "cat /tmp/health" liveness probe',
    fields: {
      livenessProbe: {
        ...exec('cat', '/tmp/health'),
        initialDelaySeconds: INITIAL_DELAY,
        timeoutSeconds: 5,
        failureThreshold: 1,
      },
    },
    program: sh('echo ok >/tmp/health; sleep 10; rm -rf /tmp/health; sleep 600'),
    run: { ...SLEEPS, exec: { 'cat /tmp/health': removedAt('10s') } },
    expected: restarts(1),
  },
  {
    title: 'should *not* be restarted with a exec "cat /tmp/health" liveness probe',
    fields: {
      livenessProbe: {
        ...exec('cat', '/tmp/health'),
        initialDelaySeconds: INITIAL_DELAY,
        timeoutSeconds: 5,
        failureThreshold: 1,
      },
    },
    program: sh('echo ok >/tmp/health; sleep 600'),
    run: { ...SLEEPS, exec: { 'cat /tmp/health': [{}] } },
    expected: restarts(0),
  },
  {
    title: 'should be restarted with a /healthz http liveness probe',
    fields: {
      livenessProbe: {
        ...http('/healthz', 8080),
        initialDelaySeconds: INITIAL_DELAY,
        failureThreshold: 1,
      },
    },
    program: LIVENESS,
    run: { http: { '/healthz': FAILS_AFTER_TEN } },
    expected: restarts(1),
  },
  {
    title: 'should *not* be restarted with a tcp:8080 liveness probe',
    fields: {
      livenessProbe: {
        tcpSocket: { port: 8080 },
        initialDelaySeconds: INITIAL_DELAY,
        failureThreshold: 1,
      },
    },
    program: LIVENESS,
    run: { tcp: { '8080': [{}] } },
    expected: restarts(0),
  },
  {
    title: 'should have monotonically increasing restart count',
    fields: {
      livenessProbe: {
        ...http('/healthz', 8080),
        initialDelaySeconds: 5,
        failureThreshold: 1,
      },
    },
    program: LIVENESS,
    run: { http: { '/healthz': FAILS_AFTER_TEN } },
    expected: restarts(5, 120 + OBSERVATION + 4 * 120),
  },
  {
    title: 'should *not* be restarted with a /healthz http liveness probe',
    fields: {
      livenessProbe: {
        ...http('/', 80),
        initialDelaySeconds: INITIAL_DELAY,
        timeoutSeconds: 5,
        failureThreshold: 5,
      },
    },
    program: WEB_SERVER,
    run: { http: { '/': [{}] } },
    expected: restarts(0),
  },
  {
    title: 'should be restarted with an exec liveness probe with timeout',
    fields: {
      livenessProbe: {
        ...exec('/bin/sh', '-c', 'sleep 10'),
        initialDelaySeconds: INITIAL_DELAY,
        timeoutSeconds: 1,
        failureThreshold: 1,
      },
    },
    program: SLEEP,
    run: { ...SLEEPS, exec: SLOW_COMMAND },
    expected: restarts(1),
  },
  {
    title: 'should not be ready with an exec readiness probe timeout',
    fields: {
      readinessProbe: {
        ...exec('/bin/sh', '-c', 'sleep 10'),
        initialDelaySeconds: INITIAL_DELAY,
        timeoutSeconds: 1,
        failureThreshold: 1,
      },
    },
    program: SLEEP,
    run: { ...SLEEPS, exec: SLOW_COMMAND },
    expected: { kind: 'neverReady', within: 60 },
  },
  {
    title:
      'should be restarted with a failing exec liveness probe that took longer than the timeout',
    fields: {
      livenessProbe: {
        ...exec('/bin/sh', '-c', 'sleep 10 & exit 1'),
        initialDelaySeconds: INITIAL_DELAY,
        timeoutSeconds: 1,
        failureThreshold: 1,
      },
    },
    program: SLEEP,
    run: { ...SLEEPS, exec: { '/bin/sh -c sleep 10 & exit 1': [{ takes: '10s', exit: 1 }] } },
    expected: restarts(1),
  },
  {
    title: 'should be restarted with a local redirect http liveness probe',
    fields: {
      livenessProbe: {
        ...http('/redirect?loc=%2Fhealthz', 8080),
        initialDelaySeconds: INITIAL_DELAY,
        failureThreshold: 1,
      },
    },
    program: LIVENESS,
    run: { http: { '/redirect?loc=%2Fhealthz': FAILS_AFTER_TEN } },
    expected: restarts(1),
  },
  {
    title: 'should *not* be restarted with a non-local redirect http liveness probe',
    fields: {
      livenessProbe: {
        ...http('/redirect?loc=http%3A%2F%2F0.0.0.0%2F', 8080),
        initialDelaySeconds: INITIAL_DELAY,
        failureThreshold: 1,
      },
    },
    program: LIVENESS,
    run: {
      http: {
        '/redirect?loc=http%3A%2F%2F0.0.0.0%2F': [
          { status: 302, body: '<a href="http://0.0.0.0/">Found</a>.' },
        ],
      },
    },
    expected: restarts(0),
    event: {
      reason: 'ProbeWarning',
      message: 'Probe terminated redirects, Response body: <a href="http://0.0.0.0/">Found</a>.',
    },
  },
  {
    title: 'should be restarted startup probe fails',
    fields: {
      livenessProbe: { ...exec('/bin/true'), initialDelaySeconds: 15, failureThreshold: 1 },
      startupProbe: { ...exec('/bin/false'), initialDelaySeconds: 15, failureThreshold: 3 },
    },
    program: SLEEP,
    run: { ...SLEEPS, exec: { ...FALSE, '/bin/true': [{}] } },
    expected: restarts(1),
  },
  {
    title: 'should *not* be restarted by liveness probe because startup probe delays it',
    fields: {
      livenessProbe: { ...exec('/bin/false'), initialDelaySeconds: 15, failureThreshold: 1 },
      startupProbe: { ...exec('/bin/false'), initialDelaySeconds: 15, failureThreshold: 60 },
    },
    program: SLEEP,
    run: { ...SLEEPS, exec: FALSE },
    expected: restarts(0),
  },
  {
    title: 'should be restarted by liveness probe after startup probe enables it',
    fields: {
      livenessProbe: { ...exec('/bin/false'), initialDelaySeconds: 15, failureThreshold: 1 },
      startupProbe: {
        ...exec('cat', '/tmp/startup'),
        initialDelaySeconds: 15,
        failureThreshold: 60,
      },
    },
    program: sh('sleep 10; echo ok >/tmp/startup; sleep 600'),
    run: { ...SLEEPS, exec: { ...FALSE, 'cat /tmp/startup': [{ until: '10s', exit: 1 }, {}] } },
    expected: restarts(1),
  },
  {
    title: 'should be ready immediately after startupProbe succeeds',
    fields: {
      readinessProbe: { ...exec('/bin/cat', '/tmp/health'), periodSeconds: 30 },
      startupProbe: {
        ...exec('/bin/cat', '/tmp/startup'),
        failureThreshold: 120,
        periodSeconds: 5,
      },
    },
    program: sh('echo ok >/tmp/health; sleep 32; echo ok >/tmp/startup; sleep 600'),
    run: {
      ...SLEEPS,
      exec: {
        '/bin/cat /tmp/health': [{}],
        '/bin/cat /tmp/startup': [{ until: '32s', exit: 1 }, {}],
      },
    },
    expected: { kind: 'readySoonAfterStarted', soon: 25, within: 120 },
  },
  {
    title: 'should override timeoutGracePeriodSeconds when LivenessProbe field is set',
    fields: {
      livenessProbe: {
        ...http('/healthz', 8080),
        initialDelaySeconds: 10,
        failureThreshold: 1,
        terminationGracePeriodSeconds: 5,
      },
    },
    program: sh('sleep 1000'),
    run: { ...SLEEPS, http: { '/healthz': [{ refused: true }] } },
    terminationGracePeriodSeconds: 500,
    expected: restarts(1, 40 + OBSERVATION),
  },
  {
    title: 'should override timeoutGracePeriodSeconds when StartupProbe field is set',
    fields: {
      livenessProbe: { ...exec('/bin/true'), initialDelaySeconds: 15, failureThreshold: 1 },
      startupProbe: {
        ...exec('/bin/cat', '/tmp/startup'),
        initialDelaySeconds: 10,
        failureThreshold: 1,
        terminationGracePeriodSeconds: 5,
      },
    },
    program: sh('sleep 1000'),
    run: { ...SLEEPS, exec: { '/bin/true': [{}], '/bin/cat /tmp/startup': [{ exit: 1 }] } },
    terminationGracePeriodSeconds: 500,
    expected: restarts(1, 40 + OBSERVATION),
  },
  {
    title: 'should *not* be restarted with a GRPC liveness probe',
    fields: {
      livenessProbe: {
        grpc: { port: 5000 },
        initialDelaySeconds: INITIAL_DELAY,
        timeoutSeconds: 5,
        failureThreshold: 1,
      },
    },
    program: GRPC,
    run: { grpc: { '5000': [{}] } },
    expected: restarts(0),
  },
  {
    title: 'should be restarted with a GRPC liveness probe',
    fields: {
      livenessProbe: {
        grpc: { port: 2333 },
        initialDelaySeconds: INITIAL_DELAY * 4,
        timeoutSeconds: 5,
        failureThreshold: 1,
      },
    },
    program: GRPC,
    run: { grpc: { '2333': [{ refused: true }] } },
    expected: restarts(1),
  },
];
