import type { Container, Pod } from '../api/index.js';
import { type ContainerConfig, RuntimeError } from '../kubelet/ports.js';
import type { EngineListener } from '../kubelet/traced-runtime.js';
import { LocalRuntime, type LocalRuntimeOptions } from './local-runtime.js';
import type { EngineStandIn } from './stand-in.js';

export interface FoundRuntimeOptions extends LocalRuntimeOptions {
  /** Returns the container that is there already; `standInFor` is asked for the others. */
  readonly find: (pod: Pod, container: Container) => EngineStandIn | undefined;
  readonly listener: EngineListener;
}

/** A runtime of containers that kprobe did not make, and that others start as well. */
export class FoundRuntime extends LocalRuntime {
  readonly #options: FoundRuntimeOptions;
  /** The last configuration of each container, for its next run, whoever starts it. */
  readonly #configs = new Map<EngineStandIn, ContainerConfig>();

  constructor(options: FoundRuntimeOptions) {
    const { find, standInFor } = options;
    super({
      ...options,
      standInFor: (pod, container) => {
        const found = find(pod, container);
        return found === undefined
          ? standInFor(pod, container)
          : { kind: 'engine', container: found };
      },
    });
    this.#options = options;
  }

  override createContainer(config: ContainerConfig): Promise<string> {
    const found = this.#options.find(config.pod, config.container);
    if (found !== undefined) this.#configs.set(found, config);
    return super.createContainer(config);
  }

  /** Adds a run that somebody else started, which the kubelet finds at its next relist. */
  async adopt(container: EngineStandIn): Promise<void> {
    const last = this.#configs.get(container);
    if (last === undefined) return;
    const { pod, container: spec, restartCount } = last;
    try {
      const id = await this.createContainer({ ...last, restartCount: restartCount + 1 });
      this.#options.listener.onFound(id, { pod, container: spec.name, running: true });
      await this.startContainer(id);
    } catch (error) {
      // It has ended by now, which is seen next.
      if (!(error instanceof RuntimeError)) throw error;
    }
  }
}
