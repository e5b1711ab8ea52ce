import type { Pod } from '../../api/index.js';
import { setTerminationGracePeriod } from '../../kubelet/containers/grace-period.js';
import { containerShouldRestart } from '../../kubelet/restart-policy.js';
import { type ContainerView, currentRun } from '../summary/container-view.js';
import { crashDelay, lastEnd } from '../summary/crash-loop.js';
import type { PodSummary } from '../summary/summary.js';

/** Where a container is in its life, and what the kubelet does about it next. Times are seconds of the trace. */
export type ContainerForecast =
  /** Not started yet: for init containers, or because the pod is new. */
  | { readonly kind: 'waiting'; readonly for: string | undefined }
  | { readonly kind: 'running'; readonly since: number; readonly hook: string | undefined }
  /** KILL comes at `killAt` if it has not ended by then. */
  | { readonly kind: 'stopping'; readonly killAt: number; readonly restart: Restart }
  /** preStop runs, and TERM comes after it. */
  | { readonly kind: 'preStop'; readonly since: number }
  /** It has ended, and the kubelet acts on that within a second or so. */
  | { readonly kind: 'ended'; readonly restart: Restart }
  | { readonly kind: 'backOff'; readonly until: number; readonly delay: number }
  /** It does not run again. */
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

/** A kill that the user asked for is to the kubelet as if it had ended by itself. */
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
  // An init container that has done its work is not run again.
  const isDone = container.role === 'init' && exitCode === 0;
  const restart =
    isOver || isDone
      ? ({ kind: 'none' } as const)
      : run?.killed === undefined
        ? restartAfterExit(pod.object, container, exitCode ?? 0, run?.endedAt ?? 0)
        : restartAfterKill(pod.object, container, run.endedAt ?? 0);
  return restart.kind === 'none' ? { kind: 'done', exitCode } : { kind: 'ended', restart };
}

/** The init container or sidecar that has to come first. */
function blocker({ containers }: PodSummary, container: ContainerView): string | undefined {
  const before = containers.slice(0, containers.indexOf(container));
  return before.find(
    ({ role, state, started }) =>
      (role === 'init' && !state.endsWith(' 0')) || (role === 'sidecar' && !started),
  )?.name;
}

/** What follows on a container's end. */
export type Restart =
  /** It stays ended. */
  | { readonly kind: 'none' }
  | { readonly kind: 'atOnce' }
  /** Not before then; `delay` is the whole back-off, in seconds. */
  | { readonly kind: 'after'; readonly at: number; readonly delay: number };

/**
 * After a kill at `t`: the sync that kills also starts, unless the run before ended less than its back-off ago. Then the
 * next sync finds the killed run, and counts from its end.
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

/** After an end by itself at `t`. */
export function restartAfterExit(
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

/** Seconds between TERM and KILL when that probe has it killed. */
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
