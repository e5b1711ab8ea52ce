import { type Clock, goLater, type Timer } from '../../clock/clock.js';
import type { EmitEvent } from '../../trace/event.js';
import type { Runtime } from '../ports.js';
import { runtimeErrorMessage } from '../sync-result.js';

/** Milliseconds between two checks of the runtime. */
const CHECK_PERIOD = 5000;
/** Milliseconds without a successful check after which the runtime is down (maxWaitForContainerRuntime). */
const SYNC_THRESHOLD = 30_000;

/** Checks the runtime. Ports runtimeState and updateRuntimeUp (pkg/kubelet). */
export class RuntimeState {
  #lastSync: number | undefined;
  #timer: Timer | undefined;
  #stopped = false;
  #up = true;

  constructor(
    private readonly clock: Clock,
    private readonly runtime: Runtime,
    private readonly emit: EmitEvent,
  ) {}

  /** Checks the runtime now and then every five seconds; resolves after the first check. */
  async start(): Promise<void> {
    await this.#updateRuntimeUp();
    if (this.#stopped) return;
    this.#timer = goLater(this.clock, () => void this.start(), CHECK_PERIOD);
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  /** Ports runtimeErrors. */
  isUp(): boolean {
    return (this.#lastSync ?? -Infinity) + SYNC_THRESHOLD > this.clock.now();
  }

  async #updateRuntimeUp(): Promise<void> {
    try {
      await this.runtime.status();
      this.#lastSync = this.clock.now();
      this.#report(true);
    } catch (error) {
      this.#report(false, runtimeErrorMessage(error));
    }
  }

  #report(up: boolean, error?: string): void {
    if (up === this.#up) return;
    this.#up = up;
    this.emit({ kind: 'runtime', up, ...(error !== undefined && { error }) });
  }
}
