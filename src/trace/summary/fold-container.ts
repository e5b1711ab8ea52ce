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

type ContainerEvent =
  | Extract<
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
    >
  | { readonly kind: 'kill'; readonly message: string };

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
    case 'kill':
      return changeLastRun(container, (run) => ({ ...run, killed: event.message }));
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
