import type { Container } from '../../../api/index.js';
import { latin1, toText } from '../../../go/byte-string.js';
import { RuntimeError } from '../../../kubelet/ports.js';
import type { EngineEvent } from '../engine-events.js';
import { inspectContainers } from '../engine-queries.js';
import { type Inspected, isAlive } from '../inspect.js';
import type { CreatedOptions } from './created-options.js';
import { type CreatedPods, endReason, type KnownContainer, stateOf } from './created-pods.js';

/** How the end of a container is told that was removed while it ran. */
const REMOVED = { exitCode: 137, reason: 'Removed' };

/** Tells of each container's end, once, whoever sees it first: an event, a listing, or a close look. */
export class Ends {
  readonly #options: CreatedOptions;
  readonly #pods: CreatedPods;
  readonly #readMessage: (known: KnownContainer) => Promise<Uint8Array>;
  readonly #under = new Map<string, Promise<void>>();

  constructor(
    options: CreatedOptions,
    pods: CreatedPods,
    readMessage: (known: KnownContainer) => Promise<Uint8Array>,
  ) {
    this.#options = options;
    this.#pods = pods;
    this.#readMessage = readMessage;
  }

  async onEvent({ id }: EngineEvent): Promise<void> {
    if (this.#pods.containers.get(id)?.running !== true) return;
    try {
      await this.see(await inspectContainers(this.#options.cli, [id]));
    } catch (error) {
      // The next listing tells.
      if (!(error instanceof RuntimeError)) throw error;
    }
  }

  /** A listing was made: what has ended is looked at, and what is gone has ended. */
  async look(states: ReadonlyMap<string, string>): Promise<void> {
    const ended: string[] = [];
    for (const known of this.#pods.containers.values()) {
      if (!known.running) continue;
      const state = states.get(known.id);
      if (state === undefined) this.#tell(known, REMOVED);
      else if (stateOf(state) === 'exited') ended.push(known.id);
    }
    if (ended.length > 0) await this.see(await inspectContainers(this.#options.cli, ended));
  }

  /** Containers were looked at closely. */
  async see(inspected: readonly Inspected[]): Promise<void> {
    await Promise.all(inspected.map((seen) => this.#seeOne(seen)));
  }

  async #seeOne(seen: Inspected): Promise<void> {
    const known = this.#pods.containers.get(seen.id);
    if (known?.running !== true || isAlive(seen)) await this.#under.get(seen.id);
    else await this.#once(known, seen);
  }

  #once(known: KnownContainer, seen: Inspected): Promise<void> {
    const under = this.#under.get(known.id) ?? this.#end(known, seen);
    this.#under.set(known.id, under);
    return under.finally(() => this.#under.delete(known.id));
  }

  async #end(known: KnownContainer, seen: Inspected): Promise<void> {
    const [file] = await Promise.all([this.#readMessage(known), known.output?.drain()]);
    const { exitCode } = seen;
    known.message = terminationMessage({
      container: { terminationMessagePolicy: known.policy },
      exitCode,
      message: seen.error,
      file,
      tail: known.output?.tail() ?? '',
    });
    const reason = endReason(seen);
    this.#tell(known, { exitCode, ...(reason === 'OOMKilled' ? { reason } : {}) });
  }

  #tell(
    known: KnownContainer,
    exit: { readonly exitCode: number; readonly reason?: string },
  ): void {
    if (!known.running) return;
    known.running = false;
    known.ended = true;
    this.#options.listener.onExit(known.id, exit);
  }
}

/** Bytes of a message that are kept, its last (MaxContainerTerminationMessageLength, pkg/kubelet/container/runtime.go). */
const MAX_LENGTH = 4096;

export interface TerminationMessageInput {
  readonly container: Pick<Container, 'terminationMessagePolicy'>;
  readonly exitCode: number;
  /** What the runtime said of the end. */
  readonly message: string;
  /** What the container wrote to its terminationMessagePath. */
  readonly file: Uint8Array;
  /** The end of its output. */
  readonly tail: string;
}

/** How a container says that it ended. Ports getTerminationMessage and its caller (kuberuntime_container.go). */
export function terminationMessage(input: TerminationMessageInput): string {
  const { container, exitCode, message, file, tail } = input;
  const fallsBack =
    container.terminationMessagePolicy === 'FallbackToLogsOnError' && exitCode !== 0;
  const said = toText(latin1(file.subarray(-MAX_LENGTH)));
  const told = said === '' && fallsBack ? tail : said;
  return [message, told].filter((part) => part !== '').join(': ');
}
