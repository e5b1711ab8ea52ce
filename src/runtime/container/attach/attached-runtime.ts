import type { ContainerConfig, RuntimePod } from '../../../kubelet/ports.js';
import type { EngineListener } from '../../../kubelet/traced-runtime.js';
import { LocalRuntime, type LocalRuntimeOptions } from '../../local-runtime.js';
import type { StandInFor } from '../../stand-in.js';
import { assertAnswers, type Engine, EngineEvents } from '../engine.js';
import type { EngineExecs } from '../engine-execs.js';
import type { AttachedContainer } from './attached-container.js';
import type { AttachedView } from './attached-view.js';

export interface AttachedRuntimeOptions extends Omit<LocalRuntimeOptions, 'name' | 'listener'> {
  readonly engine: Engine;
  readonly execs: EngineExecs;
  readonly view: AttachedView;
  readonly listener: EngineListener;
  /** Called when the runtime closes. */
  readonly onClose: () => void;
}

/** Containers of an engine that kprobe did not make; others are what answers at their ports. */
export class AttachedRuntime extends LocalRuntime {
  readonly #options: AttachedRuntimeOptions;
  readonly #events: EngineEvents;
  /** The last configuration of each container, for its next run, whoever starts it. */
  readonly #configs = new Map<AttachedContainer, ContainerConfig>();

  constructor(options: AttachedRuntimeOptions) {
    const { engine, view, listener, standInFor } = options;
    super({ ...options, name: engine.cli.kind.name, standInFor: standIns(view, standInFor) });
    this.#options = options;
    view.onRestarted = (container) => this.#adopt(container);
    view.listener = listener;
    this.#events = new EngineEvents(engine, { container: view.references() }, (event) => {
      for (const container of view.containers) container.onEvent(event);
      void view.refresh().catch(() => undefined);
    });
  }

  override status(): Promise<void> {
    return assertAnswers(this.#options.engine);
  }

  override async getPods(uid?: string): Promise<readonly RuntimePod[]> {
    await this.#options.view.refresh();
    this.#events.ensure();
    return super.getPods(uid);
  }

  override createContainer(config: ContainerConfig): Promise<string> {
    const container = this.#options.view.find(config.pod, config.container);
    if (container !== undefined) this.#configs.set(container, config);
    return super.createContainer(config);
  }

  /** Leaves the containers running, with nothing of kprobe in them. */
  override async close(): Promise<void> {
    this.#events.stop();
    this.#options.onClose();
    await Promise.all([super.close(), this.#options.execs.close()]);
  }

  /** Adds a run that somebody else started, which the kubelet finds at its next relist. */
  async #adopt(container: AttachedContainer): Promise<void> {
    const last = this.#configs.get(container);
    if (last === undefined) return;
    const config = { ...last, restartCount: last.restartCount + 1 };
    const id = await this.createContainer(config);
    const name = config.container.name;
    this.#options.listener.onFound(id, { pod: config.pod, container: name, running: true });
    await this.startContainer(id);
  }
}

function standIns(view: AttachedView, others: StandInFor): StandInFor {
  return (pod, container) => {
    const attached = view.find(pod, container);
    return attached === undefined
      ? others(pod, container)
      : { kind: 'engine', container: attached };
  };
}
