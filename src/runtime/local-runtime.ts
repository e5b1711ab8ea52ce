import type { Pod } from '../api/index.js';
import {
  type ContainerConfig,
  type ExecResult,
  type Runtime,
  RuntimeError,
  type RuntimePod,
  type RuntimePodStatus,
} from '../kubelet/ports.js';
import { ContainerFactory, type ContainerFactoryOptions } from './container-factory.js';
import type { LocalContainer } from './local-container.js';
import { LocalPods } from './local-pods.js';
import { Mark } from './mark.js';
import { Watchdog } from './watchdog.js';

/** Seconds between TERM and KILL when the runtime closes. */
const CLOSE_GRACE_PERIOD = 2;

export interface LocalRuntimeOptions extends ContainerFactoryOptions {
  /** The scheme of container ids, such as `process` when a process stands for one of the containers. */
  readonly name: string;
  /** The address of every pod, at which its ports are probed. */
  readonly address: string;
}

/** A runtime on this machine, without containers: processes and what answers at ports stand for them. */
export class LocalRuntime implements Runtime {
  readonly #options: LocalRuntimeOptions;
  readonly name: string;
  readonly #pods = new LocalPods();
  readonly #watchdog: Watchdog;
  readonly #factory: ContainerFactory;
  #nextID = 0;
  #closing: Promise<void> | undefined;

  constructor(options: LocalRuntimeOptions) {
    this.#options = options;
    this.name = options.name;
    const mark = new Mark('KPROBE_CONTAINER');
    this.#watchdog = new Watchdog(options.clock, mark.prefix);
    this.#factory = new ContainerFactory(options, mark, this.#watchdog);
  }

  status(): Promise<void> {
    return Promise.resolve();
  }

  getPods(): Promise<readonly RuntimePod[]> {
    return Promise.resolve(this.#pods.list());
  }

  getPodStatus({ uid }: RuntimePod): Promise<RuntimePodStatus> {
    const none = { uid, ips: [], sandboxStatuses: [], containerStatuses: [] };
    return Promise.resolve(this.#pods.get(uid)?.status() ?? none);
  }

  runPodSandbox(pod: Pod, attempt: number): Promise<{ id: string; ips: readonly string[] }> {
    const id = this.#newID('sandbox');
    const ips = [this.#options.address];
    this.#pods.addSandbox({ id, pod, attempt, ips, ready: true });
    return Promise.resolve({ id, ips });
  }

  async stopPodSandbox(id: string): Promise<void> {
    const sandbox = this.#pods.findSandbox(id);
    if (sandbox === undefined) return;
    sandbox.ready = false;
    this.#pods.changed(sandbox.pod);
    await Promise.all(this.#containersIn(id).map((container) => container.stop(0)));
  }

  async removePodSandbox(id: string): Promise<void> {
    const sandbox = this.#pods.findSandbox(id);
    if (sandbox === undefined) return;
    await this.stopPodSandbox(id);
    for (const container of this.#containersIn(id)) this.#pods.removeContainer(container);
    this.#pods.removeSandbox(sandbox);
  }

  async createContainer(config: ContainerConfig): Promise<string> {
    this.#assertOpen();
    const id = this.#factory.idOf(config) ?? this.#newID(config.container.name);
    const container = await this.#factory.create(id, config, () => this.#pods.changed(config.pod));
    this.#pods.addContainer(container);
    return id;
  }

  async startContainer(id: string): Promise<void> {
    this.#assertOpen();
    await this.#container(id).start();
  }

  async stopContainer(id: string, gracePeriodSeconds: number): Promise<void> {
    await this.#container(id).stop(gracePeriodSeconds);
  }

  async removeContainer(id: string): Promise<void> {
    const container = this.#pods.findContainer(id);
    if (container === undefined) return;
    await container.stop(0);
    this.#pods.removeContainer(container);
  }

  async execSync(
    id: string,
    command: readonly string[],
    timeoutSeconds: number,
  ): Promise<ExecResult> {
    this.#assertOpen();
    return this.#container(id).exec(command, timeoutSeconds);
  }

  /**
   * Ends everything that the runtime started: TERM, and KILL after the grace period. Resolves when all is gone; another
   * call can only shorten the grace period.
   */
  close(gracePeriodSeconds = CLOSE_GRACE_PERIOD): Promise<void> {
    const closing = this.#pods.containers().map((container) => container.close(gracePeriodSeconds));
    this.#closing ??= this.#closeWhenEnded(closing);
    return this.#closing;
  }

  async #closeWhenEnded(closing: readonly Promise<void>[]): Promise<void> {
    await Promise.all(closing);
    await this.#options.exec?.close();
    await this.#watchdog.close();
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw new RuntimeError('the runtime is closing');
  }

  #container(id: string): LocalContainer {
    const container = this.#pods.findContainer(id);
    if (container === undefined) throw new RuntimeError(`container ${id} not found`, 'notFound');
    return container;
  }

  #containersIn(sandboxID: string): readonly LocalContainer[] {
    return this.#pods.containers().filter(({ config }) => config.sandboxID === sandboxID);
  }

  #newID(what: string): string {
    return `${what}-${this.#nextID++}`;
  }
}
