import type { Pod } from '../../src/api/index.js';
import { type Clock, sleep } from '../../src/clock/clock.js';
import {
  type ContainerConfig,
  type ExecResult,
  type ImageService,
  type PulledImage,
  type Runtime,
  type RuntimeContainerStatus,
  RuntimeError,
  type RuntimePod,
  type RuntimePodStatus,
  type RuntimeSandboxStatus,
} from '../../src/kubelet/ports.js';

interface FakeSandbox extends RuntimeSandboxStatus {
  readonly uid: string;
  state: RuntimeSandboxStatus['state'];
}

interface FakeContainer extends RuntimeContainerStatus {
  readonly uid: string;
  state: RuntimeContainerStatus['state'];
  exitCode: number;
  reason: string;
  startedAt?: number;
  finishedAt?: number;
}

const EMPTY = new Uint8Array();

/** A runtime in memory. Ids count up by container name: `app-1`, `app-2`; sandboxes: `sandbox-1`. */
export class FakeRuntime implements Runtime {
  readonly name = 'test';
  /** What was asked of it that changes something, with the time: `0 start app-1`. */
  readonly calls: string[] = [];
  /** What calls fail with, by their text without the time, or by its first word. */
  readonly failures = new Map<string, Error>();
  /** What commands answer, by their words; 0 when they are not here. */
  readonly commands = new Map<string, ExecResult | (() => Promise<ExecResult>)>();
  /** Milliseconds that a start takes, and an end after TERM. */
  startTakes = 0;
  stopTakes = 0;
  images?: FakeImages;
  ips: readonly string[] = ['10.0.0.1'];
  readonly #sandboxes: FakeSandbox[] = [];
  readonly #containers: FakeContainer[] = [];
  readonly #count = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  status(): Promise<void> {
    return this.#answer('status', undefined);
  }

  getPods(): Promise<readonly RuntimePod[]> {
    const uids = new Set([...this.#sandboxes, ...this.#containers].map(({ uid }) => uid));
    const pods = [...uids].map((uid) => ({
      uid,
      name: uid,
      namespace: 'default',
      containers: this.#containers.filter((c) => c.uid === uid).map((c) => ({ ...c })),
      sandboxes: this.#sandboxes.filter((s) => s.uid === uid).map((s) => ({ ...s })),
    }));
    return this.#answer('getPods', pods);
  }

  getPodStatus({ uid }: RuntimePod): Promise<RuntimePodStatus> {
    const sandboxStatuses = this.#sandboxes.filter((s) => s.uid === uid).map((s) => ({ ...s }));
    const ips = sandboxStatuses[0]?.state === 'ready' ? sandboxStatuses[0].ips : [];
    const containerStatuses = this.#containers.filter((c) => c.uid === uid).map((c) => ({ ...c }));
    return this.#answer('getPodStatus', { uid, ips, sandboxStatuses, containerStatuses });
  }

  async runPodSandbox(pod: Pod, attempt: number): Promise<{ id: string; ips: readonly string[] }> {
    await this.#call(`runSandbox ${attempt}`);
    const id = this.#newID('sandbox');
    const { uid } = pod.metadata;
    const hostNetwork = pod.spec.hostNetwork ?? false;
    this.#sandboxes.unshift({ id, uid, state: 'ready', attempt, hostNetwork, ips: this.ips });
    return { id, ips: this.ips };
  }

  async stopPodSandbox(id: string): Promise<void> {
    await this.#call(`stopSandbox ${id}`);
    const sandbox = this.#sandboxes.find((s) => s.id === id);
    if (sandbox !== undefined) sandbox.state = 'notReady';
  }

  async removePodSandbox(id: string): Promise<void> {
    await this.#call(`removeSandbox ${id}`);
    remove(this.#sandboxes, id);
  }

  async createContainer(config: ContainerConfig): Promise<string> {
    const { pod, container, sandboxID, restartCount, hash, imageRef } = config;
    await this.#call(`create ${container.name}`);
    const id = this.#newID(container.name);
    this.add({ id, name: container.name, sandboxID, restartCount, hash, imageRef }, pod);
    return id;
  }

  async startContainer(id: string): Promise<void> {
    await this.#call(`start ${id}`);
    if (this.startTakes > 0) await sleep(this.clock, this.startTakes);
    const container = this.container(id);
    container.state = 'running';
    container.startedAt = this.clock.now();
  }

  async stopContainer(id: string, gracePeriodSeconds: number): Promise<void> {
    await this.#call(`stop ${id} ${gracePeriodSeconds}`);
    const limit = gracePeriodSeconds * 1000;
    const killed = this.stopTakes > limit;
    if (this.stopTakes > 0) await sleep(this.clock, Math.min(this.stopTakes, limit));
    this.exit(id, killed ? 137 : 143);
  }

  async removeContainer(id: string): Promise<void> {
    await this.#call(`remove ${id}`);
    remove(this.#containers, id);
  }

  async execSync(id: string, command: readonly string[], timeout: number): Promise<ExecResult> {
    await this.#call(`exec ${id} ${command.join(' ')} ${timeout}`);
    const answer = this.commands.get(command.join(' '));
    if (answer === undefined) return { kind: 'exited', exitCode: 0, stdout: EMPTY, stderr: EMPTY };
    return typeof answer === 'function' ? answer() : answer;
  }

  /** The container of this id. */
  container(id: string): FakeContainer {
    const container = this.#containers.find((c) => c.id === id);
    if (container === undefined) throw new RuntimeError(`${id} not found`, 'notFound');
    return container;
  }

  /** Puts a container in that nobody asked for. */
  add(container: Partial<RuntimeContainerStatus> & { readonly id: string }, pod: Pod): void {
    this.#containers.unshift({
      name: 'app',
      state: 'created',
      sandboxID: 'sandbox-1',
      image: 'app:1',
      imageRef: 'app:1',
      hash: '',
      restartCount: 0,
      exitCode: 0,
      reason: '',
      message: '',
      ...container,
      uid: pod.metadata.uid,
    });
  }

  /** The container ends. */
  exit(id: string, exitCode: number): void {
    const container = this.container(id);
    if (container.state === 'exited') return;
    container.state = 'exited';
    container.exitCode = exitCode;
    container.reason = exitCode === 0 ? 'Completed' : 'Error';
    container.finishedAt = this.clock.now();
  }

  /** The ids of the containers, newest first. */
  ids(): string[] {
    return this.#containers.map(({ id }) => id);
  }

  async #call(text: string): Promise<void> {
    this.calls.push(`${this.clock.now()} ${text}`);
    await this.#answer(text, undefined);
  }

  #answer<Value>(text: string, value: Value): Promise<Value> {
    const failure = this.failures.get(text) ?? this.failures.get(text.split(' ', 1)[0] ?? '');
    return failure === undefined ? Promise.resolve(value) : Promise.reject(failure);
  }

  #newID(what: string): string {
    const count = (this.#count.get(what) ?? 0) + 1;
    this.#count.set(what, count);
    return `${what}-${count}`;
  }
}

/** Images in memory. */
export class FakeImages implements ImageService {
  readonly pulled: string[] = [];
  readonly present = new Map<string, string>();
  failure: RuntimeError | undefined;
  inspectFailure: RuntimeError | undefined;

  constructor(
    private readonly clock: Clock,
    /** Milliseconds that a pull takes. */
    public takes = 0,
  ) {}

  getImageRef(image: string): Promise<string | undefined> {
    if (this.inspectFailure !== undefined) return Promise.reject(this.inspectFailure);
    return Promise.resolve(this.present.get(image));
  }

  async pullImage(image: string): Promise<PulledImage> {
    this.pulled.push(`${this.clock.now()} ${image}`);
    if (this.takes > 0) await sleep(this.clock, this.takes);
    if (this.failure !== undefined) throw this.failure;
    this.present.set(image, `${image}@ref`);
    return { ref: `${image}@ref`, size: 1234 };
  }
}

function remove(list: { readonly id: string }[], id: string): void {
  const index = list.findIndex((item) => item.id === id);
  if (index !== -1) list.splice(index, 1);
}
