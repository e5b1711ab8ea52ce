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
  readonly #options: ExternalRuntimeOptions;
  readonly #local: LocalRuntime;
  /** The last configuration of each container, for its next run, whoever starts it. */
  readonly #configs = new Map<ExternalContainer, ContainerConfig>();

  constructor(options: ExternalRuntimeOptions) {
    const { containers, listener, backingFor, name } = options;
    this.name = name;
    this.#options = options;
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
    return this.#options.containers.status();
  }

  async getPods(uid?: string): Promise<readonly RuntimePod[]> {
    await this.#options.containers.refresh();
    return this.#local.getPods(uid);
  }

  getPodStatus(pod: RuntimePod): Promise<RuntimePodStatus> {
    return this.#local.getPodStatus(pod);
  }

  runPodSandbox(pod: Pod, attempt: number): ReturnType<Runtime['runPodSandbox']> {
    return this.#local.runPodSandbox(pod, attempt);
  }

  stopPodSandbox(id: string): Promise<void> {
    return this.#local.stopPodSandbox(id);
  }

  removePodSandbox(id: string): Promise<void> {
    return this.#local.removePodSandbox(id);
  }

  createContainer(config: ContainerConfig): Promise<string> {
    const found = this.#options.containers.find(config.pod, config.container);
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

  execSync(id: string, command: readonly string[], timeoutSeconds: number): Promise<ExecResult> {
    return this.#local.execSync(id, command, timeoutSeconds);
  }

  async close(): Promise<void> {
    await Promise.all([this.#options.containers.close(), this.#local.close()]);
  }

  /** Adds a run that somebody else started, which the kubelet finds at its next relist. */
  async #adopt(container: ExternalContainer): Promise<void> {
    const last = this.#configs.get(container);
    if (last === undefined) return;
    const { pod, container: spec, restartCount } = last;
    try {
      const id = await this.createContainer({ ...last, restartCount: restartCount + 1 });
      this.#options.listener.onFound(id, { pod, container: spec.name, running: true });
      await this.startContainer(id);
    } catch (error) {
      // The run has ended by now; the next inspection shows its end.
      if (!(error instanceof RuntimeError)) throw error;
    }
  }
}
