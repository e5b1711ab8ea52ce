import type { ContainerSummary, Event } from '../../kubelet/event.js';
import type { ContainerView, RunView } from './container-view.js';
import { lastEnd, nextCrashLoop } from './crash-loop.js';
import { foldNewRun } from './fold-probe.js';
import { appendBounded, type PodSummary } from './summary.js';

/** Lives of a container, changes of its state, and lines of its output, that are remembered. */
const MAX_RUNS = 200;
const MAX_STATES = 1000;
const MAX_OUTPUT = 1000;
const MAX_READINESS = 1000;

type StatusEvent = Extract<Event, { kind: 'status' }>;

/** A new version of the pod's status. */
export function foldStatus(pod: PodSummary, event: StatusEvent, t: number): PodSummary {
  const { phase, reason, conditions, podStatus } = event;
  const summaries = [...event.initContainers, ...event.containers];
  const ready = conditions['Ready'] === 'True';
  const turned = ready !== (pod.readiness.at(-1)?.ready ?? false);
  return {
    ...pod,
    phase,
    reason,
    conditions,
    status: podStatus,
    containers: pod.containers.map((container) => {
      const summary = summaries.find(({ name }) => name === container.name);
      return summary === undefined ? container : withStatus(container, summary, t);
    }),
    readiness: turned ? appendBounded(pod.readiness, { t, ready }, MAX_READINESS) : pod.readiness,
    ...(ready && pod.firstReadyAt === undefined ? { firstReadyAt: t } : {}),
  };
}

function withStatus(container: ContainerView, summary: ContainerSummary, t: number): ContainerView {
  const { state, lastState, ready, started = false, restartCount } = summary;
  const last = container.states.at(-1);
  const same =
    last?.state === state &&
    last.ready === ready &&
    last.started === started &&
    container.restartCount === restartCount;
  const states = same
    ? container.states
    : appendBounded(container.states, { t, state, ready, started }, MAX_STATES);
  return { ...container, state, lastState, ready, started, restartCount, states };
}

/** What the kubelet is going to do: kills, and what is started again after a run. */
export function foldActions(
  pod: PodSummary,
  { containersToKill, containersToStart }: Extract<Event, { kind: 'actions' }>,
  t: number,
): PodSummary {
  return {
    ...pod,
    containers: pod.containers.map((container) => {
      const kill = containersToKill.find(({ name }) => name === container.name);
      const starts = containersToStart.some(({ name }) => name === container.name);
      if (kill === undefined && !starts) return container;
      const planned = starts ? withPlan(container) : container;
      return changeLastRun(planned, (run) => ({
        ...run,
        ...(kill === undefined ? {} : { killed: kill.message, killReason: kill.reason }),
        ...(starts && run.restartDecidedAt === undefined ? { restartDecidedAt: t } : {}),
      }));
    }),
  };
}

function withPlan(container: ContainerView): ContainerView {
  const lastEndedAt = lastEnd(container);
  return { ...container, planned: lastEndedAt === undefined ? {} : { lastEndedAt } };
}

type ContainerEvent = Extract<
  Event,
  {
    kind:
      | 'started'
      | 'startFailed'
      | 'stop'
      | 'exited'
      | 'output'
      | 'exec'
      | 'execDone'
      | 'backOff'
      | 'hook'
      | 'hookDone'
      | 'restartAsked';
  }
>;

/** Something that happened to a container. */
export function foldContainerEvent(
  container: ContainerView,
  event: ContainerEvent,
  t: number,
): ContainerView {
  switch (event.kind) {
    case 'started':
      return foldStart(container, { run: event.run, startedAt: t }, t);
    case 'startFailed':
      return foldStart(container, { run: event.run, startError: event.error, endedAt: t }, t);
    case 'stop': {
      const { gracePeriod } = event;
      const stopping = { ...container, stopping: { since: t, gracePeriod } };
      return changeLastRun(stopping, (run) => ({ ...run, stop: { at: t, gracePeriod } }));
    }
    case 'exited':
      return changeLastRun(without(container, 'stopping', 'hook'), (run) => ({
        ...run,
        endedAt: t,
        exitCode: event.exitCode,
      }));
    case 'output': {
      const { run, stream, text } = event;
      const output = appendBounded(container.output, { t, run, stream, text }, MAX_OUTPUT);
      return { ...container, output, outputCount: container.outputCount + 1 };
    }
    case 'backOff':
      return foldBackOff(container, event, t);
    case 'hook':
      return { ...container, hook: { name: event.hook, since: t } };
    case 'hookDone':
      return without(container, 'hook');
    case 'restartAsked':
      return changeLastRun(container, (run) => ({ ...run, restartAskedAt: t }));
    case 'exec':
    case 'execDone':
      return container;
  }
}

/** The back-off has let this start pass: the next one waits longer. */
function foldStart(container: ContainerView, run: RunView, t: number): ContainerView {
  const lastEndedAt = container.planned?.lastEndedAt;
  const started = without(container, 'backOff', 'stopping', 'planned');
  return {
    ...started,
    runs: appendBounded(container.runs, run, MAX_RUNS),
    probes: container.probes.map(foldNewRun),
    ...(lastEndedAt === undefined
      ? {}
      : { crashLoop: nextCrashLoop(container.crashLoop, lastEndedAt, t) }),
  };
}

function foldBackOff(
  container: ContainerView,
  { until, delay }: Extract<Event, { kind: 'backOff' }>,
  t: number,
): ContainerView {
  const since = container.backOff?.until === until ? container.backOff.since : t;
  const backOff = { since, until, delay };
  const { updatedAt = since } = container.crashLoop ?? {};
  return changeLastRun({ ...container, backOff, crashLoop: { delay, updatedAt } }, (run) => ({
    ...run,
    backOff,
  }));
}

function changeLastRun(container: ContainerView, change: (run: RunView) => RunView): ContainerView {
  const last = container.runs.at(-1);
  if (last === undefined) return container;
  return { ...container, runs: [...container.runs.slice(0, -1), change(last)] };
}

function without(
  container: ContainerView,
  ...keys: ('backOff' | 'stopping' | 'hook' | 'planned')[]
): ContainerView {
  const kept: { -readonly [Key in keyof ContainerView]: ContainerView[Key] } = { ...container };
  for (const key of keys) Reflect.deleteProperty(kept, key);
  return kept;
}
