import type { ContainerView } from '../summary/container-view.js';
import type { PodSummary } from '../summary/summary.js';
import { currentRun } from './current-run.js';
import { type Restart, restartAfterExit, restartAfterKill } from './restart-forecast.js';

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
