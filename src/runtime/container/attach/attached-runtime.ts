import type { Container, Pod } from '../../../api/index.js';
import type { RuntimePod } from '../../../kubelet/ports.js';
import { FoundRuntime, type FoundRuntimeOptions } from '../../found-runtime.js';
import { assertAnswers, type Engine, type EngineEvents, engineEvents } from '../engine.js';
import type { EngineExecs } from '../engine-execs.js';
import type { Inspected } from '../inspect.js';
import { AttachedContainer, type AttachedContainerOptions } from './attached-container.js';

/** The engine's container for one of the manifest's. */
export interface ContainerChoice {
  readonly podUID: string;
  readonly container: string;
  /** The engine's name for it. */
  readonly name: string;
}

interface AttachedViewOptions extends Omit<
  AttachedContainerOptions,
  'name' | 'refresh' | 'runs' | 'listener'
> {
  readonly choices: readonly ContainerChoice[];
}

/** The engine's containers that kprobe is attached to, as last inspected. */
export class AttachedView {
  readonly containers: readonly AttachedContainer[];
  onRestarted: (container: AttachedContainer) => Promise<void> = () => Promise.resolve();
  listener: ReturnType<AttachedContainerOptions['listener']> = {
    onMessage: () => undefined,
    onOutput: () => undefined,
  };
  readonly #engine: Engine;
  readonly #byChoice: ReadonlyMap<string, AttachedContainer>;
  #refreshing: Promise<void> | undefined;

  constructor(options: AttachedViewOptions) {
    this.#engine = options.engine;
    const runs = new Map<string, number>();
    const entries = options.choices.map(({ podUID, container, name }) => {
      const attached = new AttachedContainer({
        ...options,
        name,
        runs,
        refresh: () => this.refreshAgain(),
        listener: () => this.listener,
      });
      return [`${podUID} ${container}`, attached] as const;
    });
    this.#byChoice = new Map(entries);
    this.containers = entries.map(([, attached]) => attached);
  }

  find({ metadata: { uid } }: Pod, { name }: Container): AttachedContainer | undefined {
    return this.#byChoice.get(`${uid} ${name}`);
  }

  /** Inspects all of them, one call at a time; rejects when the engine does not answer. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /** Inspects again, after the call under way. */
  async refreshAgain(): Promise<void> {
    await this.#refreshing?.catch(() => undefined);
    await this.refresh();
  }

  /** Returns the names and known ids of all of them. */
  references(): readonly string[] {
    const all = this.containers.flatMap(({ name, seen }) => [name, seen?.id ?? name]);
    return [...new Set(all)];
  }

  async #refresh(): Promise<void> {
    // Renamed, a container is the same one; removed, another one may have its name.
    const known = await this.#inspect(this.containers.map(({ name, seen }) => seen?.id ?? name));
    const gone = this.containers.filter(({ seen }) => seen !== undefined && !known.has(seen.id));
    const others = await this.#inspect(gone.map(({ name }) => name));
    const all = [...known.values(), ...others.values()];
    for (const container of this.containers) {
      const { name, seen } = container;
      const now =
        known.get(seen?.id ?? '') ??
        all.find((each) => each.name === name || each.id.startsWith(name));
      if (await container.observe(now)) await this.onRestarted(container);
    }
  }

  /** Inspects containers, by their ids. */
  async #inspect(names: readonly string[]): Promise<ReadonlyMap<string, Inspected>> {
    const seen = await this.#engine.inspect([...new Set(names)]);
    return new Map(seen.map((each) => [each.id, each]));
  }
}

interface AttachedRuntimeOptions extends Omit<FoundRuntimeOptions, 'name' | 'find'> {
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
    this.#events = engineEvents(engine, { container: view.references() }, (event) => {
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
