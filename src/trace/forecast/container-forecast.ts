import type { Pod } from '../../api/index.js';
import { setTerminationGracePeriod } from '../../kubelet/containers/container-to-kill.js';
import { containerShouldRestart } from '../../kubelet/restart-policy.js';
import { type ContainerView, currentRun, hasCompleted } from '../summary/container-view.js';
import { crashDelay, lastEnd } from '../summary/crash-loop.js';
import type { PodSummary } from '../summary/summary.js';

/** A container's phase of life and the kubelet's next action. Times are seconds since the trace began. */
export type ContainerForecast =
  /** Not started yet; `for` is the init container or sidecar that it waits for. */
  | { readonly kind: 'waiting'; readonly for: string | undefined }
  | { readonly kind: 'running'; readonly since: number; readonly hook: string | undefined }
  /** KILL comes at `killAt` if it has not ended by then. */
  | { readonly kind: 'stopping'; readonly killAt: number; readonly restart: Restart }
  /** TERM follows preStop. */
  | { readonly kind: 'preStop'; readonly since: number }
  /** The kubelet acts on the end at its next relist. */
  | { readonly kind: 'ended'; readonly restart: Restart }
  | { readonly kind: 'backOff'; readonly until: number; readonly delay: number }
  /** It is not restarted. */
  | { readonly kind: 'done'; readonly exitCode: number | undefined };

export function forecastContainer(pod: PodSummary, container: ContainerView): ContainerForecast {
  const { stopping, backOff, hook } = container;
  if (stopping !== undefined) {
    const killAt = stopping.since + stopping.gracePeriod;
    return { kind: 'stopping', killAt, restart: restartAfterStop(pod, container) };
  }
  if (hook?.name === 'preStop') return { kind: 'preStop', since: hook.since };
  const running = currentRun(container);
  if (running !== undefined) {
    return { kind: 'running', since: running.startedAt, hook: hook?.name };
  }
  if (backOff !== undefined) return { kind: 'backOff', ...backOff };
  const last = container.runs.at(-1);
  if (last === undefined) return { kind: 'waiting', for: blocker(pod, container) };
  return forecastEnded(pod, container);
}

/** A restart that the user asked for looks to the kubelet like an exit. */
function restartAfterStop(pod: PodSummary, container: ContainerView): Restart {
  const since = container.stopping?.since ?? 0;
  const run = container.runs.at(-1);
  return run?.restartAskedAt === undefined
    ? restartAfterKill(pod.object, container, since)
    : restartAfterExit(pod.object, container, 143, since);
}

function forecastEnded(pod: PodSummary, container: ContainerView): ContainerForecast {
  const run = container.runs.at(-1);
  const exitCode = run?.startError === undefined ? run?.exitCode : 128;
  const isOver = pod.phase === 'Failed' || pod.phase === 'Succeeded';
  // An init container that has completed is not restarted.
  const isDone = container.role === 'init' && exitCode === 0;
  const restart =
    isOver || isDone
      ? ({ kind: 'none' } as const)
      : run?.killed === undefined
        ? restartAfterExit(pod.object, container, exitCode ?? 0, run?.endedAt ?? 0)
        : restartAfterKill(pod.object, container, run.endedAt ?? 0);
  return restart.kind === 'none' ? { kind: 'done', exitCode } : { kind: 'ended', restart };
}

/** Returns the init container or sidecar that has to come first. */
function blocker({ containers }: PodSummary, container: ContainerView): string | undefined {
  const before = containers.slice(0, containers.indexOf(container));
  return before.find(
    ({ role, state, started }) =>
      (role === 'init' && !hasCompleted(state)) || (role === 'sidecar' && !started),
  )?.name;
}

/** The restart after a container's end. */
export type Restart =
  | { readonly kind: 'none' }
  | { readonly kind: 'atOnce' }
  /** `delay` is the whole back-off in seconds. */
  | { readonly kind: 'after'; readonly at: number; readonly delay: number };

/**
 * Returns the restart after a kill at `t`. The sync that kills also starts, unless the previous run ended less than the
 * back-off ago; then the next sync counts the back-off from the end of the killed run.
 */
export function restartAfterKill(pod: Pod, container: ContainerView, t: number): Restart {
  const policy = container.spec.restartPolicy ?? pod.spec.restartPolicy;
  if (policy === 'Never' || isDeleted(pod)) return { kind: 'none' };
  const before =
    container.planned === undefined ? lastEnd(container) : container.planned.lastEndedAt;
  if (before === undefined || before + crashDelay(container.crashLoop, before) <= t) {
    return { kind: 'atOnce' };
  }
  return backedOff(container, t);
}

/** Returns the restart after an exit at `t`. */
function restartAfterExit(
  pod: Pod,
  container: ContainerView,
  exitCode: number,
  t: number,
): Restart {
  if (isDeleted(pod) || !containerShouldRestart(container.spec, pod.spec, exitCode)) {
    return { kind: 'none' };
  }
  return backedOff(container, t);
}

/** Returns the seconds from TERM to KILL after a failure of that probe. */
export function graceOfKill(
  pod: Pod,
  container: ContainerView,
  by: 'startup' | 'liveness',
): number {
  const reason = by === 'startup' ? 'StartupProbe' : 'LivenessProbe';
  return Math.max(2, setTerminationGracePeriod(pod, container.spec, reason));
}

function backedOff(container: ContainerView, ended: number): Restart {
  const delay = crashDelay(container.crashLoop, ended);
  return delay === 0 ? { kind: 'atOnce' } : { kind: 'after', at: ended + delay, delay };
}

function isDeleted({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined;
}
