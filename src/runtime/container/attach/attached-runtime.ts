import type { Container, Pod } from '../../../api/index.js';
import type {
  ContainerConfig,
  ExecResult,
  Runtime,
  RuntimePod,
  RuntimePodStatus,
} from '../../../kubelet/ports.js';
import type { EngineListener } from '../../../kubelet/traced-runtime.js';
import { LocalRuntime, type LocalRuntimeOptions } from '../../local-runtime.js';
import type { StandInFor } from '../../stand-in.js';
import type { EngineCli } from '../engine-cli.js';
import { EngineEvents } from '../engine-events.js';
import { type EngineExecs, leftoverNote } from '../engine-execs.js';
import { engineTrouble } from '../engine-queries.js';
import type { AttachedContainer } from './attached-container.js';
import type { AttachedView } from './attached-view.js';

export interface AttachedRuntimeOptions extends Omit<LocalRuntimeOptions, 'name' | 'listener'> {
  readonly cli: EngineCli;
  readonly execs: EngineExecs;
  readonly view: AttachedView;
  readonly listener: EngineListener;
  /** Called when the runtime closes. */
  readonly onClose: () => void;
}

/** Containers of an engine that kprobe did not make; others are what answers at their ports. */
export class AttachedRuntime implements Runtime {
  readonly #options: AttachedRuntimeOptions;
  readonly name: string;
  readonly #local: LocalRuntime;
  readonly #events: EngineEvents;
  /** The last configuration of each container, for its next run, whoever starts it. */
  readonly #configs = new Map<AttachedContainer, ContainerConfig>();

  constructor(options: AttachedRuntimeOptions) {
    this.#options = options;
    const { cli, view, listener, standInFor } = options;
    this.name = cli.kind.name;
    this.#local = new LocalRuntime({
      ...options,
      name: this.name,
      standInFor: standIns(view, standInFor),
    });
    view.onRestarted = (container) => this.#adopt(container);
    view.onLeftovers = (name, commands) => listener.onNote('info', leftoverNote(name, commands));
    this.#events = new EngineEvents(
      cli,
      view.containers.map(({ name }) => `container=${name}`),
      (event) => {
        if (event.exitCode !== undefined) view.onDied(event.id, event.exitCode);
        void view.refresh().catch(() => undefined);
      },
    );
  }

  async status(): Promise<void> {
    const trouble = await engineTrouble(this.#options.cli);
    if (trouble !== undefined) throw trouble;
  }

  async getPods(): Promise<readonly RuntimePod[]> {
    await this.#options.view.refresh();
    this.#events.ensure();
    return this.#local.getPods();
  }

  getPodStatus(pod: RuntimePod): Promise<RuntimePodStatus> {
    return this.#local.getPodStatus(pod);
  }

  runPodSandbox(pod: Pod, attempt: number): Promise<{ id: string; ips: readonly string[] }> {
    return this.#local.runPodSandbox(pod, attempt);
  }

  stopPodSandbox(id: string): Promise<void> {
    return this.#local.stopPodSandbox(id);
  }

  removePodSandbox(id: string): Promise<void> {
    return this.#local.removePodSandbox(id);
  }

  createContainer(config: ContainerConfig): Promise<string> {
    const container = this.#options.view.find(config.pod, config.container);
    if (container !== undefined) this.#configs.set(container, config);
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

  /** Leaves the containers running, with nothing of kprobe in them. */
  async close(): Promise<void> {
    this.#events.stop();
    this.#options.onClose();
    await Promise.all([this.#local.close(), this.#options.execs.close()]);
  }

  /** Adds a run that somebody else started, which the kubelet finds at its next relist. */
  async #adopt(container: AttachedContainer): Promise<void> {
    const last = this.#configs.get(container);
    if (last === undefined) return;
    const config = { ...last, restartCount: last.restartCount + 1 };
    this.#configs.set(container, config);
    const id = await this.#local.createContainer(config);
    this.#options.listener.onFound(id, {
      pod: config.pod,
      container: config.container.name,
      running: true,
    });
    await this.#local.startContainer(id);
  }
}

function standIns(view: AttachedView, others: StandInFor): StandInFor {
  return (pod: Pod, container: Container) => {
    const attached = view.find(pod, container);
    return attached === undefined
      ? others(pod, container)
      : { kind: 'engine', container: attached };
  };
}
