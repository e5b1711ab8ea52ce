import type { Container, Pod } from '../../api/index.js';
import { type Clock, nextTurn, orTimeout } from '../../clock/clock.js';
import { goQuote } from '../../go/quote.js';
import type { EventRecorder } from '../event.js';
import { buildContainerID, formatPod } from '../pod-name.js';
import { type Runtime, RuntimeError, type RuntimePodStatus } from '../ports.js';
import { hasRestartableInitContainer, isRestartableInitContainer } from '../restart-policy.js';
import { messageOf, type SyncResult } from '../sync-result.js';
import {
  type ContainerKillReason,
  MINIMUM_GRACE_PERIOD,
  setTerminationGracePeriod,
} from './container-to-kill.js';
import type { HookRunner } from './hook-runner.js';

export interface ContainerKillerOptions {
  readonly clock: Clock;
  readonly runtime: Runtime;
  readonly recorder: EventRecorder;
  readonly hooks: HookRunner;
}

export interface Kill {
  readonly pod: Pod;
  readonly container: Container;
  /** The runtime's id. */
  readonly id: string;
  readonly message: string;
  readonly reason: ContainerKillReason;
  readonly podIPs: readonly string[];
  /** Seconds. */
  readonly gracePeriodOverride?: number | undefined;
  readonly ordering?: TerminationOrdering | undefined;
}

/** Stops containers: preStop hook, grace period, and the runtime's TERM and KILL. */
export class ContainerKiller {
  constructor(private readonly options: ContainerKillerOptions) {}

  /** Resolves when the container has exited. Ports killContainer (pkg/kubelet/kuberuntime/kuberuntime_container.go). */
  async killContainer(kill: Kill): Promise<void> {
    const { pod, container, id, reason, ordering } = kill;
    const message = kill.message === '' ? `Stopping container ${container.name}` : kill.message;
    this.options.recorder.containerEvent(pod, container, 'Normal', 'Killing', message);
    let gracePeriod = kill.gracePeriodOverride ?? setTerminationGracePeriod(pod, container, reason);
    if (container.lifecycle?.preStop !== undefined && gracePeriod > 0) {
      gracePeriod -= await this.#executePreStopHook(kill, gracePeriod);
    }
    if (ordering !== undefined && gracePeriod > 0) {
      gracePeriod -= Math.trunc(await ordering.waitForTurn(container.name, gracePeriod));
    }
    try {
      await this.options.runtime.stopContainer(id, Math.max(gracePeriod, MINIMUM_GRACE_PERIOD));
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
    const { clock } = this.options;
    const running = podStatus.containerStatuses.filter((c) => c.state === 'running');
    const ordering = hasRestartableInitContainer(pod)
      ? new TerminationOrdering(clock, pod, new Set(running.map((c) => c.name)))
      : undefined;
    const results: SyncResult[] = [];
    const kill = async (id: string, name: string): Promise<void> => {
      await nextTurn(clock);
      results.push(
        await this.#killResult(pod, name, id, podStatus.ips, gracePeriodOverride, ordering),
      );
    };
    await Promise.all(running.map(({ id, name }) => kill(id, name)));
    return [...results, await this.#stopSandboxes(podStatus)];
  }

  async #stopSandboxes({ uid, sandboxStatuses }: RuntimePodStatus): Promise<SyncResult> {
    let failed: string | undefined;
    for (const { id } of sandboxStatuses) {
      try {
        await this.options.runtime.stopPodSandbox(id);
      } catch (error) {
        if (!isNotFound(error)) failed = messageOf(error);
      }
    }
    const result = { action: 'KillPodSandbox', target: uid } as const;
    if (failed === undefined) return result;
    return { ...result, error: { reason: 'KillPodSandboxError', message: failed } };
  }

  async #killResult(
    pod: Pod,
    name: string,
    id: string,
    podIPs: readonly string[],
    gracePeriodOverride: number | undefined,
    ordering: TerminationOrdering | undefined,
  ): Promise<SyncResult> {
    const container = containerSpec(pod, name);
    if (container === undefined) {
      const containerID = goQuote(buildContainerID(this.options.runtime.name, id));
      const message = `failed to get containerSpec ${goQuote(name)} (id=${containerID}) in pod ${goQuote(formatPod(pod))} when killing container for reason ""`;
      const error = { reason: 'KillContainerError', message };
      return { action: 'KillContainer', target: name, error };
    }
    const kill = { pod, container, id, message: '', reason: 'Unknown', podIPs } as const;
    return this.killResult({ ...kill, gracePeriodOverride, ordering });
  }

  async killResult(kill: Kill): Promise<SyncResult> {
    const result = { action: 'KillContainer', target: kill.container.name } as const;
    try {
      await this.killContainer(kill);
      return result;
    } catch (error) {
      return { ...result, error: { reason: 'KillContainerError', message: messageOf(error) } };
    }
  }

  /** Returns the whole seconds of the grace period that the hook took. Ports executePreStopHook. */
  async #executePreStopHook(kill: Kill, gracePeriod: number): Promise<number> {
    const { clock, hooks, recorder } = this.options;
    const { pod, container, id, podIPs } = kill;
    const handler = container.lifecycle?.preStop;
    if (handler === undefined) return 0;
    const start = clock.now();
    const run = hooks
      .run({ name: 'preStop', pod, container, id, handler, podIPs })
      .then((error) => {
        if (error === undefined) return;
        const [reason, message] = ['FailedPreStopHook', 'PreStopHook failed'];
        recorder.containerEvent(pod, container, 'Warning', reason, message);
      });
    await orTimeout(clock, run, gracePeriod * 1000);
    return Math.trunc((clock.now() - start) / 1000);
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof RuntimeError && error.code === 'notFound';
}

/** Ports GetContainerSpec (pkg/kubelet/container/helpers.go). */
function containerSpec({ spec }: Pod, name: string): Container | undefined {
  return [
    ...(spec.initContainers ?? []),
    ...spec.containers,
    ...(spec.ephemeralContainers ?? []),
  ].find((container) => container.name === name);
}

/**
 * Orders the termination of a pod with sidecars: each waits for the regular containers and for later sidecars.
 * Ports terminationOrdering (pkg/kubelet/kuberuntime/kuberuntime_termination_order.go).
 */
export class TerminationOrdering {
  readonly #ends = new Map<string, () => void>();
  readonly #prereqs = new Map<string, readonly Promise<void>[]>();

  constructor(
    private readonly clock: Clock,
    pod: Pod,
    running: ReadonlySet<string>,
  ) {
    const add = (name: string): Promise<void> => {
      const ended = new Promise<void>((resolve) => this.#ends.set(name, resolve));
      if (!running.has(name)) this.containerTerminated(name);
      return ended;
    };
    const main = pod.spec.containers.map(({ name }) => add(name));
    let later: Promise<void>[] = [];
    for (const container of [...(pod.spec.initContainers ?? [])].reverse()) {
      const ended = add(container.name);
      if (!isRestartableInitContainer(container)) continue;
      this.#prereqs.set(container.name, [...main, ...later]);
      later = [ended];
    }
  }

  /** Waits for the containers before it or the end of the grace period; returns the seconds that this took. */
  async waitForTurn(name: string, gracePeriod: number): Promise<number> {
    const start = this.clock.now();
    const prereqs = this.#prereqs.get(name) ?? [];
    if (prereqs.length > 0) {
      await orTimeout(this.clock, Promise.all(prereqs), gracePeriod * 1000);
    }
    return (this.clock.now() - start) / 1000;
  }

  containerTerminated(name: string): void {
    this.#ends.get(name)?.();
  }
}
