/*
 * The end-to-end tests of containers of Kubernetes v1.36.3 (test/e2e/common/node): lifecycle hooks, init containers, restart policies and
 * container restart rules. Each has its pod, what its programs do in a simulation, and what the test expects. Hooks reach a sidecar of the
 * pod, and not a pod of its own through that sidecar.
 *
 * Two are not played: `reduce GracePeriodSeconds during runtime` deletes with another grace period than the pod's, and `StopSignal defined
 * with pod.OS` reads the signal that a container runtime reports.
 */
import type { KubernetesRelease } from '../../../src/kubelet/release.js';

export type Expected =
  /** Each of the containers has been restarted, and those that run on do so. */
  | {
      readonly kind: 'restarted';
      readonly containers: readonly string[];
      readonly running?: readonly string[];
    }
  /** The pod gets to this phase, with these restarts and this condition. */
  | {
      readonly kind: 'phase';
      readonly phase: string;
      readonly restarts?: Readonly<Record<string, number>>;
      readonly initialized?: string;
      /** The init containers that have ended well. */
      readonly initDone?: readonly string[];
      /** The containers that never start. */
      readonly waiting?: readonly string[];
    }
  /** The hook reaches its server; a preStop hook before its container ends. */
  | {
      readonly kind: 'hook';
      readonly hook: 'postStart' | 'preStop';
      /** What the server writes of the hook's request. */
      readonly request: string;
    }
  /** The container ends so many seconds after the deletion, or after its start when the pod is not deleted. */
  | { readonly kind: 'ends'; readonly after: number; readonly before: number };

export interface ContainerTest {
  readonly file: string;
  readonly title: string;
  readonly spec: Readonly<Record<string, unknown>>;
  /** The runs of each container in a scenario file. */
  readonly runs: Readonly<Record<string, readonly object[]>>;
  /** Deletes the pod once it runs. */
  readonly isDeleted?: true;
  readonly expected: Expected;
  /** Feature gates of the test, and the first release that has them. */
  readonly gates?: readonly string[];
  readonly since?: KubernetesRelease;
}

type Argv = readonly string[];
const sh = (script: string): Argv => ['/bin/sh', '-c', script];
const PAUSE: Argv = ['/agnhost', 'pause'];
const SLEEP = sh('sleep 10000');
const TRUE = ['/bin/true'];
const FALSE = ['/bin/false'];

const ENDS = { exitAfter: '500ms' };
const FAILS = { ...ENDS, exitCode: 1 };
const RUNS_ON = { stopTakes: '10s' };

const container = (name: string, command: Argv, fields: object = {}) => ({
  name,
  command,
  ...fields,
});
const sidecar = (name: string, command: Argv, fields: object = {}) =>
  container(name, command, { restartPolicy: 'Always', ...fields });

/** A folder that outlives the containers that mount it. */
const VOLUMES = [{ name: 'workdir', emptyDir: {} }];
const mounted = (mountPath: string) => ({ volumeMounts: [{ name: 'workdir', mountPath }] });

const HANDLERS = (['postStart', 'preStop'] as const).flatMap((hook) => {
  const path = `/echo?msg=${hook.toLowerCase()}`;
  const command = ['/agnhost', 'get', path];
  const answers = { http: { [path]: [{}] } };
  const httpGet = { path, port: 8080 };
  const https = { httpGet: { ...httpGet, scheme: 'HTTPS' } };
  return [
    {
      hook,
      path,
      kind: 'exec',
      handler: { exec: { command } },
      answers: { exec: { [command.join(' ')]: [{}] } },
    },
    { hook, path, kind: 'http', handler: { httpGet }, answers },
    { hook, path, kind: 'https', handler: https, answers },
  ];
});
const TLS = ['--tls-cert-file', '/localhost.crt', '--tls-private-key-file', '/localhost.key'];

/** The server that the hook reaches. */
const redirect = (scheme: string) =>
  sidecar('redirect', ['/agnhost', 'netexec', ...(scheme === 'HTTPS' ? TLS : [])], {
    startupProbe: { httpGet: { scheme, path: '/echo?msg=startup', port: 8080 } },
  });

const hookTests = (place: 'container' | 'sidecar'): readonly ContainerTest[] =>
  HANDLERS.map(({ hook, path, kind, handler, answers }) => {
    const server = redirect(kind === 'https' ? 'HTTPS' : 'HTTP');
    const lifecycle = { [hook]: handler };
    return {
      file: 'lifecycle_hook.go',
      title: `should execute ${hook.toLowerCase()} ${kind} hook properly, of a ${place}`,
      spec:
        place === 'container'
          ? { initContainers: [server], containers: [container('app', PAUSE, { lifecycle })] }
          : {
              initContainers: [server, sidecar('app', PAUSE, { lifecycle })],
              containers: [container('main', PAUSE)],
            },
      runs: {
        redirect: [{ http: { '/echo?msg=startup': [{}] } }],
        app: [{ ...RUNS_ON, ...answers }],
      },
      ...(hook === 'preStop' && { isDeleted: true as const }),
      expected: { kind: 'hook', hook, request: `GET ${path}` },
    };
  });

const sleepTest = (
  title: string,
  seconds: number,
  grace: number,
  expected: Expected,
  others: Partial<ContainerTest> = {},
): ContainerTest => ({
  file: 'lifecycle_hook.go',
  title,
  spec: {
    terminationGracePeriodSeconds: grace,
    containers: [container('app', PAUSE, { lifecycle: { preStop: { sleep: { seconds } } } })],
    ...others.spec,
  },
  runs: { app: [{}] },
  expected,
  ...others,
});

const INIT = ['init1', 'init2'];
const initTest = (
  title: string,
  restartPolicy: string,
  [first, second, app]: readonly [Argv, Argv, Argv],
  runs: ContainerTest['runs'],
  expected: Expected,
): ContainerTest => ({
  file: 'init_container.go',
  title,
  spec: {
    restartPolicy,
    initContainers: [container('init1', first), container('init2', second)],
    containers: [container('run1', app)],
  },
  runs,
  expected,
});

/** Fails, then ends well, then runs on. */
const THREE_RUNS = `
f=/restart-count/restartCount
count=$(echo 'hello' >> $f ; wc -l $f | awk {'print $1'})
if [ $count -eq 1 ]; then
	exit 1
fi
if [ $count -eq 2 ]; then
	exit 0
fi
while true; do sleep 1; done
`;

const policyTest = (restartPolicy: string, phase: string, restarts: number): ContainerTest => ({
  file: 'runtime.go',
  title: `should run with the expected status, with the restart policy ${restartPolicy}`,
  spec: {
    restartPolicy,
    containers: [container('app', ['sh', '-c', THREE_RUNS], mounted('/restart-count'))],
    volumes: VOLUMES,
  },
  runs: { app: [FAILS, ENDS, RUNS_ON] },
  expected: { kind: 'phase', phase, restarts: { app: restarts } },
});

const rulesFor = (action: string) => [{ action, exitCodes: { operator: 'In', values: [42] } }];
const RULES = ['ContainerRestartRules'];
const ruleTest = (
  title: string,
  restartPolicy: string,
  fields: object,
  exitCode: number,
  isRestarted: boolean,
): ContainerTest => ({
  file: 'container_restart_policy.go',
  title,
  spec: { restartPolicy, containers: [container('app', sh(`exit ${exitCode}`), fields)] },
  runs: { app: [{ ...ENDS, exitCode }] },
  expected: isRestarted
    ? { kind: 'restarted', containers: ['app'] }
    : { kind: 'phase', phase: 'Failed', restarts: { app: 0 } },
  gates: RULES,
  since: '1.34',
});

const ALL = { restartPolicyRules: rulesFor('RestartAllContainers') };
/** The container whose exit restarts all, which knows by a file that it did so. */
const SOURCE = { ...ALL, ...mounted('/mnt') };
const onceThen = (first: string, then: string): Argv =>
  sh(`if [ -f /mnt/complete ]; then ${then}; else touch /mnt/complete; ${first}exit 42; fi`);
const allTest = (
  title: string,
  spec: object,
  runs: ContainerTest['runs'],
  containers: readonly string[],
  running: readonly string[],
): ContainerTest => ({
  file: 'container_restart_policy.go',
  title,
  spec: { restartPolicy: 'Never', volumes: VOLUMES, ...spec },
  runs,
  expected: { kind: 'restarted', containers, running },
  gates: [...RULES, 'RestartAllContainersOnContainerExits', 'NodeDeclaredFeatures'],
  since: '1.35',
});

const FAILS_THEN_RESTARTS = sh(
  'if [ -f /mnt/complete ]; then sleep 10000; elif [ -f /mnt/first ]; then touch /mnt/complete; exit 42; else touch /mnt/first; exit 1; fi',
);
const EXIT_42 = { ...ENDS, exitCode: 42 };

export const CONTAINER_TESTS: readonly ContainerTest[] = [
  ...hookTests('container'),
  ...hookTests('sidecar'),
  sleepTest(
    'valid prestop hook using sleep action',
    50,
    100,
    {
      kind: 'ends',
      after: 50,
      before: 100,
    },
    { isDeleted: true },
  ),
  sleepTest(
    'ignore terminated container',
    10,
    30,
    { kind: 'ends', after: 0, before: 10 },
    {
      spec: {
        restartPolicy: 'Never',
        containers: [
          container('app', sh('sleep 3'), { lifecycle: { preStop: { sleep: { seconds: 10 } } } }),
        ],
      },
      runs: { app: [{ exitAfter: '3s' }] },
    },
  ),
  sleepTest(
    'prestop hook using sleep action with zero duration',
    0,
    30,
    {
      kind: 'ends',
      after: 0,
      before: 30,
    },
    { isDeleted: true },
  ),
  initTest(
    'should invoke init containers on a RestartNever pod',
    'Never',
    [TRUE, TRUE, TRUE],
    { init1: [ENDS], init2: [ENDS], run1: [ENDS] },
    { kind: 'phase', phase: 'Succeeded', initialized: 'True', initDone: INIT },
  ),
  initTest(
    'should invoke init containers on a RestartAlways pod',
    'Always',
    [TRUE, TRUE, PAUSE],
    { init1: [ENDS], init2: [ENDS], run1: [RUNS_ON] },
    { kind: 'phase', phase: 'Running', initialized: 'True', initDone: INIT },
  ),
  initTest(
    'should not start app containers if init containers fail on a RestartAlways pod',
    'Always',
    [FALSE, TRUE, PAUSE],
    { init1: [FAILS], init2: [ENDS], run1: [RUNS_ON] },
    {
      kind: 'phase',
      phase: 'Pending',
      restarts: { init1: 3, init2: 0 },
      initialized:
        'False ContainersNotInitialized: containers with incomplete status: [init1 init2]',
      waiting: ['init2', 'run1'],
    },
  ),
  initTest(
    'should not start app containers and fail the pod if init containers fail on a RestartNever pod',
    'Never',
    [TRUE, FALSE, TRUE],
    { init1: [ENDS], init2: [FAILS], run1: [ENDS] },
    {
      kind: 'phase',
      phase: 'Failed',
      initialized: 'False ContainersNotInitialized: containers with incomplete status: [init2]',
      waiting: ['run1'],
    },
  ),
  policyTest('Always', 'Running', 2),
  policyTest('OnFailure', 'Succeeded', 1),
  policyTest('Never', 'Failed', 0),
  ruleTest(
    'should restart container on rule match',
    'Never',
    { restartPolicy: 'Never', restartPolicyRules: rulesFor('Restart') },
    42,
    true,
  ),
  ruleTest(
    'should not restart container on rule mismatch, container restart policy Never',
    'Never',
    { restartPolicy: 'Never', restartPolicyRules: rulesFor('Restart') },
    1,
    false,
  ),
  ruleTest(
    'should restart container on container-level restart policy Never',
    'Always',
    { restartPolicy: 'Never' },
    1,
    false,
  ),
  ruleTest(
    'should restart container on container-level restart policy Always',
    'Never',
    { restartPolicy: 'Always' },
    1,
    true,
  ),
  ruleTest(
    'should restart container on pod-level restart policy Always when no container-level restart policy',
    'Always',
    {},
    1,
    true,
  ),
  allTest(
    'should restart all containers on regular container exit',
    {
      initContainers: [container('init', TRUE), sidecar('sidecar', SLEEP)],
      containers: [
        container('source', onceThen('', 'sleep 10000'), { restartPolicy: 'Never', ...SOURCE }),
        container('regular', SLEEP),
      ],
    },
    { init: [ENDS], sidecar: [RUNS_ON], source: [EXIT_42, RUNS_ON], regular: [RUNS_ON] },
    ['init', 'sidecar', 'source', 'regular'],
    ['source', 'regular'],
  ),
  allTest(
    'should restart all containers on sidecar container exit',
    {
      initContainers: [
        container('init', TRUE),
        sidecar('sidecar', SLEEP),
        sidecar('source', onceThen('sleep 30; ', 'sleep 10000'), SOURCE),
      ],
      containers: [container('regular', SLEEP)],
    },
    {
      init: [ENDS],
      sidecar: [RUNS_ON],
      source: [{ exitAfter: '30s', exitCode: 42 }, RUNS_ON],
      regular: [RUNS_ON],
    },
    ['init', 'sidecar', 'source', 'regular'],
    ['regular', 'source'],
  ),
  allTest(
    'should restart init and sidecar containers on init container exit',
    {
      initContainers: [
        sidecar('sidecar', SLEEP),
        container('init', TRUE),
        container('source', onceThen('', 'exit 0'), { restartPolicy: 'Never', ...SOURCE }),
      ],
      containers: [container('regular', SLEEP)],
    },
    { sidecar: [RUNS_ON], init: [ENDS], source: [EXIT_42, ENDS], regular: [RUNS_ON] },
    ['init', 'sidecar', 'source'],
    ['regular'],
  ),
  allTest(
    'should allow multiple RestartAllContainers actions and not introduce a loop',
    {
      containers: [
        container('source', onceThen('sleep 10; ', 'sleep 10000'), {
          restartPolicy: 'Never',
          ...SOURCE,
        }),
        container('regular', SLEEP, { restartPolicy: 'Never', ...ALL }),
      ],
    },
    { source: [{ exitAfter: '10s', exitCode: 42 }, RUNS_ON], regular: [RUNS_ON] },
    ['source', 'regular'],
    ['source', 'regular'],
  ),
  allTest(
    'should restart all containers on a previously restarted regular container exit',
    {
      restartPolicy: 'Always',
      containers: [
        container('source', FAILS_THEN_RESTARTS, { restartPolicy: 'Always', ...SOURCE }),
        container('regular', SLEEP),
      ],
    },
    { source: [FAILS, EXIT_42, RUNS_ON], regular: [RUNS_ON] },
    ['source', 'regular'],
    ['source', 'regular'],
  ),
];
