import type { Container, Pod } from '../../../api/index.js';
import type { EngineListener } from '../../../kubelet/traced-runtime.js';
import type { ExternalContainers } from '../../backing.js';
import { assertAnswers, type EngineEvents, engineEvents } from '../engine.js';
import { type Inspected, isAlive } from '../inspect.js';
import { AttachedContainer, type AttachedContainerOptions } from './attached-container.js';

/** The engine's container for one of the manifest's. */
export interface ContainerChoice {
  readonly podUID: string;
  readonly container: string;
  readonly name: string;
}

interface AttachedContainersOptions extends Omit<
  AttachedContainerOptions,
  'name' | 'refresh' | 'runs' | 'listener'
> {
  readonly choices: readonly ContainerChoice[];
  readonly onClose: () => void;
}

/** The engine's containers that kprobe is attached to, as last inspected. */
export class AttachedContainers implements ExternalContainers {
  readonly all: readonly AttachedContainer[];
  readonly #byContainer: ReadonlyMap<string, AttachedContainer>;
  #listener: Pick<EngineListener, 'onMessage' | 'onOutput' | 'onNote'> = {
    onMessage: () => undefined,
    onOutput: () => undefined,
    onNote: () => undefined,
  };
  #onStarted: (container: AttachedContainer) => Promise<void> = () => Promise.resolve();
  #events: EngineEvents | undefined;
  #refreshing: Promise<void> | undefined;

  constructor(private readonly options: AttachedContainersOptions) {
    const runs = new Map<string, number>();
    const entries = options.choices.map(({ podUID, container, name }) => {
      const attached = new AttachedContainer({
        ...options,
        name,
        runs,
        refresh: () => this.refreshAgain(),
        listener: () => this.#listener,
      });
      return [`${podUID} ${container}`, attached] as const;
    });
    this.#byContainer = new Map(entries);
    this.all = entries.map(([, attached]) => attached);
  }

  find({ metadata: { uid } }: Pod, { name }: Container): AttachedContainer | undefined {
    return this.#byContainer.get(`${uid} ${name}`);
  }

  follow(listener: EngineListener, onStarted: (container: AttachedContainer) => Promise<void>) {
    this.#listener = listener;
    this.#onStarted = onStarted;
    const container = this.all.flatMap(({ name, seen }) => [...new Set([name, seen?.id ?? name])]);
    this.#events = engineEvents(this.options.engine, { container }, (event) => {
      for (const container of this.all) container.onEvent(event);
      void this.#inspectNow().catch(() => undefined);
    });
  }

  podIPs(uid: string): readonly string[] {
    const entries = [...this.#byContainer].filter(([key]) => key.startsWith(`${uid} `));
    return entries.map(([, { seen }]) => seen?.ips ?? []).find((ips) => ips.length > 0) ?? [];
  }

  status(): Promise<void> {
    return assertAnswers(this.options.engine);
  }

  /** Inspects all containers, and reads their events from now on; rejects when the engine does not answer. */
  async refresh(): Promise<void> {
    await this.#inspectNow();
    this.#events?.ensure();
  }

  /** Inspects again, after the call under way. */
  async refreshAgain(): Promise<void> {
    await this.#refreshing?.catch(() => undefined);
    await this.#inspectNow();
  }

  async close(): Promise<void> {
    this.#events?.stop();
    this.options.onClose();
    const leaving = this.all.map(async (container) => {
      const problem = await container.close();
      if (problem === undefined) return;
      const { name } = container;
      const text = `${name} ran when kprobe came, and could not be started again: ${problem}`;
      this.#listener.onNote('warning', text);
    });
    await Promise.all([...leaving, this.options.execs.close()]);
  }

  /** Inspects all containers, or waits for the call under way. */
  #inspectNow(): Promise<void> {
    this.#refreshing ??= this.#inspectAll().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #inspectAll(): Promise<void> {
    const begun = this.options.clock.now();
    // A renamed container is the same one; after a removal, another one may have its name.
    const known = await this.#inspect(this.all.map(({ name, seen }) => seen?.id ?? name));
    const removed = this.all.filter(({ seen }) => seen !== undefined && !known.has(seen.id));
    const others = await this.#inspect(removed.map(({ name }) => name));
    const found = [...known.values(), ...others.values()];
    for (const container of this.all) {
      const { name, seen } = container;
      const current =
        known.get(seen?.id ?? '') ??
        found.find((each) => each.name === name || each.id.startsWith(name));
      if (await container.observe(current, begun)) await this.#onStarted(container);
    }
  }

  async #inspect(names: readonly string[]): Promise<ReadonlyMap<string, Inspected>> {
    const { engine } = this.options;
    const seen = await engine.inspect([...new Set(names)]);
    const shared = seen.flatMap(({ networkMode }) => networkMode.split(SHARED_NETWORK)[1] ?? []);
    const holders = (await engine.inspect([...new Set(shared)])).filter(isAlive);
    return new Map(seen.map((each) => [each.id, withNetwork(each, holders)]));
  }
}

/** The network mode of a container in the network of another one, whose id follows. */
export const SHARED_NETWORK = 'container:';

/** Gives a container in the network of one that runs, as in a pod of podman, its addresses and published ports. */
function withNetwork(container: Inspected, holders: readonly Inspected[]): Inspected {
  const holder = holders.find(({ id }) => container.networkMode === SHARED_NETWORK + id);
  if (holder === undefined) return container;
  const { networkMode, ips, published } = holder;
  return { ...container, networkMode, ips, published };
}
