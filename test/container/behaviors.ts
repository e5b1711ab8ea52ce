/** A pod whose container is a script of shell, and what the simulator is told that the script does. */
export interface Behavior {
  readonly title: string;
  /** Seconds. */
  readonly until: number;
  /** Fields of the pod's spec besides its containers. */
  readonly spec?: Record<string, unknown>;
  readonly containers: readonly Part[];
  readonly initContainers?: readonly Part[];
}

export interface Part {
  readonly name: string;
  /** Run by the shell of a container made from busybox. */
  readonly script: string;
  /** Fields of the container. */
  readonly fields?: Record<string, unknown>;
  /** What a scenario says of it. */
  readonly runs: readonly Record<string, unknown>[];
}

/** Waits for ever, and ends on TERM. */
const SERVE = 'trap "exit 143" TERM; while :; do sleep 0.1; done';
/** Waits for ever, whatever it is told. */
const IGNORE = 'trap "" TERM; while :; do sleep 1; done';
const QUICK = '90ms';

/** An engine on a busy machine may need longer than a second for a command. */
const check = (file: string) => ({
  exec: { command: ['test', '-f', file] },
  timeoutSeconds: 5,
});
const answers = (file: string, list: readonly Record<string, unknown>[]) => ({
  exec: { [`test -f ${file}`]: list.map((answer) => ({ takes: QUICK, ...answer })) },
});

export const BEHAVIORS: readonly Behavior[] = [
  {
    title: 'a container that crashes again and again is started after longer and longer',
    until: 20,
    containers: [
      { name: 'app', script: 'sleep 1.5; exit 1', runs: [{ exitAfter: '1.5s', exitCode: 1 }] },
    ],
  },
  {
    title: 'one that starts late is kept from its readiness probe by its startup probe',
    until: 12,
    containers: [
      {
        name: 'app',
        script: `(sleep 4.5; touch /tmp/up)& ${SERVE}`,
        fields: {
          startupProbe: { ...check('/tmp/up'), periodSeconds: 1, failureThreshold: 10 },
          readinessProbe: { ...check('/tmp/up'), periodSeconds: 2 },
        },
        runs: [answers('/tmp/up', [{ until: '4.5s', exit: 1 }, {}])],
      },
    ],
  },
  {
    title: 'a command that hangs is a failure at its timeout, and then a restart',
    until: 17,
    spec: { terminationGracePeriodSeconds: 5 },
    containers: [
      {
        name: 'app',
        script: `(sleep 4.5; touch /tmp/hang)& ${SERVE}`,
        fields: {
          livenessProbe: {
            exec: { command: ['sh', '-c', 'test ! -f /tmp/hang || sleep 30'] },
            timeoutSeconds: 2,
            periodSeconds: 3,
            failureThreshold: 2,
          },
        },
        runs: [
          {
            stopTakes: '60ms',
            exec: {
              'sh -c test ! -f /tmp/hang || sleep 30': [
                { until: '4.5s', takes: QUICK },
                { takes: '30s' },
              ],
            },
          },
        ],
      },
    ],
  },
  {
    title: 'a readiness command that fails keeps it from being ready, in its own words',
    until: 8,
    containers: [
      {
        name: 'app',
        script: SERVE,
        fields: {
          readinessProbe: {
            exec: { command: ['sh', '-c', 'echo out; echo err >&2; exit 3'] },
            timeoutSeconds: 5,
            periodSeconds: 2,
          },
        },
        runs: [
          {
            exec: {
              'sh -c echo out; echo err >&2; exit 3': [
                { exit: 3, takes: QUICK, stdout: 'out\n', stderr: 'err\n' },
              ],
            },
          },
        ],
      },
    ],
  },
  {
    title: 'a sidecar is started, and has started up, before the others',
    until: 10,
    initContainers: [
      {
        name: 'side',
        script: `(sleep 2.5; touch /tmp/up)& ${SERVE}`,
        fields: {
          restartPolicy: 'Always',
          startupProbe: { ...check('/tmp/up'), periodSeconds: 1, failureThreshold: 10 },
        },
        runs: [answers('/tmp/up', [{ until: '2.5s', exit: 1 }, {}])],
      },
    ],
    containers: [{ name: 'app', script: SERVE, runs: [{}] }],
  },
  {
    title: 'an init container that fails is run again before the others',
    until: 12,
    spec: { volumes: [{ name: 'data', emptyDir: {} }] },
    initContainers: [
      {
        name: 'init',
        script: 'sleep 1.5; test -f /data/again && exit 0; touch /data/again; exit 4',
        fields: { volumeMounts: [{ name: 'data', mountPath: '/data' }] },
        runs: [
          { exitAfter: '1.5s', exitCode: 4 },
          { exitAfter: '1.5s', exitCode: 0 },
        ],
      },
    ],
    containers: [{ name: 'app', script: SERVE, runs: [{}] }],
  },
  {
    title: 'a preStop hook comes before TERM, and takes of the grace period',
    until: 14,
    spec: { terminationGracePeriodSeconds: 6 },
    containers: [
      {
        name: 'app',
        script: `touch /tmp/ok; (sleep 3.5; rm /tmp/ok)& ${SERVE}`,
        fields: {
          livenessProbe: {
            ...check('/tmp/ok'),
            periodSeconds: 1,
            initialDelaySeconds: 1,
            failureThreshold: 2,
          },
          lifecycle: { preStop: { exec: { command: ['sleep', '2'] } } },
        },
        runs: [
          {
            stopTakes: '60ms',
            exec: {
              'test -f /tmp/ok': [
                { until: '3.5s', takes: QUICK },
                { exit: 1, takes: QUICK },
              ],
              'sleep 2': [{ takes: '2.1s' }],
            },
          },
        ],
      },
    ],
  },
  {
    title: "a probe's own grace period stands before the pod's",
    until: 12,
    spec: { terminationGracePeriodSeconds: 30 },
    containers: [
      {
        name: 'app',
        script: `touch /tmp/ok; (sleep 2.5; rm /tmp/ok)& ${IGNORE}`,
        fields: {
          livenessProbe: {
            ...check('/tmp/ok'),
            periodSeconds: 1,
            initialDelaySeconds: 1,
            failureThreshold: 2,
            terminationGracePeriodSeconds: 2,
          },
        },
        runs: [{ stopTakes: '1h', ...answers('/tmp/ok', [{ until: '2.5s' }, { exit: 1 }]) }],
      },
    ],
  },
  {
    title: 'what takes no notice of TERM is killed when its grace period is over',
    until: 12,
    spec: { terminationGracePeriodSeconds: 3 },
    containers: [
      {
        name: 'app',
        script: `touch /tmp/ok; (sleep 2.5; rm /tmp/ok)& ${IGNORE}`,
        fields: {
          livenessProbe: {
            ...check('/tmp/ok'),
            periodSeconds: 1,
            initialDelaySeconds: 1,
            failureThreshold: 2,
          },
        },
        runs: [{ stopTakes: '1h', ...answers('/tmp/ok', [{ until: '2.5s' }, { exit: 1 }]) }],
      },
    ],
  },
  {
    title: 'a startup probe that runs out of its budget has it started anew',
    until: 14,
    spec: { terminationGracePeriodSeconds: 5 },
    containers: [
      {
        name: 'app',
        script: SERVE,
        fields: { startupProbe: { ...check('/tmp/up'), periodSeconds: 2, failureThreshold: 2 } },
        runs: [{ stopTakes: '60ms', ...answers('/tmp/up', [{ exit: 1 }]) }],
      },
    ],
  },
  {
    title: 'readiness comes and goes with what its probe sees',
    until: 16,
    containers: [
      {
        name: 'app',
        script: `(sleep 2.5; touch /tmp/ok; sleep 4; rm /tmp/ok; sleep 4; touch /tmp/ok)& ${SERVE}`,
        fields: {
          readinessProbe: { ...check('/tmp/ok'), periodSeconds: 1, failureThreshold: 2 },
        },
        runs: [
          answers('/tmp/ok', [
            { until: '2.5s', exit: 1 },
            { until: '6.5s' },
            { until: '10.5s', exit: 1 },
            {},
          ]),
        ],
      },
    ],
  },
  {
    title: 'what completes is started again under Always',
    until: 18,
    containers: [{ name: 'app', script: 'sleep 1.5', runs: [{ exitAfter: '1.5s', exitCode: 0 }] }],
  },
  {
    title: 'what fails is started again under OnFailure, and what completes is done',
    until: 10,
    spec: { restartPolicy: 'OnFailure', volumes: [{ name: 'data', emptyDir: {} }] },
    containers: [
      {
        name: 'app',
        script: 'sleep 1.5; test -f /data/again && exit 0; touch /data/again; exit 5',
        fields: { volumeMounts: [{ name: 'data', mountPath: '/data' }] },
        runs: [
          { exitAfter: '1.5s', exitCode: 5 },
          { exitAfter: '1.5s', exitCode: 0 },
        ],
      },
    ],
  },
  {
    title: 'what completes under Never has succeeded',
    until: 7,
    spec: { restartPolicy: 'Never' },
    containers: [{ name: 'app', script: 'sleep 2', runs: [{ exitAfter: '2s', exitCode: 0 }] }],
  },
  {
    title: 'what fails under Never has failed',
    until: 7,
    spec: { restartPolicy: 'Never' },
    containers: [
      { name: 'app', script: 'sleep 2; exit 6', runs: [{ exitAfter: '2s', exitCode: 6 }] },
    ],
  },
];
