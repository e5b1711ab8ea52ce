import type { Container, Pod } from '../api/index.js';
import {
  type ContainerConfig,
  type ExecResult,
  type Runtime,
  RuntimeError,
  type RuntimePod,
  type RuntimePodStatus,
} from '../kubelet/ports.js';
import type { EngineListener } from '../kubelet/traced-runtime.js';
import type { ExternalContainer } from './backing.js';
import { LocalRuntime, type LocalRuntimeOptions } from './local-runtime.js';

/** Containers that kprobe did not make. */
export interface ExternalContainers {
  find(pod: Pod, container: Container): ExternalContainer | undefined;
  /** Starts to report what happens to them; `onStarted` takes a container that somebody else started. */
  follow(
    listener: EngineListener,
    onStarted: (container: ExternalContainer) => Promise<void>,
  ): void;
  /** Returns the addresses of a pod that has one of them; empty where they have none. */
  podIPs(uid: string): readonly string[];
  /** Rejects while their state is unknown. */
  status(): Promise<void>;
  /** Reads their state now. */
  refresh(): Promise<void>;
  /** Leaves them as they are, with nothing of kprobe in them. */
  close(): Promise<void>;
}

export interface ExternalRuntimeOptions extends LocalRuntimeOptions {
  readonly containers: ExternalContainers;
  readonly listener: EngineListener;
}

/** A runtime of containers that others start as well; the pod's other containers have a backing on this machine. */
export class ExternalRuntime implements Runtime {
  readonly name: string;
  readonly #local: LocalRuntime;
  #isClosing = false;
  /** The last configuration of each container, for its next run, whoever starts it. */
  readonly #configs = new Map<ExternalContainer, ContainerConfig>();

  constructor(private readonly options: ExternalRuntimeOptions) {
    const { containers, listener, backingFor, name } = options;
    this.name = name;
    this.#local = new LocalRuntime({
      ...options,
      backingFor(pod, container) {
        const found = containers.find(pod, container);
        return found === undefined
          ? backingFor(pod, container)
          : { kind: 'external', container: found };
      },
    });
    containers.follow(listener, (container) => this.#adopt(container));
  }

  status(): Promise<void> {
    return this.options.containers.status();
  }

  async getPods(uid?: string): Promise<readonly RuntimePod[]> {
    await this.options.containers.refresh();
    return this.#local.getPods(uid);
  }

  async getPodStatus(pod: RuntimePod): Promise<RuntimePodStatus> {
    const status = await this.#local.getPodStatus(pod);
    const ips = this.#podIPs(pod.uid, status.ips);
    const sandboxStatuses = status.sandboxStatuses.map((sandbox) => ({ ...sandbox, ips }));
    return { ...status, ips: status.ips.length === 0 ? [] : ips, sandboxStatuses };
  }

  inspect(id: string): ReturnType<LocalRuntime['inspect']> {
    return this.#local.inspect(id);
  }

  async runPodSandbox(pod: Pod, attempt: number): ReturnType<Runtime['runPodSandbox']> {
    const { id, ips } = await this.#local.runPodSandbox(pod, attempt);
    return { id, ips: this.#podIPs(pod.metadata.uid, ips) };
  }

  stopPodSandbox(id: string): Promise<void> {
    return this.#local.stopPodSandbox(id);
  }

  removePodSandbox(id: string): Promise<void> {
    return this.#local.removePodSandbox(id);
  }

  createContainer(config: ContainerConfig): Promise<string> {
    const found = this.options.containers.find(config.pod, config.container);
    if (found !== undefined) this.#configs.set(found, config);
    return this.#local.createContainer(config);
  }

  startContainer(id: string): Promise<void> {
    return this.#local.startContainer(id);
  }

  stopContainer(id: string, gracePeriodSeconds: number): Promise<void> {
    return this.#local.stopContainer(id, gracePeriodSeconds);
  }

  removeContainer(id: string): Promise<void> {
    return this.#local.removeContainer(id);
  }

  async execSync(
    id: string,
    command: readonly string[],
    timeoutSeconds: number,
  ): Promise<ExecResult> {
    const result = await this.#local.execSync(id, command, timeoutSeconds);
    // A command that ended with kprobe has no result: the kubelet would stop the container of a failed hook.
    return this.#isClosing ? new Promise(() => undefined) : result;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all([this.options.containers.close(), this.#local.close()]);
  }

  #podIPs(uid: string, local: readonly string[]): readonly string[] {
    const ips = this.options.containers.podIPs(uid);
    return ips.length === 0 ? local : ips;
  }

  /** Adds a run that somebody else started, which the kubelet finds at its next relist. */
  async #adopt(container: ExternalContainer): Promise<void> {
    const last = this.#configs.get(container);
    if (last === undefined) return;
    const { pod, container: spec, restartCount } = last;
    try {
      const id = await this.createContainer({ ...last, restartCount: restartCount + 1 });
      this.options.listener.onFound(id, { pod, container: spec.name, running: true });
      await this.startContainer(id);
    } catch (error) {
      // The run has ended by now; the next inspection shows its end.
      if (!(error instanceof RuntimeError)) throw error;
    }
  }
}
