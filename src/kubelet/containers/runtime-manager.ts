import type { Container, Pod } from '../../api/index.js';
import { goQuote } from '../../go/quote.js';
import { formatPod, podKey } from '../pod-name.js';
import type { RuntimePodStatus } from '../ports.js';
import type { ProbeResults } from '../prober/results-manager.js';
import { isRestartableInitContainer } from '../restart-policy.js';
import { isHostNetworkPod } from '../runtime-pod-status.js';
import { ignoreFailure, runtimeErrorMessage, type SyncResult } from '../sync-result.js';
import type { ContainerStarter, ContainerStarterOptions } from './container-starter.js';
import { computePodActions, type ContainerToReset, type PodActions } from './pod-actions.js';

type Shared = 'runtime' | 'recorder' | 'behavior' | 'killer' | 'emit';

interface RuntimeManagerOptions extends Pick<ContainerStarterOptions, Shared> {
  readonly probeResults: ProbeResults;
  readonly starter: ContainerStarter;
  readonly onPodSandboxReady: (pod: Pod) => void;
  readonly isPodTerminationRequested: (uid: string) => boolean;
}

/** Runs a pod's actions. Ports kubeGenericRuntimeManager (pkg/kubelet/kuberuntime). */
export class RuntimeManager {
  constructor(private readonly options: RuntimeManagerOptions) {}

  /** Returns the result of every step; a failed step ends the sync as in the kubelet. Ports SyncPod. */
  async syncPod(
    pod: Pod,
    podStatus: RuntimePodStatus,
    restartAllContainers: boolean,
  ): Promise<readonly SyncResult[]> {
    const { recorder, probeResults, behavior } = this.options;
    const actions = computePodActions(pod, podStatus, probeResults, restartAllContainers, behavior);
    this.#emitActions(pod, actions);
    if (actions.createSandbox && actions.sandboxID !== '') {
      const message = 'Pod sandbox changed, it will be killed and re-created.';
      recorder.podEvent(pod, 'Normal', 'SandboxChanged', message);
    }
    const results: SyncResult[] = [];
    if (!(await this.#killUnwanted(pod, podStatus, actions, results))) return results;
    await this.#pruneInitContainers(pod, podStatus);
    const sandbox = await this.#ensureSandbox(pod, podStatus, actions, results);
    if (sandbox !== undefined) await this.#start(pod, podStatus, actions, sandbox, results);
    return results;
  }

  killPod(pod: Pod, podStatus: RuntimePodStatus, gracePeriod?: number): Promise<SyncResult[]> {
    return this.options.killer.killPod(pod, podStatus, gracePeriod);
  }

  /** Stops containers that should not run; resolves with false when that failed. */
  async #killUnwanted(
    pod: Pod,
    podStatus: RuntimePodStatus,
    actions: PodActions,
    results: SyncResult[],
  ): Promise<boolean> {
    const { killer } = this.options;
    if (actions.killPod) {
      const killed = await killer.killPod(pod, podStatus);
      results.push(...killed);
      if (killed.some((result) => result.error !== undefined)) return false;
      if (actions.createSandbox) await this.#purgeInitContainers(pod, podStatus);
      return true;
    }
    for (const kill of actions.containersToKill) {
      const result = await killer.killResult({ ...kill, pod, podIPs: podStatus.ips });
      results.push(result);
      if (result.error !== undefined) return false;
    }
    for (const reset of actions.containersToReset) {
      const result = await this.#reset(pod, podStatus, reset);
      results.push(result);
      if (result.error !== undefined) return false;
    }
    return true;
  }

  async #reset(
    pod: Pod,
    { ips: podIPs }: RuntimePodStatus,
    { id, container, kill }: ContainerToReset,
  ): Promise<SyncResult> {
    const { killer, runtime } = this.options;
    const result = { action: 'RemoveContainer', target: container.name } as const;
    let reason = 'KillContainerError';
    try {
      if (kill) {
        await killer.killContainer({
          pod,
          container,
          id,
          message: 'killing',
          reason: 'RestartAllContainers',
          podIPs,
          gracePeriodOverride: 0,
        });
      }
      reason = 'RemoveContainerError';
      await runtime.removeContainer(id);
      return result;
    } catch (error) {
      return { ...result, error: { reason, message: runtimeErrorMessage(error) } };
    }
  }

  /** Returns the sandbox and the pod's addresses; undefined when the sandbox could not be created. */
  async #ensureSandbox(
    pod: Pod,
    podStatus: RuntimePodStatus,
    { createSandbox, sandboxID, attempt }: PodActions,
    results: SyncResult[],
  ): Promise<{ sandboxID: string; podIPs: readonly string[] } | undefined> {
    if (!createSandbox) return { sandboxID, podIPs: podStatus.ips };
    const { runtime, recorder, onPodSandboxReady } = this.options;
    const result = { action: 'CreatePodSandbox', target: formatPod(pod) } as const;
    try {
      const { id, ips } = await runtime.runPodSandbox(pod, attempt);
      results.push(result);
      onPodSandboxReady(pod);
      return { sandboxID: id, podIPs: isHostNetworkPod(pod) ? podStatus.ips : ips };
    } catch (thrown) {
      const error = runtimeErrorMessage(thrown);
      if (this.options.isPodTerminationRequested(pod.metadata.uid)) {
        // A sandbox that fails while the pod is deleted counts as no error.
        results.push(result);
      } else {
        const message = `Failed to create sandbox for pod ${goQuote(formatPod(pod))}: ${error}`;
        results.push({ ...result, error: { reason: 'CreatePodSandboxError', message } });
        const eventMessage = `Failed to create pod sandbox: ${error}`;
        recorder.podEvent(pod, 'Warning', 'FailedCreatePodSandBox', eventMessage);
      }
      return undefined;
    }
  }

  async #start(
    pod: Pod,
    podStatus: RuntimePodStatus,
    { initContainersToStart, containersToStart }: PodActions,
    sandbox: { sandboxID: string; podIPs: readonly string[] },
    results: SyncResult[],
  ): Promise<void> {
    const start = async (container: Container): Promise<boolean> => {
      const error = await this.options.starter.start({ pod, container, podStatus, ...sandbox });
      const result = { action: 'StartContainer', target: container.name } as const;
      results.push(error === undefined ? result : { ...result, error });
      return error === undefined;
    };
    for (const container of initContainersToStart) {
      // A failed start of an init container blocks the others; a sidecar's does not.
      if (!(await start(container)) && !isRestartableInitContainer(container)) return;
    }
    for (const container of containersToStart) await start(container);
  }

  /** Removes all exited init containers but the latest of each name. Ports pruneInitContainersBeforeStart. */
  async #pruneInitContainers(pod: Pod, podStatus: RuntimePodStatus): Promise<void> {
    const { runtime } = this.options;
    for (const { name } of pod.spec.initContainers ?? []) {
      const exited = podStatus.containerStatuses.filter(
        (c) => c.name === name && (c.state === 'exited' || c.state === 'unknown'),
      );
      for (const { id } of exited.slice(1)) await ignoreFailure(runtime.removeContainer(id));
    }
  }

  /** Removes all init containers, so that they run again in a new sandbox. Ports purgeInitContainers. */
  async #purgeInitContainers(pod: Pod, podStatus: RuntimePodStatus): Promise<void> {
    const { runtime } = this.options;
    const names = new Set(pod.spec.initContainers?.map(({ name }) => name));
    for (const { id, name } of podStatus.containerStatuses) {
      if (names.has(name)) await ignoreFailure(runtime.removeContainer(id));
    }
  }

  #emitActions(pod: Pod, actions: PodActions): void {
    const { killPod, createSandbox, containersToKill } = actions;
    const { runtime } = this.options;
    const starting = [...actions.initContainersToStart, ...actions.containersToStart].filter(
      (container) =>
        containersToKill.some((kill) => kill.container === container) ||
        runtime.waitingState?.(pod, container) === undefined,
    );
    if (!killPod && starting.length === 0 && containersToKill.length === 0) return;
    this.options.emit({
      kind: 'actions',
      pod: podKey(pod),
      killPod,
      createSandbox,
      containersToStart: starting.map(({ name }) => ({ name })),
      containersToKill: containersToKill.map(({ container, message, reason }) => ({
        name: container.name,
        message,
        reason,
      })),
    });
  }
}
