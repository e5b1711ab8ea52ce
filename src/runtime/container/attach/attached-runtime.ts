import type { RuntimePod } from '../../../kubelet/ports.js';
import { FoundRuntime, type FoundRuntimeOptions } from '../../found-runtime.js';
import { assertAnswers, type Engine, EngineEvents } from '../engine.js';
import type { EngineExecs } from '../engine-execs.js';
import type { AttachedView } from './attached-view.js';

export interface AttachedRuntimeOptions extends Omit<FoundRuntimeOptions, 'name' | 'find'> {
  readonly engine: Engine;
  readonly execs: EngineExecs;
  readonly view: AttachedView;
  /** Called when the runtime closes. */
  readonly onClose: () => void;
}

/** Containers of an engine that kprobe did not make; others are what answers at their ports. */
export class AttachedRuntime extends FoundRuntime {
  readonly #options: AttachedRuntimeOptions;
  readonly #events: EngineEvents;

  constructor(options: AttachedRuntimeOptions) {
    const { engine, view, listener } = options;
    super({ ...options, name: engine.cli.kind.name, find: (...of) => view.find(...of) });
    this.#options = options;
    view.onRestarted = (container) => this.adopt(container);
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

  /** Leaves the containers running, with nothing of kprobe in them. */
  override async close(): Promise<void> {
    this.#events.stop();
    this.#options.onClose();
    await Promise.all([super.close(), this.#options.execs.close()]);
  }
}
