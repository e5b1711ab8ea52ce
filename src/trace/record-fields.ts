import { decode, type DecodedTypes } from '../api/decode/index.js';
import { isObject } from '../api/index.js';
import { jsonNodeOf } from '../go/json.js';
import { PROBE_TYPES } from '../kubelet/prober/probe-of.js';
import { WORKER_STATES } from './event.js';
import { ENDINGS, type TraceRecord } from './trace-record.js';

/** Returns the problem of the value at `path`; undefined when it is valid. */
type FieldCheck = (value: unknown, path: string) => string | undefined;

/** Fields of an object that are checked; a later version may have others. */
type Fields = Readonly<Record<string, FieldCheck>>;

export const text: FieldCheck = (value, path) =>
  typeof value === 'string' ? undefined : mismatch(value, path, 'a string');

export const number: FieldCheck = (value, path) => {
  if (typeof value !== 'number') return mismatch(value, path, 'a number');
  return Number.isFinite(value) ? undefined : `${path} is a number that is too large`;
};

const exitCode: FieldCheck = (value, path) => {
  const isExitCode =
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;
  return isExitCode ? undefined : mismatch(value, path, 'an exit code from 0 to 255');
};

const boolean: FieldCheck = (value, path) =>
  typeof value === 'boolean' ? undefined : mismatch(value, path, 'true or false');

function oneOf(...words: readonly (string | boolean)[]): FieldCheck {
  const wanted = words.map((word) => JSON.stringify(word)).join(', ');
  return (value, path) =>
    words.some((word) => word === value) ? undefined : mismatch(value, path, `one of ${wanted}`);
}

function optional(check: FieldCheck): FieldCheck {
  return (value, path) => (value === undefined ? undefined : check(value, path));
}

function list(check: FieldCheck): FieldCheck {
  return (value, path) => {
    if (!Array.isArray(value)) return mismatch(value, path, 'a list');
    return first(value.map((item, index) => check(item, `${path}[${index}]`)));
  };
}

function map(check: FieldCheck): FieldCheck {
  return (value, path) => {
    if (!isObject(value)) return mismatch(value, path, 'an object');
    return first(Object.entries(value).map(([key, item]) => check(item, `${path}.${key}`)));
  };
}

function object(fields: Fields): FieldCheck {
  return (value, path) => {
    if (!isObject(value)) return mismatch(value, path, 'an object');
    const at = path === '' ? '' : `${path}.`;
    return first(Object.entries(fields).map(([key, check]) => check(value[key], at + key)));
  };
}

function first(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined);
}

const MAX_SHOWN = 40;

function mismatch(value: unknown, path: string, wanted: string): string {
  if (value === undefined) return `${path} is missing`;
  const found = isObject(value) ? 'an object' : Array.isArray(value) ? 'a list' : shown(value);
  return `${path} must be ${wanted}, not ${found}`;
}

function shown(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length > MAX_SHOWN ? `${json.slice(0, MAX_SHOWN)}…` : json;
}

function ofType(name: keyof DecodedTypes): FieldCheck {
  return (value, path) => {
    const { issues } = decode(jsonNodeOf(value), name);
    const issue = issues.find((issue) => issue.kind === 'wrong-type');
    return issue && `${[path, issue.path].filter(Boolean).join('.')}: ${issue.message}`;
  };
}

const CONTAINERS = list(object({ name: text, image: text }));

/** Fields that every pod of a trace has. */
const NEEDED: Fields = {
  metadata: object({ name: text, namespace: text, uid: text }),
  spec: object({
    containers: CONTAINERS,
    initContainers: optional(CONTAINERS),
    restartPolicy: text,
  }),
};

const pod: FieldCheck = (value, path) =>
  object(NEEDED)(value, path) ??
  ofType('Pod')(value, path) ??
  withoutNulls((value as { readonly spec: unknown }).spec, `${path}.spec`);

/** Rejects nulls, which kprobe never writes into a pod. */
function withoutNulls(value: unknown, path: string): string | undefined {
  if (value === null) return `${path} is null: leave it out`;
  if (typeof value !== 'object') return undefined;
  const at = (key: string): string => (Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`);
  return first(Object.entries(value).map(([key, each]) => withoutNulls(each, at(key))));
}

const podStatus: FieldCheck = (value, path) =>
  object({})(value, path) ?? ofType('PodStatus')(value, path);

const IN_POD = { pod: text };
const IN_CONTAINER = { ...IN_POD, container: text };
const IN_RUN = { ...IN_CONTAINER, run: number };
const OBSERVED = {
  at: optional(number),
  evidence: optional(oneOf('seen', 'counted', 'inferred')),
};
const OF_PROBE = { ...IN_CONTAINER, probe: oneOf(...PROBE_TYPES) };

const trialValue: FieldCheck = (value, path) =>
  typeof value === 'string' || typeof value === 'number'
    ? undefined
    : list(object({ name: text, value: text }))(value, path);

const FIGURES = object({
  readyAfter: optional(number),
  readyFor: number,
  restarts: number,
  failures: number,
});

const RESULT = oneOf('success', 'failure', 'unknown');
const HOOK = oneOf('postStart', 'preStop');

const SUMMARY = object({
  name: text,
  ready: boolean,
  started: optional(boolean),
  restartCount: number,
  state: text,
  lastState: text,
});

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
});

/** The fields of each kind of line, but `t` and `kind`, as in docs/trace-format.md. */
export const RECORD_FIELDS: Readonly<Record<TraceRecord['kind'], Fields>> = {
  trace: {
    version: number,
    kprobe: text,
    kubelet: text,
    target: text,
    startedAt: optional(text),
    realRestarts: optional(list(text)),
    featureGates: optional(map(boolean)),
    maxContainerRestartPeriod: optional(number),
    kubeletAge: optional(number),
    sources: optional(list(object({ pod: text, kind: text, name: text }))),
  },
  end: {
    how: oneOf(...ENDINGS),
    at: number,
    verdict: oneOf('holds', 'doesNotHold', 'unknown'),
    sentence: text,
    exitCode,
  },
  pod: { ...IN_POD, object: pod, at: optional(number) },
  gone: IN_POD,
  kubelet: {
    ...IN_POD,
    version: text,
    featureGates: optional(map(boolean)),
    maxContainerRestartPeriod: optional(number),
  },
  action: { ...IN_POD, do: oneOf('delete', 'update'), at: optional(number) },
  runPodSandbox: { ...IN_POD, attempt: number },
  stopPodSandbox: IN_POD,
  started: { ...IN_RUN, ...OBSERVED },
  startFailed: { ...IN_RUN, at: optional(number), error: text },
  stop: { ...IN_RUN, ...OBSERVED, gracePeriod: number },
  exited: {
    ...IN_RUN,
    ...OBSERVED,
    exitCode: number,
    reason: optional(text),
    ending: optional(oneOf(true)),
    signal: optional(text),
    oomKilled: optional(oneOf(true)),
    left: optional(list(text)),
    daemons: optional(list(number)),
    removed: optional(oneOf(true)),
    simulated: optional(oneOf(true)),
    restartedBy: optional(oneOf('engine', 'cluster', 'user')),
  },
  listening: {
    ...IN_RUN,
    started: boolean,
    sockets: list(object({ address: text, port: number })),
    processes: list(text),
    state: optional(oneOf('stopped', 'busy')),
    udp: optional(list(number)),
    unix: optional(list(text)),
  },
  trial: {
    ...OF_PROBE,
    field: text,
    to: trialValue,
    result: oneOf('success', 'failure'),
    word: text,
    latency: number,
  },
  replayed: {
    ...IN_CONTAINER,
    field: text,
    to: number,
    result: oneOf('success', 'failure'),
    length: number,
    before: FIGURES,
    after: FIGURES,
  },
  output: { ...IN_RUN, stream: oneOf('stdout', 'stderr'), text },
  exec: { ...IN_RUN, command: text },
  execDone: {
    ...IN_RUN,
    command: text,
    exit: optional(number),
    timedOut: optional(oneOf(true)),
    error: optional(text),
  },
  restartAsked: IN_RUN,
  event: {
    ...IN_POD,
    type: oneOf('Normal', 'Warning'),
    reason: text,
    message: text,
    fieldPath: optional(text),
    firstAt: optional(number),
    at: optional(number),
    count: optional(number),
  },
  status: {
    ...IN_POD,
    phase: text,
    reason: text,
    conditions: map(text),
    containers: list(SUMMARY),
    initContainers: list(SUMMARY),
    podStatus,
    at: optional(number),
  },
  attempt: {
    ...OF_PROBE,
    attempt: number,
    containerID: text,
    trigger: optional(oneOf('kubelet', 'user')),
    late: optional(number),
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
    reason: optional(text),
    tries: number,
    latency: number,
    late: optional(number),
    lastResult: RESULT,
    resultRun: number,
    threshold: number,
    set: optional(RESULT),
    nextTick: number,
    latestTick: optional(number),
    detail: optional(DETAIL),
  },
  counted: { ...OF_PROBE, successful: number, failed: number, unknown: number },
  worker: {
    ...OF_PROBE,
    state: oneOf(...WORKER_STATES),
    nextTick: optional(number),
    latestTick: optional(number),
    until: optional(number),
  },
  actions: {
    ...IN_POD,
    killPod: boolean,
    createSandbox: boolean,
    containersToStart: list(object({ name: text })),
    containersToKill: list(object({ name: text, message: text, reason: text })),
  },
  backOff: { ...IN_CONTAINER, delay: number, until: number },
  hook: { ...IN_CONTAINER, hook: HOOK },
  hookDone: { ...IN_CONTAINER, hook: HOOK, error: optional(text), ending: optional(oneOf(true)) },
  divergence: {
    ...IN_POD,
    container: optional(text),
    expected: text,
    happened: text,
    cause: optional(text),
  },
  workload: {
    workload: text,
    namespace: text,
    sentence: text,
    done: boolean,
    failed: boolean,
    onlyTimes: optional(oneOf(true)),
    replicas: optional(
      object({
        desired: number,
        current: number,
        updated: optional(number),
        ready: number,
        available: number,
      }),
    ),
  },
  note: { level: oneOf('info', 'warning'), text },
  runtime: { up: boolean, error: optional(text), server: optional(text) },
};
