import type { AttemptDetail, FailureReason } from '../kubelet/ports.js';
import {
  boolean,
  type FieldCheck,
  list,
  map,
  number,
  object,
  type ObjectOf,
  oneOf,
  optional,
  text,
} from './field-check.js';
import { POD, POD_STATUS } from './pod-check.js';

const TRUE = oneOf(true);
const PROBE = oneOf('startup', 'readiness', 'liveness');
const RESULT = oneOf('success', 'failure', 'unknown');
const HOOK = oneOf('postStart', 'preStop');

/** A pod is named `namespace/name`. */
const IN_POD = { pod: text };
const IN_CONTAINER = { ...IN_POD, container: text };
const IN_RUN = {
  ...IN_CONTAINER,
  /** Number of the container's run, from 0. */
  run: number,
};
const OF_PROBE = { ...IN_CONTAINER, probe: PROBE };

/** Fields of events of a cluster that happened before they were reported, or that were inferred. */
const OBSERVED = {
  /** When it happened according to the kubelet, in the clock's milliseconds; may be before the trace. */
  at: optional(number),
  /** Basis of a fact about a cluster's pod: reported by the kubelet, counted by its metrics, or concluded from its status. */
  evidence: optional(oneOf('seen', 'counted', 'inferred')),
};

/** Facts about the end of a process, beside its exit code. */
const PROCESS_END = {
  /** `SIGKILL`, and the engine that sent it because somebody asked it to. */
  signal: optional(text),
  sentBy: optional(text),
  /** The kernel killed it for lack of memory. */
  oomKilled: optional(TRUE),
  /** Command lines of processes that it left behind, shortened. */
  left: optional(list(text)),
  /** Ids of the daemons among them that kprobe does not end: nothing distinguishes them from other processes with certainty. */
  daemons: optional(list(number)),
  /** Something other than the kubelet removed the container. */
  removed: optional(TRUE),
  /** True when only the restart was simulated: the container's process lives on. */
  simulated: optional(TRUE),
  /** The container's log was read, and is empty. */
  wroteNothing: optional(TRUE),
  /** The engine, the cluster's kubelet or the user starts the container again, and not kprobe. */
  restartedBy: optional(oneOf('engine', 'cluster', 'user')),
};

/** Summary of a container status. States are `running`, `waiting CrashLoopBackOff`, `terminated Error 1`. */
const CONTAINER_SUMMARY = object({
  name: text,
  ready: boolean,
  started: optional(boolean),
  restartCount: number,
  state: text,
  lastState: text,
});

const TRIAL_VALUE: FieldCheck<
  number | string | readonly { readonly name: string; readonly value: string }[]
> = (value, path) =>
  typeof value === 'string' || typeof value === 'number'
    ? undefined
    : list(object({ name: text, value: text }))(value, path);

/** An attempt with another value of one field, which does not count. */
const TRIAL = {
  /** Path in the container, such as `readinessProbe.httpGet.path`. */
  field: text,
  to: TRIAL_VALUE,
  result: oneOf('success', 'failure'),
  /** The result in a word: `200`, `refused`. */
  word: text,
  /** Milliseconds. */
  latency: number,
};

/** A container's run in numbers; times are in seconds. */
const RUN_FIGURES = object({
  /** From the first start; absent when it never got ready. */
  readyAfter: optional(number),
  readyFor: number,
  restarts: number,
  /** Failures of the probe that the change is of. */
  failures: number,
});

/** A setting with which the engine has played what was recorded so far. */
const REPLAYED_CHANGE = {
  /** Path in the container, such as `startupProbe.failureThreshold`. */
  field: text,
  to: number,
  result: oneOf('success', 'failure'),
  /** Seconds that were played. */
  length: number,
  before: RUN_FIGURES,
  after: RUN_FIGURES,
};

/** Replicas of a workload, as the columns of `kubectl get` count them, and its ready endpoints. */
const REPLICAS = object({
  desired: number,
  current: number,
  /** Absent for a ReplicaSet. */
  updated: optional(number),
  ready: number,
  available: number,
  /** Pods that are ready in an EndpointSlice; absent where none belongs to a Service. */
  endpoints: optional(number),
});

/** The detail of an attempt; its body is text, or base64 where it is not UTF-8. */
const DETAIL = object({
  address: text,
  via: optional(oneOf('port-forward', 'exec', 'proxy')),
  request: optional(text),
  response: optional(text),
  body: optional(text),
  bodyB64: optional(text),
  timings: object({
    lookup: optional(number),
    connect: optional(number),
    tls: optional(number),
    firstByte: optional(number),
    total: number,
  }),
}) as FieldCheck<unknown> as FieldCheck<AttemptDetail>;

/** The events of a run by their kind, with their fields as in docs/trace-format.md. The recorder adds their time. */
export const EVENT_FIELDS = {
  runPodSandbox: { ...IN_POD, attempt: number },
  stopPodSandbox: IN_POD,
  started: { ...IN_RUN, ...OBSERVED },
  startFailed: { ...IN_RUN, at: OBSERVED.at, error: text },
  /** The runtime is asked to stop a container; the grace period is in seconds. */
  stop: { ...IN_RUN, ...OBSERVED, gracePeriod: number },
  exited: {
    ...IN_RUN,
    ...OBSERVED,
    exitCode: number,
    reason: optional(text),
    /** Set when kprobe has stopped it at the end of the run: the kubelet has not seen this. */
    ending: optional(TRUE),
    ...PROCESS_END,
  },
  /** The sockets on which the processes of a run listen, as found after an attempt. */
  listening: {
    ...IN_RUN,
    /** False where kprobe has not started the server. */
    started: boolean,
    /** Addresses have the form `127.0.0.1`, `::1`, `0.0.0.0`. */
    sockets: list(object({ address: text, port: number })),
    /** Command lines of the processes, shortened. */
    processes: list(text),
    /** Set where a process is stopped, the container is paused, or a main thread is busy. */
    state: optional(oneOf('stopped', 'paused', 'busy')),
    /** Processes of the container that the system has killed for lack of memory. */
    oomKills: optional(number),
    /** Share of the CPU periods since kprobe last looked in which its limit stopped the container. */
    throttled: optional(number),
    /** Seconds of CPU time after which the system kills one of its processes (ulimit -t). */
    cpuSeconds: optional(number),
    /** UDP ports on which it receives, and paths of UNIX sockets on which it listens, where it listens on no TCP port. */
    udp: optional(list(number)),
    unix: optional(list(text)),
    /** Servers to which they are connected, or have asked for a connection. */
    peers: optional(list(object({ address: text, port: number, isAsked: optional(TRUE) }))),
  },
  trial: { ...OF_PROBE, ...TRIAL },
  replayed: { ...IN_CONTAINER, ...REPLAYED_CHANGE },
  /** A line that a container wrote, without its line break. */
  output: { ...IN_RUN, stream: oneOf('stdout', 'stderr'), text, at: OBSERVED.at },
  /** A probe or hook starts a command in a container. */
  exec: { ...IN_RUN, command: text },
  execDone: {
    ...IN_RUN,
    command: text,
    exit: optional(number),
    timedOut: optional(TRUE),
    error: optional(text),
  },
  /** An event as `kubectl describe` lists it. */
  event: {
    ...IN_POD,
    type: oneOf('Normal', 'Warning'),
    reason: text,
    message: text,
    /** `spec.containers{app}`, or absent for the pod itself. */
    fieldPath: optional(text),
    /** First and last time in the clock's milliseconds, and the count, as a cluster reports them. */
    firstAt: optional(number),
    at: optional(number),
    count: optional(number),
  },
  /** The status manager has a new version. */
  status: {
    ...IN_POD,
    phase: text,
    reason: text,
    /** Conditions by their type: `False ContainersNotReady: containers with unready status: [app]`. */
    conditions: map(text),
    containers: list(CONTAINER_SUMMARY),
    initContainers: list(CONTAINER_SUMMARY),
    podStatus: POD_STATUS,
    /** When the Ready condition of a cluster's pod changed, in the clock's milliseconds, if that is older. */
    at: optional(number),
  },
  /** The pod as the kubelet gets it, new or changed; `at` is when a cluster's pod was created. */
  pod: { ...IN_POD, object: POD, at: optional(number) },
  /** The user or a file watcher changes the pod. */
  action: { ...IN_POD, do: oneOf('delete', 'update'), at: optional(number) },
  /** A cluster's pod is no longer there. */
  gone: IN_POD,
  /** The user stops a container's current run, as if it had been killed. */
  restartAsked: IN_RUN,
  /** A worker starts an attempt of up to three tries. */
  attempt: {
    ...OF_PROBE,
    /** Counted over the worker's life, from 1. */
    attempt: number,
    containerID: text,
    /** Set when the kubelet or the user requested the attempt. */
    trigger: optional(oneOf('kubelet', 'user')),
    /** Milliseconds by which kprobe's own tick was late, from 100 on. */
    late: optional(number),
    /** Ticks that kprobe has skipped before this attempt because it was more than a period late. */
    skipped: optional(number),
  },
  attemptDone: {
    ...OF_PROBE,
    ...OBSERVED,
    attempt: number,
    containerID: text,
    result: oneOf('success', 'warning', 'failure', 'unknown'),
    output: text,
    error: optional(text),
    statusCode: optional(number),
    exitCode: optional(number),
    reason: optional(text as FieldCheck<unknown> as FieldCheck<FailureReason>),
    tries: number,
    /** Milliseconds of all tries. */
    latency: number,
    /** Milliseconds of them by which kprobe itself was late, from 100 on. */
    late: optional(number),
    /** Last result and its count in a row after this attempt; errors don't count. */
    lastResult: RESULT,
    resultRun: number,
    threshold: number,
    /** Result that the worker set after this attempt. */
    set: optional(RESULT),
    /** Time of the next tick, in the clock's milliseconds. */
    nextTick: number,
    /** The latest time of the next tick, where it is not known exactly. */
    latestTick: optional(number),
    detail: optional(DETAIL),
  },
  /** Attempts that a cluster's kubelet has counted since the last such event. */
  counted: { ...OF_PROBE, successful: number, failed: number, unknown: number },
  /** A worker's state changed or its period restarted; times are in the clock's milliseconds. */
  worker: {
    ...OF_PROBE,
    /** Why its tick made no attempt, or `probing`. */
    state: oneOf(
      /** The status manager does not know the pod yet. */
      'noStatus',
      'noContainer',
      /** The container has exited and may be restarted. */
      'notRunning',
      'initialDelay',
      'awaitingStartup',
      /** The startup probe has succeeded. */
      'started',
      /** The result is set; the worker waits for a new container. */
      'onHold',
      'probing',
      /** The worker has ended. */
      'stopped',
    ),
    nextTick: optional(number),
    latestTick: optional(number),
    /** End of the initial delay, in state `initialDelay`. */
    until: optional(number),
  },
  actions: {
    ...IN_POD,
    killPod: boolean,
    createSandbox: boolean,
    containersToStart: list(object({ name: text })),
    containersToKill: list(object({ name: text, message: text, reason: text })),
  },
  /** A start is delayed; both times are in the clock's milliseconds. */
  backOff: { ...IN_CONTAINER, delay: number, until: number },
  hook: { ...IN_CONTAINER, hook: HOOK },
  hookDone: {
    ...IN_CONTAINER,
    hook: HOOK,
    error: optional(text),
    /** kprobe ended the run, and the hook with it. */
    ending: optional(TRUE),
  },
  /** The kubelet that has the pod. Its absence means the one that kprobe plays by default. */
  kubelet: {
    ...IN_POD,
    version: text,
    featureGates: optional(map(boolean)),
    maxContainerRestartPeriod: optional(number),
  },
  /** A cluster's kubelet did what a kubelet of its version would not do, or its node is not ready: until it is `over`. */
  divergence: {
    ...IN_POD,
    container: optional(text),
    expected: text,
    happened: text,
    /** A known cause that fits. */
    cause: optional(text),
    over: optional(TRUE),
  },
  /** State of a workload's rollout in a cluster. */
  workload: {
    /** `deployment/web` */
    workload: text,
    namespace: text,
    /** `web: 2 of 3 updated, waiting for …` */
    sentence: text,
    done: boolean,
    /** True where it will not complete without a change. */
    failed: boolean,
    /** Absent for a Job. */
    replicas: optional(REPLICAS),
    /** Set where only times have changed. */
    onlyTimes: optional(TRUE),
  },
  /** A message of kprobe about this run. */
  note: { level: oneOf('info', 'warning'), text },
  /** The runtime, or the API server of a cluster at the address `server`, has become unreachable or reachable. */
  runtime: { up: boolean, error: optional(text), server: optional(text) },
};

type EventFields = typeof EVENT_FIELDS;

/** A command in a container has ended, has run into its timeout, or could not be run. */
type ExecDone = { readonly kind: 'execDone' } & ObjectOf<EventFields['exec']> &
  ({ readonly exit: number } | { readonly timedOut: true } | { readonly error: string });

export type Event =
  | ExecDone
  | {
      [Kind in Exclude<keyof EventFields, 'execDone'>]: { readonly kind: Kind } & ObjectOf<
        EventFields[Kind]
      >;
    }[Exclude<keyof EventFields, 'execDone'>];
export type EventOf<Kind extends Event['kind']> = Extract<Event, { kind: Kind }>;
export type EmitEvent = (event: Event) => void;

type Of<Kind extends keyof EventFields> = ObjectOf<EventFields[Kind]>;

export type ProbeType = Of<'worker'>['probe'];
/** Result of a worker. Ports results.Result (pkg/kubelet/prober/results). */
export type Result = Of<'attemptDone'>['lastResult'];
export type HookName = Of<'hook'>['hook'];
export type WorkerState = Of<'worker'>['state'];
export type Evidence = NonNullable<Of<'started'>['evidence']>;
export type ContainerSummary = Of<'status'>['containers'][number];
export type ProcessEnd = ObjectOf<typeof PROCESS_END>;
export type RestartedBy = NonNullable<ProcessEnd['restartedBy']>;
export type Trial = ObjectOf<typeof TRIAL>;
export type TrialValue = Trial['to'];
export type ReplayedChange = ObjectOf<typeof REPLAYED_CHANGE>;
export type RunFigures = ReplayedChange['before'];
export type ReplicaCounts = NonNullable<Of<'workload'>['replicas']>;
export type EventType = Of<'event'>['type'];
