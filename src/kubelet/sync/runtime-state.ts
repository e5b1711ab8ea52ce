import { AT_REST, type Clock, goLater, type Timer } from '../../clock/clock.js';
import type { EmitEvent } from '../event.js';
import type { Runtime } from '../ports.js';
import { messageOf } from '../sync-result.js';

/** Milliseconds between two looks at the runtime. */
const CHECK_PERIOD = 5000;
/** Milliseconds without a good look after which it is down (maxWaitForContainerRuntime). */
const SYNC_THRESHOLD = 30_000;

export interface RuntimeStateOptions {
  readonly clock: Clock;
  readonly runtime: Runtime;
  readonly emit: EmitEvent;
}

/** Whether the runtime is up. Ports runtimeState and updateRuntimeUp (pkg/kubelet). */
export class RuntimeState {
  private lastSync: number | undefined;
  private timer: Timer | undefined;
  private stopped = false;
  private up: boolean | undefined;

  constructor(private readonly options: RuntimeStateOptions) {}

  /** Looks now, and resolves when that is done; then every five seconds. */
  async start(): Promise<void> {
    await this.update();
    this.goOn();
  }

  stop(): void {
    this.stopped = true;
    this.timer?.cancel();
  }

  /** Ports runtimeErrors. */
  error(): string | undefined {
    if (this.lastSync === undefined) {
      return 'container runtime status check may not have completed yet';
    }
    const down = this.lastSync + SYNC_THRESHOLD <= this.options.clock.now();
    return down ? 'container runtime is down' : undefined;
  }

  private goOn(): void {
    if (!this.stopped) this.timer = goLater(this.options.clock, this.onTime, CHECK_PERIOD);
  }

  private readonly onTime = (): unknown => {
    const updated = this.update();
    if (updated !== undefined) return updated.then(() => this.goOn());
    this.goOn();
    return AT_REST;
  };

  /** Undefined when that is done already. */
  private update(): Promise<void> | undefined {
    const asked = this.options.runtime.status();
    if (asked !== undefined) {
      return asked.then(this.onUp, (error: unknown) => this.tell(false, messageOf(error)));
    }
    this.onUp();
    return undefined;
  }

  private readonly onUp = (): void => {
    this.lastSync = this.options.clock.now();
    this.tell(true);
  };

  private tell(up: boolean, error?: string): void {
    const was = this.up ?? true;
    this.up = up;
    if (up === was) return;
    this.options.emit({ kind: 'runtime', up, ...(error === undefined ? {} : { error }) });
  }
}
