import type { Container, Pod } from '../../../api/index.js';
import { RuntimeError } from '../../../kubelet/ports.js';
import type { EngineCli } from '../engine-cli.js';
import { inspectContainers } from '../engine-queries.js';
import { AttachedContainer, type AttachedContainerOptions } from './attached-container.js';

/** Which of the engine's containers stands for one of the manifest's. */
export interface ContainerChoice {
  readonly podUID: string;
  readonly container: string;
  /** The engine's name for it. */
  readonly name: string;
}

export interface AttachedViewOptions extends Omit<
  AttachedContainerOptions,
  'name' | 'look' | 'onLeftovers'
> {
  readonly choices: readonly ContainerChoice[];
}

/** The engine's containers that kprobe looks at, as they were at the last look. */
export class AttachedView {
  readonly containers: readonly AttachedContainer[];
  onNewLife: (container: AttachedContainer) => Promise<void> = () => Promise.resolve();
  onLeftovers: AttachedContainerOptions['onLeftovers'] = () => undefined;
  readonly #cli: EngineCli;
  readonly #byChoice: ReadonlyMap<string, AttachedContainer>;
  #looking: Promise<void> | undefined;

  constructor(options: AttachedViewOptions) {
    this.#cli = options.cli;
    const entries = options.choices.map(({ podUID, container, name }) => {
      const attached = new AttachedContainer({
        ...options,
        name,
        look: () => this.lookAgain(),
        onLeftovers: (...about) => this.onLeftovers(...about),
      });
      return [`${podUID} ${container}`, attached] as const;
    });
    this.#byChoice = new Map(entries);
    this.containers = entries.map(([, attached]) => attached);
  }

  find({ metadata: { uid } }: Pod, { name }: Container): AttachedContainer | undefined {
    return this.#byChoice.get(`${uid} ${name}`);
  }

  /** Looks at all of them; rejects when the engine cannot be asked. One look at a time. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** A look that begins now, after the one under way. */
  async lookAgain(): Promise<void> {
    await this.#looking?.catch(() => undefined);
    await this.look();
  }

  noteDeath(id: string, exitCode: number): void {
    for (const container of this.containers) {
      if (container.seen?.id === id) container.noteDeath(id, exitCode);
    }
  }

  async #look(): Promise<void> {
    const seen = await inspectContainers(
      this.#cli,
      this.containers.map(({ name }) => name),
    );
    for (const container of this.containers) {
      const { name } = container;
      const now = seen.find((each) => each.name === name || each.id.startsWith(name));
      if (container.observe(now)) await this.#begin(container);
    }
  }

  async #begin(container: AttachedContainer): Promise<void> {
    try {
      await this.onNewLife(container);
    } catch (error) {
      // It has ended meanwhile: the next look tells.
      if (!(error instanceof RuntimeError)) throw error;
    }
  }
}
