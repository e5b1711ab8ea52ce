import {
  type Container,
  type ContainerStateWaiting,
  omitUndefined,
  type Pod,
  type Time,
} from '../api/index.js';
import { untilAborted } from '../clock/clock.js';
import type { EmitEvent, ProcessEnd } from '../trace/event.js';
import { podKey } from './pod-name.js';
import {
  type ContainerConfig,
  type ExecResult,
  type ImageService,
  type Inspection,
  type Runtime,
  RuntimeError,
  type RuntimePod,
  type RuntimePodStatus,
} from './ports.js';

export interface Exit extends ProcessEnd {
  readonly exitCode: number;
  /** Replaces `Completed` and `Error`. */
  readonly reason?: string;
}

/** Callbacks of a runtime for the events of its containers. */
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
  readonly startedAt?: Time | undefined;
}

/** Callbacks of a runtime whose containers others also start and stop. */
export interface EngineListener extends RuntimeListener {
  /** There is a container that the kubelet did not create, because it is older or somebody else started it. */
  onFound(id: string, found: FoundContainer): void;
  /** Something happened to a container in its engine. */
  onMessage(id: string, message: string): void;
  /** A message for the user. */
  onNote(level: 'info' | 'warning', text: string): void;
}

interface RunState {
  readonly subject: { readonly pod: string; readonly container: string; readonly run: number };
  running: boolean;
  removed?: boolean;
}

/** Emits a trace event for each start, stop, exit and command of a runtime. */
export class TracedRuntime<Inner extends Runtime = Runtime> implements Runtime {
  readonly inner: Inner;
  readonly name: string;
  readonly images?: ImageService;
  readonly #runs = new Map<string, RunState>();
  /** The pod of each sandbox, by the sandbox's id. */
  readonly #sandboxes = new Map<string, string>();
  /** Number of starts of each container, failed ones included. */
  readonly #starts = new Map<string, number>();

  constructor(
    private readonly emit: EmitEvent,
    create: (listener: EngineListener) => Inner,
  ) {
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
    this.emit({ kind: 'runPodSandbox', pod: podKey(pod), attempt });
    return sandbox;
  }

  async stopPodSandbox(id: string): Promise<void> {
    const pod = this.#sandboxes.get(id);
    if (pod !== undefined) this.emit({ kind: 'stopPodSandbox', pod });
    await this.inner.stopPodSandbox(id);
  }

  async removePodSandbox(id: string): Promise<void> {
    await this.inner.removePodSandbox(id);
    this.#sandboxes.delete(id);
  }

  waitingState(pod: Pod, container: Container): ContainerStateWaiting | undefined {
    return this.inner.waitingState?.(pod, container);
  }

  async createContainer(config: ContainerConfig): Promise<string> {
    const id = await this.inner.createContainer(config);
    const { pod, container } = config;
    this.#runs.set(id, { subject: this.#nextRun(pod, container.name), running: false });
    return id;
  }

  async startContainer(id: string): Promise<void> {
    const run = this.#runs.get(id);
    try {
      await this.inner.startContainer(id);
    } catch (error) {
      if (run !== undefined && error instanceof RuntimeError) {
        this.emit({ kind: 'startFailed', ...run.subject, error: error.message });
      }
      throw error;
    }
    if (run === undefined) return;
    run.running = true;
    const at = this.inner.startedAt?.(id);
    this.emit({ kind: 'started', ...run.subject, ...omitUndefined({ at }) });
  }

  async stopContainer(id: string, gracePeriod: number): Promise<void> {
    const run = this.#runs.get(id);
    if (run?.running === true) this.emit({ kind: 'stop', ...run.subject, gracePeriod });
    await this.inner.stopContainer(id, gracePeriod);
  }

  async removeContainer(id: string): Promise<void> {
    await this.inner.removeContainer(id);
    const run = this.#runs.get(id);
    // The run is kept, because a worker may still run a command in the container.
    if (run !== undefined) run.removed = true;
  }

  inspect(id: string): Inspection {
    return this.inner.inspect?.(id);
  }

  async execSync(
    id: string,
    command: readonly string[],
    timeoutSeconds: number,
    canceled?: AbortSignal,
  ): Promise<ExecResult> {
    if (canceled?.aborted === true) return CANCELED;
    const run = this.#runs.get(id);
    if (run === undefined) return this.inner.execSync(id, command, timeoutSeconds);
    const event = { ...run.subject, command: command.join(' ') };
    this.emit({ kind: 'exec', ...event });
    const exec = this.inner.execSync(id, command, timeoutSeconds, canceled);
    const result = await (canceled === undefined ? exec : untilAborted(canceled, exec, CANCELED));
    this.emit({ kind: 'execDone', ...event, ...execFields(result) });
    return result;
  }

  #nextRun(pod: FoundContainer['pod'], container: string): RunState['subject'] {
    const key = `${pod.metadata.uid} ${container}`;
    const run = this.#starts.get(key) ?? 0;
    this.#starts.set(key, run + 1);
    return { pod: podKey(pod), container, run };
  }

  #onFound(id: string, { pod, container, running, startedAt: at }: FoundContainer): void {
    const subject = this.#nextRun(pod, container);
    this.#runs.set(id, { subject, running });
    if (running) this.emit({ kind: 'started', ...subject, ...omitUndefined({ at }) });
  }

  #onExit(id: string, exit: Exit): void {
    const run = this.#runs.get(id);
    if (run === undefined || run.removed === true) return;
    run.running = false;
    this.emit({ kind: 'exited', ...run.subject, ...exit });
  }

  #onOutput(id: string, stream: 'stdout' | 'stderr', text: string): void {
    const run = this.#runs.get(id);
    if (run === undefined || run.removed === true) return;
    this.emit({ kind: 'output', ...run.subject, stream, text });
  }

  #onMessage(id: string, message: string): void {
    const run = this.#runs.get(id);
    if (run === undefined) return;
    const { pod, container } = run.subject;
    this.emit({
      kind: 'event',
      pod,
      type: 'Normal',
      reason: 'Engine',
      message,
      fieldPath: `spec.containers{${container}}`,
    });
  }
}

/** The result of a command whose call is canceled. */
const CANCELED: ExecResult = {
  kind: 'error',
  message: 'rpc error: code = Canceled desc = context canceled',
  reason: 'canceled',
};

function execFields(result: ExecResult) {
  if (result.kind === 'exited') return { exit: result.exitCode };
  return result.kind === 'timedOut' ? ({ timedOut: true } as const) : { error: result.message };
}
