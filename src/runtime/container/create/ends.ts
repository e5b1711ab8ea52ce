import { latin1, toText } from '../../../go/byte-string.js';
import { RuntimeError } from '../../../kubelet/ports.js';
import { type EngineEvent, pauseMessage } from '../engine.js';
import { type Inspected, isAlive } from '../inspect.js';
import type { Created } from './created-options.js';
import { endReason, type KnownContainer, stateOf } from './created-pods.js';
import type { SandboxMaker } from './sandbox-maker.js';

/** The end of a container that was removed while it ran. */
const REMOVED = { exitCode: 137, reason: 'Removed' };

/** Reports each container's end once, whether an event, a listing or an inspection shows it first. */
export class Ends {
  readonly #created: Created;
  readonly #sandboxes: SandboxMaker;
  readonly #pending = new Map<string, Promise<void>>();

  constructor(created: Created, sandboxes: SandboxMaker) {
    this.#created = created;
    this.#sandboxes = sandboxes;
  }

  async onEvent({ id, action }: EngineEvent): Promise<void> {
    const known = this.#created.pods.containers.get(id);
    if (known?.running !== true) return;
    const message = pauseMessage(action, known.labels.container);
    if (message !== undefined) this.#created.listener.onMessage(id, message);
    try {
      await this.onInspected(await this.#created.engine.inspect([id]));
    } catch (error) {
      // The next listing shows it.
      if (!(error instanceof RuntimeError)) throw error;
    }
  }

  /** Takes a listing: inspects what has ended; what is gone has ended too. */
  async onListing(states: ReadonlyMap<string, string>): Promise<void> {
    const ended: string[] = [];
    for (const known of this.#created.pods.containers.values()) {
      if (!known.running) continue;
      const state = states.get(known.id);
      if (state === undefined) this.#report(known, REMOVED);
      else if (stateOf(state) === 'exited') ended.push(known.id);
    }
    if (ended.length > 0) await this.onInspected(await this.#created.engine.inspect(ended));
  }

  /** Takes the inspection of containers. */
  async onInspected(inspected: readonly Inspected[]): Promise<void> {
    await Promise.all(inspected.map((seen) => this.#onOne(seen)));
  }

  async #onOne(seen: Inspected): Promise<void> {
    const known = this.#created.pods.containers.get(seen.id);
    if (known?.running !== true || isAlive(seen)) await this.#pending.get(seen.id);
    else await this.#once(known, seen);
  }

  #once(known: KnownContainer, seen: Inspected): Promise<void> {
    const under = this.#pending.get(known.id) ?? this.#end(known, seen);
    this.#pending.set(known.id, under);
    return under.finally(() => this.#pending.delete(known.id));
  }

  async #end(known: KnownContainer, seen: Inspected): Promise<void> {
    const { sandboxID, messageFile } = known.labels;
    const read = this.#sandboxes.volumeOf(known.labels).readMessage(sandboxID, messageFile);
    const [file] = await Promise.all([read, known.output?.drain()]);
    const { exitCode } = seen;
    known.message = terminationMessage({
      policy: known.policy,
      exitCode,
      message: seen.error,
      file,
      tail: known.output?.tail() ?? '',
    });
    const reason = endReason(seen);
    this.#report(known, { exitCode, ...(reason === 'OOMKilled' ? { reason } : {}) });
  }

  #report(
    known: KnownContainer,
    exit: { readonly exitCode: number; readonly reason?: string },
  ): void {
    if (!known.running) return;
    known.running = false;
    known.ended = true;
    this.#created.listener.onExit(known.id, exit);
  }
}

/** Bytes of a message that are kept, its last (MaxContainerTerminationMessageLength, pkg/kubelet/container/runtime.go). */
const MAX_LENGTH = 4096;

export interface TerminationMessageInput {
  readonly policy: KnownContainer['policy'];
  readonly exitCode: number;
  /** The runtime's own message about the end. */
  readonly message: string;
  /** Contents of the container's terminationMessagePath. */
  readonly file: Uint8Array;
  /** The end of its output. */
  readonly tail: string;
}

/** Returns the termination message. Ports getTerminationMessage and its caller (kuberuntime_container.go). */
export function terminationMessage(input: TerminationMessageInput): string {
  const { policy, exitCode, message, file, tail } = input;
  const fallsBack = policy === 'FallbackToLogsOnError' && exitCode !== 0;
  const said = toText(latin1(file.subarray(-MAX_LENGTH)));
  const told = said === '' && fallsBack ? tail : said;
  return [message, told].filter((part) => part !== '').join(': ');
}
