import type { Behavior as ContainerBehavior, Part } from '../../container/behaviors.js';

/** A pod of a cluster, and what the simulator is told about its scripts. */
export interface Behavior extends ContainerBehavior {
  /** Name of the pod. */
  readonly name: string;
  /** Second in which the pod is deleted. */
  readonly deleteAt?: number;
}

/** Until then a server that starts with its container may not listen yet. */
const SOON = { initialDelaySeconds: 1 };
/** Runs until TERM, and then ends within milliseconds. */
const WAIT = 'sleep 3600 & wait';
const ON_TERM = 'trap "exit 143" TERM';
const IGNORE_TERM = 'trap "" TERM; while :; do sleep 5; done';
const QUICK = '90ms';
/** The machine of the tests may need longer than a second for a command. */
const check = (file: string) => ({ exec: { command: ['test', '-f', file] }, timeoutSeconds: 5 });
const answers = (file: string, list: readonly Record<string, unknown>[]) => ({
  exec: { [`test -f ${file}`]: list.map((answer) => ({ takes: QUICK, ...answer })) },
});
const http = (port: number, path = '/') => ({ httpGet: { host: '127.0.0.1', port, path } });
const tcp = (port: number) => ({ tcpSocket: { host: '127.0.0.1', port } });
const httpd = (port: number): string => `httpd -p 127.0.0.1:${port} -h /tmp/www`;
/** A folder to serve, and a CGI program: 503 until /tmp/up exists, no answer while /tmp/hang exists. */
const WWW = `mkdir -p /tmp/www/cgi-bin; echo ok >/tmp/www/index.html; echo '#!/bin/sh
[ -f /tmp/hang ] && sleep 3600
[ -f /tmp/up ] || printf "Status: 503 Service Unavailable\\r\\n"
printf "Content-Type: text/plain\\r\\n\\r\\n"
[ -f /tmp/up ] && printf ok || printf "no database"' >/tmp/www/cgi-bin/health; chmod +x /tmp/www/cgi-bin/health`;
const FOREVER = '1000000s';

const web = (script: string): string => `${ON_TERM}; ${WWW}; ${script}\n${WAIT}`;
const stopsOnTerm = { stopTakes: '60ms' };

function app(script: string, fields: Part['fields'], ...runs: Part['runs']): readonly Part[] {
  return [{ name: 'app', script, fields: fields ?? {}, runs }];
}

const HTTP: readonly Behavior[] = [
  {
    name: 'slow-start',
    title: 'a server that starts within its startup budget gets ready',
    until: 25,
    containers: app(
      web(`(sleep 6.5; ${httpd(21410)}) &`),
      {
        startupProbe: { ...http(21410), periodSeconds: 1, failureThreshold: 20 },
        readinessProbe: { ...http(21410), periodSeconds: 2 },
        livenessProbe: { ...http(21410), periodSeconds: 5 },
      },
      { ...stopsOnTerm, http: { ':21410/': [{ until: '6.5s', refused: true }, {}] } },
    ),
  },
  {
    name: 'startup-budget',
    title: 'a server that needs longer than its startup budget is restarted again and again',
    until: 45,
    spec: { terminationGracePeriodSeconds: 3 },
    containers: app(
      web(`(sleep 30; ${httpd(21411)}) &`),
      { startupProbe: { ...http(21411), periodSeconds: 2, failureThreshold: 3 } },
      { ...stopsOnTerm, http: { ':21411/': [{ until: '30s', refused: true }, {}] } },
    ),
  },
  {
    name: 'http-flapping',
    title: 'readiness follows a page that comes and goes',
    until: 30,
    containers: app(
      web(
        `${httpd(21412)}; (sleep 3.5; touch /tmp/www/up; sleep 7; rm /tmp/www/up; sleep 7; touch /tmp/www/up) &`,
      ),
      { readinessProbe: { ...http(21412, '/up'), ...SOON, periodSeconds: 2, failureThreshold: 2 } },
      {
        ...stopsOnTerm,
        http: {
          ':21412/up': [
            { until: '3.5s', status: 404 },
            { until: '10.5s' },
            { until: '17.5s', status: 404 },
            {},
          ],
        },
      },
    ),
  },
  {
    name: 'http-503',
    title: 'a server that answers 503 is not ready',
    until: 20,
    containers: app(
      web(`${httpd(21413)}; (sleep 8.5; touch /tmp/up) &`),
      { readinessProbe: { ...http(21413, '/cgi-bin/health'), ...SOON, periodSeconds: 2 } },
      {
        ...stopsOnTerm,
        http: {
          ':21413/cgi-bin/health': [{ until: '8.5s', status: 503, body: 'no database' }, {}],
        },
      },
    ),
  },
  {
    name: 'wrong-port',
    title: 'a readiness probe of a port where nothing listens never succeeds',
    until: 20,
    containers: app(
      web(httpd(21414)),
      { readinessProbe: { ...http(21499), periodSeconds: 3 } },
      { ...stopsOnTerm, http: { ':21499/': [{ refused: true }] } },
    ),
  },
  {
    name: 'http-hang',
    title: 'a server that no longer answers is restarted after its liveness timeouts',
    until: 40,
    spec: { terminationGracePeriodSeconds: 3 },
    containers: app(
      web(`touch /tmp/up; ${httpd(21415)}; (sleep 6.5; touch /tmp/hang) &`),
      {
        livenessProbe: {
          ...http(21415, '/cgi-bin/health'),
          ...SOON,
          periodSeconds: 3,
          failureThreshold: 2,
        },
      },
      {
        ...stopsOnTerm,
        http: { ':21415/cgi-bin/health': [{ until: '6.5s' }, { takes: FOREVER }] },
      },
    ),
  },
  {
    name: 'pre-stop',
    title: 'a preStop hook runs before TERM, within the grace period',
    until: 35,
    spec: { terminationGracePeriodSeconds: 8 },
    containers: app(
      web(`${httpd(21416)}; (sleep 5.5; rm /tmp/www/index.html) &`),
      {
        livenessProbe: {
          ...http(21416, '/index.html'),
          ...SOON,
          periodSeconds: 2,
          failureThreshold: 2,
        },
        lifecycle: { preStop: { exec: { command: ['sleep', '3'] } } },
      },
      {
        ...stopsOnTerm,
        http: { ':21416/index.html': [{ until: '5.5s' }, { status: 404 }] },
        exec: { 'sleep 3': [{ takes: '3.1s' }] },
      },
    ),
  },
  {
    name: 'initial-delay',
    title: 'readiness waits for its initial delay and its success threshold',
    until: 20,
    containers: app(
      web(httpd(21417)),
      {
        readinessProbe: {
          ...http(21417),
          initialDelaySeconds: 5,
          periodSeconds: 2,
          successThreshold: 3,
        },
      },
      stopsOnTerm,
    ),
  },
  {
    name: 'startup-then-liveness',
    title: 'a liveness probe starts after the startup probe, also after a restart',
    until: 45,
    spec: { terminationGracePeriodSeconds: 3 },
    containers: app(
      web(`(sleep 4.5; ${httpd(21418)}; sleep 6; rm /tmp/www/index.html) &`),
      {
        startupProbe: { ...http(21418, '/index.html'), periodSeconds: 1, failureThreshold: 20 },
        livenessProbe: { ...http(21418, '/index.html'), periodSeconds: 2, failureThreshold: 2 },
      },
      {
        ...stopsOnTerm,
        http: {
          ':21418/index.html': [
            { until: '4.5s', refused: true },
            { until: '10.5s' },
            { status: 404 },
          ],
        },
      },
    ),
  },
  {
    name: 'redirect',
    title: 'a redirect on the same host is followed',
    until: 12,
    containers: app(
      web(`mkdir /tmp/www/app; cp /tmp/www/index.html /tmp/www/app/; ${httpd(21419)}`),
      { readinessProbe: { ...http(21419, '/app'), ...SOON, periodSeconds: 2 } },
      stopsOnTerm,
    ),
  },
];

const TCP: readonly Behavior[] = [
  {
    name: 'tcp-late',
    title: 'a TCP server that listens late gets ready then',
    until: 18,
    containers: app(
      `${ON_TERM}; (sleep 5.5; nc -ll -p 21430 127.0.0.1 -e true) & ${WAIT}`,
      { readinessProbe: { ...tcp(21430), periodSeconds: 2 } },
      { ...stopsOnTerm, tcp: { '21430': [{ until: '5.5s', refused: true }, {}] } },
    ),
  },
  {
    name: 'tcp-lost',
    title: 'a TCP server that stops listening is restarted by its liveness probe',
    until: 45,
    spec: { terminationGracePeriodSeconds: 3 },
    containers: app(
      `${ON_TERM}; nc -ll -p 21431 127.0.0.1 -e true & listener=$!; (sleep 7.5; kill $listener) & ${WAIT}`,
      {
        readinessProbe: { ...tcp(21431), ...SOON, periodSeconds: 2, failureThreshold: 1 },
        livenessProbe: { ...tcp(21431), ...SOON, periodSeconds: 3, failureThreshold: 2 },
      },
      { ...stopsOnTerm, tcp: { '21431': [{ until: '7.5s' }, { refused: true }] } },
    ),
  },
  {
    name: 'tcp-flapping',
    title: 'a TCP server that is away for less than the threshold stays ready',
    until: 24,
    containers: app(
      `${ON_TERM}; nc -ll -p 21432 127.0.0.1 -e true & listener=$!
       (sleep 6.5; kill $listener; sleep 3; nc -ll -p 21432 127.0.0.1 -e true) & ${WAIT}`,
      { readinessProbe: { ...tcp(21432), ...SOON, periodSeconds: 2, failureThreshold: 3 } },
      {
        ...stopsOnTerm,
        tcp: { '21432': [{ until: '6.5s' }, { until: '9.5s', refused: true }, {}] },
      },
    ),
  },
];

const EXEC: readonly Behavior[] = [
  {
    name: 'exec-late',
    title: 'a startup probe keeps the readiness probe of a late container back',
    until: 18,
    containers: app(
      `${ON_TERM}; (sleep 4.5; touch /tmp/up) & ${WAIT}`,
      {
        startupProbe: { ...check('/tmp/up'), periodSeconds: 2, failureThreshold: 10 },
        readinessProbe: { ...check('/tmp/up'), periodSeconds: 3 },
      },
      { ...stopsOnTerm, ...answers('/tmp/up', [{ until: '4.5s', exit: 1 }, {}]) },
    ),
  },
  {
    name: 'exec-output',
    title: 'a failing command is reported with its output',
    until: 14,
    containers: app(
      `${ON_TERM}; ${WAIT}`,
      {
        readinessProbe: {
          exec: { command: ['sh', '-c', 'echo out; echo err >&2; exit 3'] },
          timeoutSeconds: 5,
          periodSeconds: 3,
        },
      },
      {
        ...stopsOnTerm,
        exec: {
          'sh -c echo out; echo err >&2; exit 3': [
            { exit: 3, takes: QUICK, stdout: 'out\n', stderr: 'err\n' },
          ],
        },
      },
    ),
  },
  {
    name: 'exec-hang',
    title: 'a command that hangs fails at its timeout, and has the container restarted',
    until: 40,
    spec: { terminationGracePeriodSeconds: 3 },
    containers: app(
      `${ON_TERM}; (sleep 6.5; touch /tmp/hang) & ${WAIT}`,
      {
        livenessProbe: {
          exec: { command: ['sh', '-c', 'test ! -f /tmp/hang || sleep 30'] },
          periodSeconds: 4,
          timeoutSeconds: 2,
          failureThreshold: 2,
        },
      },
      {
        ...stopsOnTerm,
        exec: {
          'sh -c test ! -f /tmp/hang || sleep 30': [
            { until: '6.5s', takes: QUICK },
            { takes: '30s' },
          ],
        },
      },
    ),
  },
  {
    name: 'own-grace',
    title: "a probe's own grace period replaces the pod's",
    until: 32,
    spec: { terminationGracePeriodSeconds: 30 },
    containers: app(
      `touch /tmp/ok; (sleep 4.5; rm /tmp/ok) & ${IGNORE_TERM}`,
      {
        livenessProbe: {
          ...check('/tmp/ok'),
          ...SOON,
          periodSeconds: 2,
          failureThreshold: 2,
          terminationGracePeriodSeconds: 2,
        },
      },
      { stopTakes: '1h', ...answers('/tmp/ok', [{ until: '4.5s' }, { exit: 1 }]) },
    ),
  },
  {
    name: 'ignores-term',
    title: 'a container that ignores TERM is killed after its grace period',
    until: 34,
    spec: { terminationGracePeriodSeconds: 4 },
    containers: app(
      `touch /tmp/ok; (sleep 4.5; rm /tmp/ok) & ${IGNORE_TERM}`,
      { livenessProbe: { ...check('/tmp/ok'), ...SOON, periodSeconds: 2, failureThreshold: 2 } },
      { stopTakes: '1h', ...answers('/tmp/ok', [{ until: '4.5s' }, { exit: 1 }]) },
    ),
  },
  {
    name: 'below-threshold',
    title: 'a liveness probe that fails less often in a row than its threshold restarts nothing',
    until: 26,
    containers: app(
      `${ON_TERM}; touch /tmp/ok; (sleep 6.5; rm /tmp/ok; sleep 4; touch /tmp/ok) & ${WAIT}`,
      { livenessProbe: { ...check('/tmp/ok'), ...SOON, periodSeconds: 2, failureThreshold: 4 } },
      {
        ...stopsOnTerm,
        ...answers('/tmp/ok', [{ until: '6.5s' }, { until: '10.5s', exit: 1 }, {}]),
      },
    ),
  },
];

const ENDS: readonly Behavior[] = [
  {
    name: 'crash-loop',
    title: 'a container that crashes is restarted after longer and longer delays',
    until: 50,
    containers: app('sleep 2.5; exit 1', {}, { exitAfter: '2.5s', exitCode: 1 }),
  },
  {
    name: 'crash-at-once',
    title: 'a container that crashes at once is restarted after longer and longer delays',
    until: 45,
    containers: app('exit 3', {}, { exitAfter: '20ms', exitCode: 3 }),
  },
  {
    name: 'completes-always',
    title: 'a container that completes is restarted under Always',
    until: 45,
    containers: app('sleep 3.5', {}, { exitAfter: '3.5s', exitCode: 0 }),
  },
  {
    name: 'on-failure',
    title: 'a container that fails is restarted under OnFailure, and left when it has completed',
    until: 16,
    spec: { restartPolicy: 'OnFailure', volumes: [{ name: 'data', emptyDir: {} }] },
    containers: app(
      'sleep 2.5; test -f /data/again && exit 0; touch /data/again; exit 5',
      { volumeMounts: [{ name: 'data', mountPath: '/data' }] },
      { exitAfter: '2.5s', exitCode: 5 },
      { exitAfter: '2.5s', exitCode: 0 },
    ),
  },
  {
    name: 'never-completes',
    title: 'a container that completes under Never has succeeded',
    until: 10,
    spec: { restartPolicy: 'Never' },
    containers: app('sleep 3.5', {}, { exitAfter: '3.5s', exitCode: 0 }),
  },
  {
    name: 'never-fails',
    title: 'a container that fails under Never has failed',
    until: 10,
    spec: { restartPolicy: 'Never' },
    containers: app('sleep 3.5; exit 6', {}, { exitAfter: '3.5s', exitCode: 6 }),
  },
  {
    name: 'never-liveness',
    title: 'a liveness failure under Never ends the pod',
    until: 20,
    spec: { restartPolicy: 'Never', terminationGracePeriodSeconds: 3 },
    containers: app(
      web(`${httpd(21440)}; (sleep 5.5; rm /tmp/www/index.html) &`),
      {
        livenessProbe: {
          ...http(21440, '/index.html'),
          ...SOON,
          periodSeconds: 2,
          failureThreshold: 2,
        },
      },
      { ...stopsOnTerm, http: { ':21440/index.html': [{ until: '5.5s' }, { status: 404 }] } },
    ),
  },
  {
    name: 'dies-ready',
    title: 'a ready container that dies is not ready until it is probed again',
    until: 30,
    containers: app(
      web(`${httpd(21441)}; sleep 8.5; exit 2`),
      { readinessProbe: { ...http(21441), ...SOON, periodSeconds: 5 } },
      { ...stopsOnTerm, exitAfter: '8.5s', exitCode: 2 },
    ),
  },
  {
    name: 'deadline',
    title: 'a pod fails at its active deadline',
    until: 22,
    spec: { activeDeadlineSeconds: 9, terminationGracePeriodSeconds: 3 },
    containers: app(`${ON_TERM}; ${WAIT}`, {}, stopsOnTerm),
  },
  {
    name: 'one-of-two',
    title: 'a pod is not ready while one of its containers crashes',
    until: 30,
    containers: [
      ...app(
        web(httpd(21442)),
        { readinessProbe: { ...http(21442), ...SOON, periodSeconds: 2 } },
        stopsOnTerm,
      ),
      { name: 'other', script: 'sleep 4.5; exit 1', runs: [{ exitAfter: '4.5s', exitCode: 1 }] },
    ],
  },
];

const HOOKS: readonly Behavior[] = [
  {
    name: 'post-start-fails',
    title: 'a postStart hook that fails has the container killed and restarted',
    until: 40,
    spec: { terminationGracePeriodSeconds: 3 },
    containers: app(
      `${ON_TERM}; ${WAIT}`,
      { lifecycle: { postStart: { exec: { command: ['sh', '-c', 'sleep 2; exit 4'] } } } },
      { ...stopsOnTerm, exec: { 'sh -c sleep 2; exit 4': [{ takes: '2.1s', exit: 4 }] } },
    ),
  },
  {
    name: 'post-start-slow',
    title: 'a slow postStart hook delays the probes',
    until: 20,
    containers: app(
      web(httpd(21450)),
      {
        lifecycle: { postStart: { exec: { command: ['sleep', '5'] } } },
        // The attempt that the kubelet triggers after the hook may come a period later: docs/internals/fidelity.md.
        readinessProbe: { ...http(21450), ...SOON, periodSeconds: 1 },
      },
      { ...stopsOnTerm, exec: { 'sleep 5': [{ takes: '5.1s' }] } },
    ),
  },
  {
    name: 'pre-stop-fails',
    title: 'a preStop hook that fails is reported, and the container is stopped',
    until: 30,
    spec: { terminationGracePeriodSeconds: 5 },
    containers: app(
      web(`${httpd(21451)}; (sleep 4.5; rm /tmp/www/index.html) &`),
      {
        livenessProbe: {
          ...http(21451, '/index.html'),
          ...SOON,
          periodSeconds: 2,
          failureThreshold: 2,
        },
        lifecycle: { preStop: { exec: { command: ['sh', '-c', 'exit 7'] } } },
      },
      {
        ...stopsOnTerm,
        http: { ':21451/index.html': [{ until: '4.5s' }, { status: 404 }] },
        exec: { 'sh -c exit 7': [{ takes: QUICK, exit: 7 }] },
      },
    ),
  },
  {
    name: 'deleted',
    title: 'a deleted pod gets its preStop hook, TERM and KILL',
    until: 24,
    deleteAt: 10,
    spec: { terminationGracePeriodSeconds: 6 },
    containers: app(
      IGNORE_TERM,
      { lifecycle: { preStop: { exec: { command: ['sleep', '2'] } } } },
      { stopTakes: '1h', exec: { 'sleep 2': [{ takes: '2.1s' }] } },
    ),
  },
];

const INIT: readonly Behavior[] = [
  {
    name: 'init-order',
    title: 'init containers run one after the other before the app',
    until: 18,
    initContainers: [
      { name: 'first', script: 'sleep 2.5', runs: [{ exitAfter: '2.5s' }] },
      { name: 'second', script: 'sleep 2.5', runs: [{ exitAfter: '2.5s' }] },
    ],
    containers: app(
      web(httpd(21460)),
      { readinessProbe: { ...http(21460), ...SOON, periodSeconds: 2 } },
      stopsOnTerm,
    ),
  },
  {
    name: 'init-fails',
    title: 'an init container that fails runs again after its back-off',
    until: 40,
    spec: { volumes: [{ name: 'data', emptyDir: {} }] },
    initContainers: [
      {
        name: 'init',
        script:
          'sleep 2.5; test -f /data/2 && exit 0; test -f /data/1 && touch /data/2; touch /data/1; exit 4',
        fields: { volumeMounts: [{ name: 'data', mountPath: '/data' }] },
        runs: [
          { exitAfter: '2.5s', exitCode: 4 },
          { exitAfter: '2.5s', exitCode: 4 },
          { exitAfter: '2.5s', exitCode: 0 },
        ],
      },
    ],
    containers: app(`${ON_TERM}; ${WAIT}`, {}, stopsOnTerm),
  },
  {
    name: 'init-never',
    title: 'an init container that fails under Never fails the pod',
    until: 10,
    spec: { restartPolicy: 'Never' },
    initContainers: [
      { name: 'init', script: 'sleep 2.5; exit 4', runs: [{ exitAfter: '2.5s', exitCode: 4 }] },
    ],
    containers: app(`${ON_TERM}; ${WAIT}`, {}, stopsOnTerm),
  },
  {
    name: 'sidecar-startup',
    title: "the app waits for its sidecar's startup probe",
    until: 18,
    initContainers: [
      {
        name: 'side',
        script: web(`(sleep 5.5; ${httpd(21461)}) &`),
        fields: {
          restartPolicy: 'Always',
          startupProbe: { ...http(21461), periodSeconds: 1, failureThreshold: 20 },
        },
        runs: [{ ...stopsOnTerm, http: { ':21461/': [{ until: '5.5s', refused: true }, {}] } }],
      },
    ],
    containers: app(`${ON_TERM}; ${WAIT}`, {}, stopsOnTerm),
  },
  {
    name: 'sidecar-liveness',
    title: 'a sidecar is restarted by its liveness probe, and the app is left alone',
    until: 40,
    spec: { terminationGracePeriodSeconds: 3 },
    initContainers: [
      {
        name: 'side',
        script: web(`${httpd(21462)}; (sleep 6.5; rm /tmp/www/index.html) &`),
        fields: {
          restartPolicy: 'Always',
          livenessProbe: {
            ...http(21462, '/index.html'),
            ...SOON,
            periodSeconds: 2,
            failureThreshold: 2,
          },
        },
        runs: [
          { ...stopsOnTerm, http: { ':21462/index.html': [{ until: '6.5s' }, { status: 404 }] } },
        ],
      },
    ],
    containers: app(`${ON_TERM}; ${WAIT}`, {}, stopsOnTerm),
  },
  {
    name: 'sidecar-job',
    title: 'a sidecar is stopped when the app of a job completes',
    until: 18,
    spec: { restartPolicy: 'Never', terminationGracePeriodSeconds: 5 },
    initContainers: [
      {
        name: 'side',
        script: `${ON_TERM}; ${WAIT}`,
        fields: { restartPolicy: 'Always' },
        runs: [stopsOnTerm],
      },
    ],
    containers: app('sleep 5.5', {}, { exitAfter: '5.5s', exitCode: 0 }),
  },
];

/** Each pod has ports of its own: the pods run on their node's network, all at once. */
export const BEHAVIORS: readonly Behavior[] = [
  ...HTTP,
  ...TCP,
  ...EXEC,
  ...ENDS,
  ...HOOKS,
  ...INIT,
];
