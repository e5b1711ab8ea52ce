import { type Container, containerNamed, type Pod } from '../../api/index.js';
import { type Clock, nextTurn, withTimeout } from '../../clock/clock.js';
import { goQuote } from '../../go/quote.js';
import type { EventRecorder } from '../event-recorder.js';
import { buildContainerID, formatPod } from '../pod-name.js';
import {
  type Runtime,
  type RuntimeContainerStatus,
  RuntimeError,
  type RuntimePodStatus,
} from '../ports.js';
import { hasRestartableInitContainer, isRestartableInitContainer } from '../restart-policy.js';
import { runtimeErrorMessage, type SyncResult } from '../sync-result.js';
import type { HookRunner } from './hook-runner.js';
import {
  type ContainerKillReason,
  MINIMUM_GRACE_PERIOD,
  setTerminationGracePeriod,
} from './termination-grace-period.js';

export interface KillRequest {
  readonly pod: Pod;
  readonly container: Container;
  readonly id: string;
  readonly message: string;
  readonly reason: ContainerKillReason;
  readonly podIPs: readonly string[];
  /** Seconds. */
  readonly gracePeriodOverride?: number | undefined;
  readonly ordering?: TerminationOrdering | undefined;
}

/** Ports containerToKillInfo (pkg/kubelet/kuberuntime/kuberuntime_manager.go). */
export type ContainerToKillInfo = Pick<KillRequest, 'id' | 'container' | 'message' | 'reason'>;

/** Returns the kill of a container in an unknown state, before it is started again. */
export function killUnknown(
  container: Container,
  status: RuntimeContainerStatus,
  subject = 'Container',
): ContainerToKillInfo {
  const message = `${subject} is in "${status.state}" state, try killing it before restart`;
  return { id: status.id, container, message, reason: 'Unknown' };
}

/** Stops containers: preStop hook, grace period, and the runtime's TERM and KILL. */
export class ContainerKiller {
  constructor(
    private readonly clock: Clock,
    private readonly runtime: Runtime,
    private readonly recorder: EventRecorder,
    private readonly hooks: HookRunner,
  ) {}

  /** Resolves when the container has exited. Ports killContainer (pkg/kubelet/kuberuntime/kuberuntime_container.go). */
  async killContainer(request: KillRequest): Promise<void> {
    const { pod, container, id, reason, ordering } = request;
    const message =
      request.message === '' ? `Stopping container ${container.name}` : request.message;
    this.recorder.containerEvent(pod, container, 'Normal', 'Killing', message);
    let gracePeriod =
      request.gracePeriodOverride ?? setTerminationGracePeriod(pod, container, reason);
    if (container.lifecycle?.preStop !== undefined && gracePeriod > 0) {
      gracePeriod -= await this.#executePreStopHook(request, gracePeriod);
    }
    if (ordering !== undefined && gracePeriod > 0) {
      gracePeriod -= Math.trunc(await ordering.waitForTurn(container.name, gracePeriod));
    }
    try {
      await this.runtime.stopContainer(id, Math.max(gracePeriod, MINIMUM_GRACE_PERIOD));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    ordering?.containerTerminated(container.name);
  }

  /**
   * Stops all running containers at once, sidecars last, then the sandboxes. Ports killPodWithSyncResult
   * (pkg/kubelet/kuberuntime/kuberuntime_manager.go).
   */
  async killPod(
    pod: Pod,
    podStatus: RuntimePodStatus,
    gracePeriodOverride?: number,
  ): Promise<SyncResult[]> {
    const { clock } = this;
    const running = podStatus.containerStatuses.filter((c) => c.state === 'running');
    const ordering = hasRestartableInitContainer(pod)
      ? new TerminationOrdering(clock, pod, new Set(running.map((c) => c.name)))
      : undefined;
    const shared = { pod, podIPs: podStatus.ips, gracePeriodOverride, ordering };
    const results: SyncResult[] = [];
    const kill = async (id: string, name: string): Promise<void> => {
      await nextTurn(clock);
      const container = containerNamed(pod.spec, name);
      results.push(
        container === undefined
          ? this.#missingSpec(pod, name, id)
          : await this.killResult({ ...shared, container, id, message: '', reason: 'Unknown' }),
      );
    };
    await Promise.all(running.map(({ id, name }) => kill(id, name)));
    return [...results, await this.#stopSandboxes(podStatus)];
  }

  async #stopSandboxes({ uid, sandboxStatuses }: RuntimePodStatus): Promise<SyncResult> {
    let message: string | undefined;
    for (const { id } of sandboxStatuses) {
      try {
        await this.runtime.stopPodSandbox(id);
      } catch (error) {
        if (!isNotFound(error)) message = runtimeErrorMessage(error);
      }
    }
    const result = { action: 'KillPodSandbox', target: uid } as const;
    if (message === undefined) return result;
    return { ...result, error: { reason: 'KillPodSandboxError', message } };
  }

  #missingSpec(pod: Pod, name: string, id: string): SyncResult {
    const containerID = goQuote(buildContainerID(this.runtime.name, id));
    const message = `failed to get containerSpec ${goQuote(name)} (id=${containerID}) in pod ${goQuote(formatPod(pod))} when killing container for reason ""`;
    const error = { reason: 'KillContainerError', message };
    return { action: 'KillContainer', target: name, error };
  }

  async killResult(request: KillRequest): Promise<SyncResult> {
    const result = { action: 'KillContainer', target: request.container.name } as const;
    try {
      await this.killContainer(request);
      return result;
    } catch (error) {
      const message = runtimeErrorMessage(error);
      return { ...result, error: { reason: 'KillContainerError', message } };
    }
  }

  /** Returns the whole seconds of the grace period that the hook took. Ports executePreStopHook. */
  async #executePreStopHook(request: KillRequest, gracePeriod: number): Promise<number> {
    const { clock, hooks, recorder } = this;
    const { pod, container, id, podIPs } = request;
    const handler = container.lifecycle?.preStop;
    if (handler === undefined) return 0;
    const start = clock.now();
    const run = hooks
      .run({ name: 'preStop', pod, container, id, handler, podIPs })
      .then((error) => {
        if (error === undefined) return;
        const message = 'PreStopHook failed';
        recorder.containerEvent(pod, container, 'Warning', 'FailedPreStopHook', message);
      });
    await withTimeout(clock, run, gracePeriod * 1000);
    return Math.trunc((clock.now() - start) / 1000);
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof RuntimeError && error.code === 'notFound';
}

/**
 * Orders the termination of a pod with sidecars: each sidecar waits for the regular containers and for later sidecars.
 * Ports terminationOrdering (pkg/kubelet/kuberuntime/kuberuntime_termination_order.go).
 */
export class TerminationOrdering {
  readonly #terminated = new Map<string, () => void>();
  readonly #prereqs = new Map<string, readonly Promise<void>[]>();

  constructor(
    private readonly clock: Clock,
    pod: Pod,
    running: ReadonlySet<string>,
  ) {
    const add = (name: string): Promise<void> => {
      const terminated = new Promise<void>((resolve) => this.#terminated.set(name, resolve));
      if (!running.has(name)) this.containerTerminated(name);
      return terminated;
    };
    const regular = pod.spec.containers.map(({ name }) => add(name));
    let laterSidecars: Promise<void>[] = [];
    for (const container of [...(pod.spec.initContainers ?? [])].reverse()) {
      const terminated = add(container.name);
      if (!isRestartableInitContainer(container)) continue;
      this.#prereqs.set(container.name, [...regular, ...laterSidecars]);
      laterSidecars = [terminated];
    }
  }

  /** Waits for the containers that end first, but no longer than the grace period; returns the seconds of the wait. */
  async waitForTurn(name: string, gracePeriod: number): Promise<number> {
    const start = this.clock.now();
    const prereqs = this.#prereqs.get(name) ?? [];
    if (prereqs.length > 0) await withTimeout(this.clock, Promise.all(prereqs), gracePeriod * 1000);
    return (this.clock.now() - start) / 1000;
  }

  containerTerminated(name: string): void {
    this.#terminated.get(name)?.();
  }
}
