import type { Pod } from '../api/index.js';
import type { EmitEvent } from '../trace/event.js';
import { podKey } from './pod-name.js';
import {
  type ContainerConfig,
  type ExecResult,
  type ImageService,
  type Runtime,
  RuntimeError,
  type RuntimePod,
  type RuntimePodStatus,
} from './ports.js';

export interface Exit {
  readonly exitCode: number;
  readonly reason?: string;
}

/** Callbacks of a runtime about its containers. */
export interface RuntimeListener {
  /** A container has exited or was stopped. */
  onExit(id: string, exit: Exit): void;
  /** A container wrote a line; `text` has no line break. */
  onOutput(id: string, stream: 'stdout' | 'stderr', text: string): void;
}

export interface FoundContainer {
  readonly pod: { readonly metadata: Pick<Pod['metadata'], 'uid' | 'name' | 'namespace'> };
  readonly container: string;
  readonly running: boolean;
}

/** Callbacks of a runtime whose containers others also start and stop. */
export interface EngineListener extends RuntimeListener {
  /** A container exists that the kubelet did not create: it was there before, or somebody else started it. */
  onFound(id: string, found: FoundContainer): void;
  /** Something happened to a container in its engine. */
  onMessage(id: string, message: string): void;
  /** A message for the user. */
  onNote(level: 'info' | 'warning', text: string): void;
}

interface Life {
  /** Its names in events. */
  readonly about: { readonly pod: string; readonly container: string; readonly run: number };
  running: boolean;
  removed?: boolean;
}

/** Emits a trace event for each start, stop, exit and command of a runtime. */
export class TracedRuntime<Inner extends Runtime = Runtime> implements Runtime {
  readonly inner: Inner;
  readonly name: string;
  readonly images?: ImageService;
  readonly #emit: EmitEvent;
  readonly #lives = new Map<string, Life>();
  /** The pod of each sandbox, by the sandbox's id. */
  readonly #sandboxes = new Map<string, string>();
  /** Starts of each container, failed ones included. */
  readonly #starts = new Map<string, number>();

  constructor(emit: EmitEvent, create: (listener: EngineListener) => Inner) {
    this.#emit = emit;
    this.inner = create({
      onExit: (id, exit) => this.#onExit(id, exit),
      onOutput: (id, stream, text) => this.#onOutput(id, stream, text),
      onFound: (id, found) => this.#onFound(id, found),
      onMessage: (id, message) => this.#onMessage(id, message),
      onNote: (level, text) => emit({ kind: 'note', level, text }),
    });
    this.name = this.inner.name;
    if (this.inner.images !== undefined) this.images = this.inner.images;
  }

  status(): Promise<void> {
    return this.inner.status();
  }

  getPods(uid?: string): Promise<readonly RuntimePod[]> {
    return this.inner.getPods(uid);
  }

  getPodStatus(pod: RuntimePod): Promise<RuntimePodStatus> {
    return this.inner.getPodStatus(pod);
  }

  async runPodSandbox(pod: Pod, attempt: number): Promise<{ id: string; ips: readonly string[] }> {
    const sandbox = await this.inner.runPodSandbox(pod, attempt);
    this.#sandboxes.set(sandbox.id, podKey(pod));
    this.#emit({ kind: 'runPodSandbox', pod: podKey(pod), attempt });
    return sandbox;
  }

  async stopPodSandbox(id: string): Promise<void> {
    const pod = this.#sandboxes.get(id);
    if (pod !== undefined) this.#emit({ kind: 'stopPodSandbox', pod });
    await this.inner.stopPodSandbox(id);
  }

  async removePodSandbox(id: string): Promise<void> {
    await this.inner.removePodSandbox(id);
    this.#sandboxes.delete(id);
  }

  async createContainer(config: ContainerConfig): Promise<string> {
    const id = await this.inner.createContainer(config);
    const { pod, container } = config;
    this.#lives.set(id, { about: this.#nextRun(pod, container.name), running: false });
    return id;
  }

  async startContainer(id: string): Promise<void> {
    const life = this.#lives.get(id);
    try {
      await this.inner.startContainer(id);
    } catch (error) {
      if (life !== undefined && error instanceof RuntimeError) {
        this.#emit({ kind: 'startFailed', ...life.about, error: error.message });
      }
      throw error;
    }
    if (life === undefined) return;
    life.running = true;
    this.#emit({ kind: 'started', ...life.about });
  }

  async stopContainer(id: string, gracePeriod: number): Promise<void> {
    const life = this.#lives.get(id);
    if (life?.running === true) this.#emit({ kind: 'stop', ...life.about, gracePeriod });
    await this.inner.stopContainer(id, gracePeriod);
  }

  async removeContainer(id: string): Promise<void> {
    await this.inner.removeContainer(id);
    const life = this.#lives.get(id);
    // A worker may still run a command in it.
    if (life !== undefined) life.removed = true;
  }

  async execSync(
    id: string,
    words: readonly string[],
    timeoutSeconds: number,
  ): Promise<ExecResult> {
    const life = this.#lives.get(id);
    if (life === undefined) return this.inner.execSync(id, words, timeoutSeconds);
    const about = { ...life.about, command: words.join(' ') };
    this.#emit({ kind: 'exec', ...about });
    const result = await this.inner.execSync(id, words, timeoutSeconds);
    this.#emit({ kind: 'execDone', ...about, ...execEnd(result) });
    return result;
  }

  #nextRun(pod: FoundContainer['pod'], container: string): Life['about'] {
    const key = `${pod.metadata.uid} ${container}`;
    const run = this.#starts.get(key) ?? 0;
    this.#starts.set(key, run + 1);
    return { pod: podKey(pod), container, run };
  }

  #onFound(id: string, { pod, container, running }: FoundContainer): void {
    const about = this.#nextRun(pod, container);
    this.#lives.set(id, { about, running });
    if (running) this.#emit({ kind: 'started', ...about });
  }

  #onExit(id: string, { exitCode, reason }: Exit): void {
    const life = this.#lives.get(id);
    if (life === undefined || life.removed === true) return;
    life.running = false;
    const why = reason === undefined ? {} : { reason };
    this.#emit({ kind: 'exited', ...life.about, exitCode, ...why });
  }

  #onOutput(id: string, stream: 'stdout' | 'stderr', text: string): void {
    const life = this.#lives.get(id);
    if (life === undefined || life.removed === true) return;
    this.#emit({ kind: 'output', ...life.about, stream, text });
  }

  #onMessage(id: string, message: string): void {
    const life = this.#lives.get(id);
    if (life === undefined) return;
    const { pod, container } = life.about;
    const fieldPath = `spec.containers{${container}}`;
    const event = { pod, type: 'Normal', reason: 'Engine', message, fieldPath } as const;
    this.#emit({ kind: 'event', ...event });
  }
}

function execEnd(result: ExecResult) {
  if (result.kind === 'exited') return { exit: result.exitCode };
  return result.kind === 'timedOut' ? ({ timedOut: true } as const) : { error: result.message };
}
