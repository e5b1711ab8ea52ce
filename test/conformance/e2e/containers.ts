/*
 * The end-to-end tests of containers of Kubernetes v1.36.3 (test/e2e/common/node): lifecycle hooks, init containers, restart policies and
 * container restart rules. Each has its pod, what the programs do, and what the test expects.
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
  /** The hook succeeds; a preStop hook before its container ends. */
  | { readonly kind: 'hook'; readonly hook: 'postStart' | 'preStop' }
  /** The container ends so many seconds after the deletion, or after its start when it is not deleted. */
  | { readonly kind: 'ends'; readonly after: number; readonly before: number };

export interface ContainerTest {
  readonly file: string;
  readonly title: string;
  readonly spec: Readonly<Record<string, unknown>>;
  /** The runs of each container in a scenario file. */
  readonly runs: Readonly<Record<string, readonly object[]>>;
  /** Deletes the pod after 10 s. */
  readonly isDeleted?: true;
  readonly expected: Expected;
  /** Feature gates of the test, and the first release that has them. */
  readonly gates?: readonly string[];
  readonly since?: KubernetesRelease;
}

const IMAGE = { image: 'busybox' };
const ENDS = { exitAfter: '500ms' };
const FAILS = { ...ENDS, exitCode: 1 };
const RUNS_ON = { stopTakes: '10s' };

const container = (name: string, fields: object = {}) => ({ name, ...IMAGE, ...fields });
const sidecar = (name: string, fields: object = {}) =>
  container(name, { restartPolicy: 'Always', ...fields });

const EXEC = { exec: { curl: [{}] } };
const HTTP = { http: { ':8080/echo': [{}] } };
const HOOKS: readonly (readonly [
  words: string,
  hook: 'postStart' | 'preStop',
  handler: object,
  answer: object,
])[] = (['postStart', 'preStop'] as const).flatMap((hook) => [
  [`${hook.toLowerCase()} exec`, hook, { exec: { command: ['curl'] } }, EXEC],
  [`${hook.toLowerCase()} http`, hook, { httpGet: { path: '/echo', port: 8080 } }, HTTP],
  [
    `${hook.toLowerCase()} https`,
    hook,
    { httpGet: { scheme: 'HTTPS', path: '/echo', port: 8080 } },
    HTTP,
  ],
]);

const hookTests = (place: 'container' | 'sidecar'): readonly ContainerTest[] =>
  HOOKS.map(([words, hook, handler, answer]) => {
    const hooked = { lifecycle: { [hook]: handler } };
    return {
      file: 'lifecycle_hook.go',
      title: `should execute ${words} hook properly, of a ${place}`,
      spec:
        place === 'container'
          ? { containers: [container('app', hooked)] }
          : { initContainers: [sidecar('app', hooked)], containers: [container('main')] },
      runs: { app: [{ ...RUNS_ON, ...answer }] },
      ...(hook === 'preStop' && { isDeleted: true as const }),
      expected: { kind: 'hook', hook },
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
    containers: [container('app', { lifecycle: { preStop: { sleep: { seconds } } } })],
    ...others.spec,
  },
  runs: { app: [{}] },
  isDeleted: true,
  expected,
  ...others,
});

const INIT = ['init1', 'init2'];
const initTest = (
  title: string,
  restartPolicy: string,
  runs: ContainerTest['runs'],
  expected: Expected,
): ContainerTest => ({
  file: 'init_container.go',
  title,
  spec: {
    restartPolicy,
    initContainers: INIT.map((name) => container(name)),
    containers: [container('run1')],
  },
  runs,
  expected,
});

/** Fails, then ends well, then runs on. */
const policyTest = (restartPolicy: string, phase: string, restarts: number): ContainerTest => ({
  file: 'runtime.go',
  title: `should run with the expected status, with the restart policy ${restartPolicy}`,
  spec: { restartPolicy, containers: [container('app')] },
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
  spec: { restartPolicy, containers: [container('app', fields)] },
  runs: { app: [{ ...ENDS, exitCode }] },
  expected: isRestarted
    ? { kind: 'restarted', containers: ['app'] }
    : { kind: 'phase', phase: 'Failed', restarts: { app: 0 } },
  gates: RULES,
  since: '1.34',
});

const ALL = { restartPolicyRules: rulesFor('RestartAllContainers') };
const allTest = (
  title: string,
  spec: object,
  runs: ContainerTest['runs'],
  containers: readonly string[],
  running: readonly string[],
): ContainerTest => ({
  file: 'container_restart_policy.go',
  title,
  spec: { restartPolicy: 'Never', ...spec },
  runs,
  expected: { kind: 'restarted', containers, running },
  gates: [...RULES, 'RestartAllContainersOnContainerExits', 'NodeDeclaredFeatures'],
  since: '1.35',
});

const EXIT_42 = { ...ENDS, exitCode: 42 };

export const CONTAINER_TESTS: readonly ContainerTest[] = [
  ...hookTests('container'),
  ...hookTests('sidecar'),
  sleepTest('valid prestop hook using sleep action', 50, 100, {
    kind: 'ends',
    after: 50,
    before: 100,
  }),
  sleepTest(
    'ignore terminated container',
    10,
    30,
    { kind: 'ends', after: 0, before: 10 },
    {
      spec: {
        restartPolicy: 'Never',
        containers: [container('app', { lifecycle: { preStop: { sleep: { seconds: 10 } } } })],
      },
      runs: { app: [{ exitAfter: '3s' }] },
    },
  ),
  sleepTest('prestop hook using sleep action with zero duration', 0, 30, {
    kind: 'ends',
    after: 0,
    before: 30,
  }),
  initTest(
    'should invoke init containers on a RestartNever pod',
    'Never',
    { init1: [ENDS], init2: [ENDS], run1: [ENDS] },
    { kind: 'phase', phase: 'Succeeded', initialized: 'True', initDone: INIT },
  ),
  initTest(
    'should invoke init containers on a RestartAlways pod',
    'Always',
    { init1: [ENDS], init2: [ENDS], run1: [RUNS_ON] },
    { kind: 'phase', phase: 'Running', initialized: 'True', initDone: INIT },
  ),
  initTest(
    'should not start app containers if init containers fail on a RestartAlways pod',
    'Always',
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
      initContainers: [container('init'), sidecar('sidecar')],
      containers: [container('source', { restartPolicy: 'Never', ...ALL }), container('regular')],
    },
    { init: [ENDS], sidecar: [RUNS_ON], source: [EXIT_42, RUNS_ON], regular: [RUNS_ON] },
    ['init', 'sidecar', 'source', 'regular'],
    ['source', 'regular'],
  ),
  allTest(
    'should restart all containers on sidecar container exit',
    {
      initContainers: [container('init'), sidecar('sidecar'), sidecar('source', ALL)],
      containers: [container('regular')],
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
        sidecar('sidecar'),
        container('init'),
        container('source', { restartPolicy: 'Never', ...ALL }),
      ],
      containers: [container('regular')],
    },
    { sidecar: [RUNS_ON], init: [ENDS], source: [EXIT_42, ENDS], regular: [RUNS_ON] },
    ['init', 'sidecar', 'source'],
    ['regular'],
  ),
  allTest(
    'should allow multiple RestartAllContainers actions and not introduce a loop',
    {
      containers: ['source', 'regular'].map((name) =>
        container(name, { restartPolicy: 'Never', ...ALL }),
      ),
    },
    { source: [{ exitAfter: '10s', exitCode: 42 }, RUNS_ON], regular: [RUNS_ON] },
    ['source', 'regular'],
    ['source', 'regular'],
  ),
  allTest(
    'should restart all containers on a previously restarted regular container exit',
    {
      restartPolicy: 'Always',
      containers: [container('source', { restartPolicy: 'Always', ...ALL }), container('regular')],
    },
    { source: [FAILS, EXIT_42, RUNS_ON], regular: [RUNS_ON] },
    ['source', 'regular'],
    ['source', 'regular'],
  ),
];
