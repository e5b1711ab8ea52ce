import type { ContainerSummary, Event } from '../../kubelet/event.js';
import { appendBounded, type ContainerView, type PodSummary, type RunView } from './summary.js';

/** Lives of a container, and lines of its output, that are remembered. */
const MAX_RUNS = 200;
const MAX_OUTPUT = 1000;

type StatusEvent = Extract<Event, { kind: 'status' }>;

/** A new version of the pod's status. */
export function foldStatus(pod: PodSummary, event: StatusEvent, t: number): PodSummary {
  const { phase, reason, conditions, podStatus } = event;
  const summaries = [...event.initContainers, ...event.containers];
  const becameReady = pod.firstReadyAt === undefined && conditions['Ready'] === 'True';
  return {
    ...pod,
    phase,
    reason,
    conditions,
    status: podStatus,
    containers: pod.containers.map((container) => {
      const summary = summaries.find(({ name }) => name === container.name);
      return summary === undefined ? container : withStatus(container, summary);
    }),
    ...(becameReady ? { firstReadyAt: t } : {}),
  };
}

function withStatus(container: ContainerView, summary: ContainerSummary): ContainerView {
  const { state, lastState, ready, started = false, restartCount } = summary;
  return { ...container, state, lastState, ready, started, restartCount };
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
      return changeLastRun(container, (run) => ({
        ...run,
        ...(kill === undefined ? {} : { killed: kill.message }),
        ...(starts && run.restartDecidedAt === undefined ? { restartDecidedAt: t } : {}),
      }));
    }),
  };
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
      | 'hookDone';
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
      return addRun(without(container, 'backOff', 'stopping'), { run: event.run, startedAt: t });
    case 'startFailed':
      return addRun(without(container, 'backOff'), { run: event.run, startError: event.error });
    case 'stop':
      return { ...container, stopping: { since: t, gracePeriod: event.gracePeriod } };
    case 'exited':
      return changeLastRun(without(container, 'stopping', 'hook'), (run) => ({
        ...run,
        endedAt: t,
        exitCode: event.exitCode,
      }));
    case 'output': {
      const { run, stream, text } = event;
      const output = appendBounded(container.output, { t, run, stream, text }, MAX_OUTPUT);
      return { ...container, output };
    }
    case 'backOff':
      return { ...container, backOff: { until: event.until, delay: event.delay } };
    case 'hook':
      return { ...container, hook: { name: event.hook, since: t } };
    case 'hookDone':
      return without(container, 'hook');
    case 'exec':
    case 'execDone':
      return container;
  }
}

function addRun(container: ContainerView, run: RunView): ContainerView {
  return { ...container, runs: appendBounded(container.runs, run, MAX_RUNS) };
}

function changeLastRun(container: ContainerView, change: (run: RunView) => RunView): ContainerView {
  const last = container.runs.at(-1);
  if (last === undefined) return container;
  return { ...container, runs: [...container.runs.slice(0, -1), change(last)] };
}

function without(
  container: ContainerView,
  ...keys: ('backOff' | 'stopping' | 'hook')[]
): ContainerView {
  const kept: { -readonly [Key in keyof ContainerView]: ContainerView[Key] } = { ...container };
  for (const key of keys) Reflect.deleteProperty(kept, key);
  return kept;
}
