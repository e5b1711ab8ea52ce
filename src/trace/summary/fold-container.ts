import { omitUndefined } from '../../api/index.js';
import {
  type BackOffLimits,
  DEFAULT_BEHAVIOR,
  type ReleaseBehavior,
} from '../../kubelet/release.js';
import type { ContainerSummary, Event, EventOf } from '../event.js';
import { isPodReady, parseConditions } from './condition-view.js';
import {
  type ContainerView,
  currentRun,
  estimatedDelay,
  firstCrashLoop,
  lastEnd,
  nextCrashLoop,
  parseContainerState,
  type RunView,
} from './container-view.js';
import { foldNewRun } from './fold-probe.js';
import { appendBounded, type PodSummary } from './summary.js';

/** Entries kept of each history. */
const MAX_RUNS = 200;
const MAX_STATES = 1000;
/** The lines of two floods: of a run that has crashed, and of the next one. */
const MAX_OUTPUT = 2200;
/** Replays of one container that are made and kept. */
export const MAX_REPLAYS = 12;
const MAX_READINESS = 1000;

export function foldStatus(pod: PodSummary, event: EventOf<'status'>, t: number): PodSummary {
  const { phase, reason, podStatus } = event;
  const summaries = [...event.initContainers, ...event.containers];
  const conditions = parseConditions(event.conditions);
  const ready = isPodReady({ conditions });
  const changedAt = event.at ?? t;
  const isChanged = ready !== (pod.readiness.at(-1)?.ready ?? false);
  return {
    ...pod,
    phase,
    reason,
    conditions,
    status: podStatus,
    containers: pod.containers.map((container) => {
      const summary = summaries.find(({ name }) => name === container.name);
      return summary === undefined ? container : withStatus(pod, container, summary, t);
    }),
    readiness: isChanged
      ? appendBounded(pod.readiness, { t: changedAt, ready }, MAX_READINESS)
      : pod.readiness,
    ...(ready && pod.firstReadyAt === undefined && { firstReadyAt: changedAt }),
  };
}

function withStatus(
  { addedAt }: PodSummary,
  container: ContainerView,
  summary: ContainerSummary,
  t: number,
): ContainerView {
  const { ready, started = false, restartCount } = summary;
  const state = parseContainerState(summary.state);
  const lastState = parseContainerState(summary.lastState);
  const last = container.states.at(-1);
  const same =
    last?.state.text === state.text &&
    last.ready === ready &&
    last.started === started &&
    last.restartCount === restartCount;
  const states = same
    ? container.states
    : appendBounded(container.states, { t, state, ready, started, restartCount }, MAX_STATES);
  // A pod that is older than the trace may have restarted before.
  const isOld = addedAt < 0 && container.state.kind === 'unknown';
  const before = isOld ? { restartsBefore: restartCount } : {};
  // A status may be older than the start of the current run.
  const restarts = Math.max(restartCount, currentRun(container)?.run ?? 0);
  const shown = { state, lastState, ready, started, restartCount: restarts };
  return { ...container, ...before, ...shown, states };
}

/** Applies the kubelet's plan: kills, and starts of ended containers. */
export function foldActions(
  pod: PodSummary,
  { containersToKill, containersToStart }: EventOf<'actions'>,
  t: number,
): PodSummary {
  return {
    ...pod,
    containers: pod.containers.map((container) => {
      const kill = containersToKill.find(({ name }) => name === container.name);
      const starts = containersToStart.some(({ name }) => name === container.name);
      if (kill === undefined && !starts) return container;
      const planned = omitUndefined({ lastEndedAt: lastEnd(container) });
      return changeLastRun({ ...container, ...(starts && { planned }) }, (run) => ({
        ...run,
        ...(kill && { killed: kill.message, killReason: kill.reason }),
        ...(starts && { restartDecidedAt: run.restartDecidedAt ?? t }),
      }));
    }),
  };
}

export function foldContainerEvent(
  container: ContainerView,
  event: Extract<
    Event,
    { readonly run: number } | { kind: 'backOff' | 'hook' | 'hookDone' | 'replayed' }
  >,
  t: number,
  { crashLoopBackOff }: ReleaseBehavior = DEFAULT_BEHAVIOR,
): ContainerView {
  switch (event.kind) {
    case 'started': {
      const { run, at: startedAt = t, evidence } = event;
      const started = { run, startedAt, ...omitUndefined({ evidence }) };
      const restartCount = Math.max(container.restartCount, run);
      return foldStart({ ...container, restartCount }, started, startedAt, crashLoopBackOff);
    }
    case 'startFailed': {
      const { run, error: startError, at: endedAt = t } = event;
      return foldStart(container, { run, startError, endedAt }, endedAt, crashLoopBackOff);
    }
    case 'stop':
      return foldStop(container, event, t);
    case 'exited':
      return foldEnd(container, event, t);
    case 'listening': {
      const { started, sockets, processes, state, oomKills, throttled, cpuSeconds } = event;
      const { udp, unix, peers } = event;
      const facts = { state, oomKills, throttled, cpuSeconds, udp, unix, peers };
      const optional = omitUndefined(facts);
      return changeLastRun(container, (run) => {
        const { listening: before } = run;
        const isSame = JSON.stringify(before?.sockets) === JSON.stringify(sockets);
        const since = before !== undefined && isSame && sockets.length > 0 ? before.t : t;
        return { ...run, listening: { t: since, started, sockets, processes, ...optional } };
      });
    }
    case 'output': {
      const { run, stream, text, at = t } = event;
      const output = appendBounded(container.output, { t: at, run, stream, text }, MAX_OUTPUT);
      return { ...container, output, outputCount: container.outputCount + 1 };
    }
    case 'replayed': {
      const { field, to, result, length, before, after } = event;
      const replay = { field, to, result, length, before, after };
      return { ...container, replays: appendBounded(container.replays, replay, MAX_REPLAYS) };
    }
    case 'backOff':
      return foldBackOff(container, event, t);
    case 'hook':
      return { ...container, hook: { name: event.hook, since: t } };
    case 'hookDone':
      return foldHookDone(container, event);
    case 'restartAsked':
      return changeLastRun(container, (run) => ({ ...run, restartAskedAt: t }));
    case 'exec':
    case 'execDone':
      return container;
  }
}

function foldHookDone(
  { hook: _, ...container }: ContainerView,
  { hook, error: text }: EventOf<'hookDone'>,
): ContainerView {
  if (text === undefined || hook === 'preStop') return container;
  return changeLastRun(container, (run) => ({ ...run, hookError: { hook, text } }));
}

function foldStop(container: ContainerView, event: EventOf<'stop'>, t: number): ContainerView {
  const { at = t, gracePeriod } = event;
  const stopping = { ...container, stopping: { since: at, gracePeriod } };
  const { name, since = 0 } = container.hook ?? {};
  const preStop = name === 'preStop' ? { preStop: at - since } : {};
  return changeLastRun(stopping, (run) => ({ ...run, stop: { at, gracePeriod, ...preStop } }));
}

function foldEnd(container: ContainerView, event: EventOf<'exited'>, t: number): ContainerView {
  const { at, exitCode, signal, sentBy, left, daemons, removed } = event;
  const { simulated, restartedBy, wroteNothing } = event;
  // A cluster's kubelet reports only the reason.
  const { oomKilled = event.reason === 'OOMKilled' ? true : undefined } = event;
  const { stopping: _, hook: __, ...ended } = container;
  const end = {
    endedAt: at ?? t,
    exitCode,
    ...(event.reason === 'ContainerStatusUnknown' && { isLost: true as const }),
    ...omitUndefined({ signal, sentBy, oomKilled, left, daemons, removed }),
    ...omitUndefined({ simulated, restartedBy, wroteNothing }),
  };
  return changeLastRun(ended, (run) => ({ ...run, ...end }));
}

/** Applies a start after a back-off, which then doubles. */
function foldStart(
  container: ContainerView,
  run: RunView,
  t: number,
  limits: BackOffLimits,
): ContainerView {
  const { backOff: _, stopping: __, planned, ...started } = container;
  const lastEndedAt = planned?.lastEndedAt;
  const [oldest = run] = container.runs;
  const isKilled = container.runs.at(-1)?.killReason !== undefined;
  const first =
    oldest.run === 0
      ? undefined
      : estimatedDelay(run.run, isKilled, t - (lastEndedAt ?? t), limits);
  const crashLoop =
    lastEndedAt !== undefined
      ? nextCrashLoop(container.crashLoop, lastEndedAt, t, limits, first)
      : oldest === run
        ? firstCrashLoop(run.run, t, limits)
        : undefined;
  return {
    ...started,
    runs: appendBounded(container.runs, run, MAX_RUNS),
    probes: container.probes.map(foldNewRun),
    ...omitUndefined({ crashLoop }),
  };
}

/** Seconds within which two ends of a back-off are one: the runtime reports an end a little before kprobe sees it. */
const SAME_BACK_OFF = 0.5;

function foldBackOff(
  container: ContainerView,
  event: EventOf<'backOff'>,
  t: number,
): ContainerView {
  const { delay } = event;
  const { startedAt = 0, endedAt } = container.runs.at(-1) ?? {};
  // Right after a kill, the kubelet still counts from the end before it; its next sync counts from this one.
  const isOfRunBefore = endedAt !== undefined && event.until - delay < startedAt;
  const until = isOfRunBefore ? endedAt + delay : event.until;
  const { backOff: known } = container;
  if (known !== undefined && Math.abs(known.until - until) < SAME_BACK_OFF) return container;
  const backOff = { since: t, until, delay };
  const { updatedAt = t } = container.crashLoop ?? {};
  const delayed = { ...container, backOff, crashLoop: { delay, updatedAt } };
  return changeLastRun(delayed, (run) => ({ ...run, backOff }));
}

function changeLastRun(container: ContainerView, change: (run: RunView) => RunView): ContainerView {
  const last = container.runs.at(-1);
  if (last === undefined) return container;
  return { ...container, runs: [...container.runs.slice(0, -1), change(last)] };
}
