import { WORKER_STATES } from '../../kubelet/event.js';
import { PROBE_TYPES } from '../../kubelet/prober/probe-of.js';
import type { TraceRecord } from '../trace-record.js';
import { ENDINGS } from '../trace-record.js';
import {
  boolean,
  exitCode,
  type Fields,
  list,
  map,
  number,
  object,
  oneOf,
  optional,
  pod,
  podStatus,
  text,
} from './check.js';

const IN_POD = { pod: text };
const IN_CONTAINER = { ...IN_POD, container: text };
const IN_RUN = { ...IN_CONTAINER, run: number };
const OBSERVED = {
  at: optional(number),
  evidence: optional(oneOf('seen', 'counted', 'inferred')),
};
const OF_PROBE = { ...IN_CONTAINER, probe: oneOf(...PROBE_TYPES) };

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

/** The fields of every kind of line beside `t` and `kind`, as documented in docs/trace-format.md. */
export const RECORD_FIELDS: Readonly<Record<TraceRecord['kind'], Fields>> = {
  trace: {
    version: number,
    kprobe: text,
    kubelet: text,
    target: text,
    startedAt: optional(text),
    realRestarts: optional(list(text)),
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
  action: { ...IN_POD, do: oneOf('delete', 'update') },
  runPodSandbox: { ...IN_POD, attempt: number },
  stopPodSandbox: IN_POD,
  started: { ...IN_RUN, ...OBSERVED },
  startFailed: { ...IN_RUN, error: text },
  stop: { ...IN_RUN, ...OBSERVED, gracePeriod: number },
  exited: {
    ...IN_RUN,
    ...OBSERVED,
    exitCode: number,
    reason: optional(text),
    ending: optional(oneOf(true)),
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
  hookDone: { ...IN_CONTAINER, hook: HOOK, error: optional(text) },
  divergence: {
    ...IN_POD,
    container: optional(text),
    expected: text,
    happened: text,
    cause: optional(text),
  },
  workload: {
    ...{ workload: text, namespace: text, sentence: text, done: boolean, failed: boolean },
    replicas: optional(
      object({
        ...{ desired: number, current: number, updated: optional(number) },
        ...{ ready: number, available: number },
      }),
    ),
  },
  note: { level: oneOf('info', 'warning'), text },
  runtime: { up: boolean, error: optional(text), server: optional(text) },
};
