import { latin1, toText } from '../../../go/byte-string.js';
import { RuntimeError } from '../../../kubelet/ports.js';
import type { Exit } from '../../../kubelet/traced-runtime.js';
import { oomKills } from '../../process-facts.js';
import { type EngineEvent, pauseMessage, sentByEngine } from '../engine.js';
import { type Inspected, isAlive } from '../inspect.js';
import type { EngineContext } from './engine-context.js';
import { containerState, type KnownContainer } from './known-pods.js';
import type { SandboxMaker } from './sandbox-maker.js';

const REMOVED: Exit = { exitCode: 137, reason: 'Removed', removed: true };

/** Reports each container's end once, whether an event, a listing or an inspection shows it first. */
export class ExitReporter {
  readonly #pending = new Map<string, Promise<void>>();
  /** The number of the system's kills for lack of memory, at the last two listings. */
  #oomKills: readonly [number, number];

  constructor(
    private readonly context: EngineContext,
    private readonly sandboxes: SandboxMaker,
    private readonly countOomKills = () => oomKills('/proc/vmstat'),
  ) {
    const count = countOomKills();
    this.#oomKills = [count, count];
  }

  async onEvent({ id, action, signal }: EngineEvent): Promise<void> {
    const known = this.context.pods.containers.get(id);
    if (known?.running !== true) return;
    if (action === 'kill') known.signal = signal;
    if (action === 'pause' || action === 'unpause') {
      const message = pauseMessage(action === 'pause', known.labels.container);
      this.context.listener.onMessage(id, message);
    }
    try {
      await this.onInspected(await this.context.engine.inspect([id]));
    } catch (error) {
      // The next listing shows it.
      if (!(error instanceof RuntimeError)) throw error;
    }
  }

  /** Takes a listing: inspects the containers that have exited; a container that is not listed was removed. */
  async onListing(states: ReadonlyMap<string, string>): Promise<void> {
    const ended: string[] = [];
    for (const known of this.context.pods.containers.values()) {
      if (!known.running) continue;
      const state = states.get(known.id);
      if (state === undefined) this.#report(known, REMOVED);
      else if (containerState(state) === 'exited') ended.push(known.id);
    }
    if (ended.length > 0) await this.onInspected(await this.context.engine.inspect(ended));
    this.#oomKills = [this.#oomKills[1], this.countOomKills()];
  }

  async onInspected(inspected: readonly Inspected[]): Promise<void> {
    await Promise.all(inspected.map((seen) => this.#onContainer(seen)));
  }

  async #onContainer(seen: Inspected): Promise<void> {
    const known = this.context.pods.containers.get(seen.id);
    if (known?.running !== true || isAlive(seen)) await this.#pending.get(seen.id);
    else await this.#endOnce(known, seen);
  }

  #endOnce(known: KnownContainer, seen: Inspected): Promise<void> {
    const ending = this.#pending.get(known.id) ?? this.#end(known, seen);
    this.#pending.set(known.id, ending);
    return ending.finally(() => this.#pending.delete(known.id));
  }

  async #end(known: KnownContainer, seen: Inspected): Promise<void> {
    const { sandboxID, messageFile } = known.labels;
    const read = this.sandboxes.volumeOf(known.labels).readMessage(sandboxID, messageFile);
    const [file] = await Promise.all([read, known.output?.drain()]);
    known.message = terminationMessage(known.policy, seen, file, known.output?.tail() ?? '');
    const { exitCode } = seen;
    // With cgroups of version 1, podman misses some of these kills; the system counts them all.
    const isCounted = seen.hasMemoryLimit && this.countOomKills() > this.#oomKills[0];
    known.oomKilled = seen.oomKilled || (exitCode === 137 && isCounted);
    this.#report(known, {
      exitCode,
      ...sentByEngine(this.context.engine, known.signal, exitCode),
      ...(known.oomKilled && { reason: 'OOMKilled', oomKilled: true }),
    });
  }

  #report(known: KnownContainer, exit: Exit): void {
    if (!known.running) return;
    known.running = false;
    known.ended = true;
    this.context.listener.onExit(known.id, exit);
  }
}

/** Bytes that are kept of the end of a message (MaxContainerTerminationMessageLength, pkg/kubelet/container/runtime.go). */
const MAX_LENGTH = 4096;

/** Returns the termination message of a container. Ports getTerminationMessage and its caller (kuberuntime_container.go). */
export function terminationMessage(
  policy: KnownContainer['policy'],
  { exitCode, error }: Pick<Inspected, 'exitCode' | 'error'>,
  file: Uint8Array,
  tail: string,
): string {
  const fallsBack = policy === 'FallbackToLogsOnError' && exitCode !== 0;
  const written = toText(latin1(file.subarray(-MAX_LENGTH)));
  const message = written === '' && fallsBack ? tail : written;
  return [error, message].filter((part) => part !== '').join(': ');
}
