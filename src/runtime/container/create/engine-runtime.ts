import type { Pod } from '../../../api/index.js';
import { withTimeout } from '../../../clock/clock.js';
import {
  type ContainerConfig,
  type ExecResult,
  type Inspection,
  type Runtime,
  RuntimeError,
  type RuntimePod,
  type RuntimePodStatus,
} from '../../../kubelet/ports.js';
import { assertAnswers, type EngineEvents, engineEvents } from '../engine.js';
import type { EngineImages } from '../engine-commands.js';
import { type Inspected, isAlive } from '../inspect.js';
import { inspectContainer } from '../listening.js';
import { ContainerMaker } from './container-maker.js';
import type { EngineContext, EngineRuntimeOptions } from './engine-context.js';
import { ExitReporter } from './exit-reporter.js';
import { type KnownContainer, KnownPods } from './known-pods.js';
import { decodeLabels } from './labels.js';
import { SandboxMaker } from './sandbox-maker.js';
import { removeContainersAndVolumes, sessionLabel } from './sessions.js';

/** Milliseconds to wait at the end for an engine that does not answer; after that, the containers stay in it. */
const ANSWER_LIMIT = 5000;
/** Milliseconds to wait at the end for creations that have begun. */
const CREATION_LIMIT = 10_000;
/** Milliseconds to wait for the removal, and additional milliseconds for each container. */
const REMOVAL_LIMIT = 15_000;
const REMOVAL_OF_ONE = 200;

/** Pods that kprobe makes in a container engine, as a kubelet has its runtime make them. */
export class EngineRuntime implements Runtime {
  readonly #context: EngineContext;
  readonly name: string;
  readonly images: EngineImages;
  readonly #pods = new KnownPods();
  readonly #sandboxMaker: SandboxMaker;
  readonly #containerMaker: ContainerMaker;
  readonly #exits: ExitReporter;
  readonly #events: EngineEvents;
  readonly #underWay = new Set<Promise<unknown>>();
  /** Containers as last inspected. */
  readonly #seen = new Map<string, Inspected>();
  #adopting: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: EngineRuntimeOptions) {
    const { engine, session } = options;
    this.name = engine.kind.name;
    this.images = engine.commands.images;
    this.#context = { ...options, pods: this.#pods };
    this.#sandboxMaker = new SandboxMaker(this.#context);
    this.#containerMaker = new ContainerMaker(this.#context, this.#sandboxMaker);
    this.#exits = new ExitReporter(this.#context, this.#sandboxMaker);
    this.#events = engineEvents(engine, { label: [sessionLabel(session)] }, (event) => {
      void this.#exits.onEvent(event);
    });
  }

  status(): Promise<void> {
    return assertAnswers(this.#context.engine);
  }

  async getPods(): Promise<readonly RuntimePod[]> {
    this.#adopting ??= this.#adopt();
    await this.#adopting;
    const states = await this.#states();
    this.#events.ensure();
    await this.#exits.onListing(states);
    return this.#pods.list(states);
  }

  async getPodStatus({ uid }: RuntimePod): Promise<RuntimePodStatus> {
    const seen = await this.#context.engine.inspect(this.#pods.idsOf(uid));
    await this.#exits.onInspected(seen);
    for (const each of seen) this.#seen.set(each.id, each);
    const [latest] = this.#pods.sandboxesOf(uid);
    const sandbox = seen.find(({ id }) => id === latest?.id);
    if (latest && sandbox) this.#context.routes.update(uid, sandbox, latest.hostNetwork);
    return this.#pods.status(uid, seen);
  }

  inspect(id: string): Inspection {
    const seen = this.#seen.get(id);
    if (seen === undefined || !isAlive(seen)) return undefined;
    const [sandbox] = this.#pods.sandboxesOf(this.#pods.containers.get(id)?.labels.uid ?? '');
    const networkMode = sandbox?.hostNetwork === true ? 'host' : seen.networkMode;
    return inspectContainer(this.#context, { ...seen, networkMode });
  }

  async runPodSandbox(pod: Pod, attempt: number): Promise<{ id: string; ips: readonly string[] }> {
    return this.#whileOpen(() => this.#sandboxMaker.run(pod, attempt));
  }

  async stopPodSandbox(id: string): Promise<void> {
    const running = this.#pods.containersIn(id).filter((container) => container.running);
    await Promise.all(running.map((container) => this.stopContainer(container.id, 0)));
    await this.#context.engine.commands.kill(id);
  }

  async removePodSandbox(id: string): Promise<void> {
    await this.stopPodSandbox(id);
    await Promise.all(this.#pods.containersIn(id).map((c) => this.removeContainer(c.id)));
    await this.#context.engine.commands.remove([id]);
    this.#pods.sandboxes.delete(id);
  }

  async createContainer(config: ContainerConfig): Promise<string> {
    return this.#whileOpen(() => this.#containerMaker.create(config));
  }

  async startContainer(id: string): Promise<void> {
    return this.#whileOpen(() => this.#containerMaker.start(id));
  }

  async stopContainer(id: string, gracePeriodSeconds: number): Promise<void> {
    const { engine } = this.#context;
    await engine.commands.stop([id], gracePeriodSeconds);
    await this.#exits.onInspected(await engine.inspect([id]));
  }

  async removeContainer(id: string): Promise<void> {
    await this.#context.engine.commands.remove([id]);
    this.#pods.containers.get(id)?.output?.stop();
    this.#pods.containers.delete(id);
    this.#seen.delete(id);
  }

  async execSync(
    id: string,
    command: readonly string[],
    timeoutSeconds: number,
  ): Promise<ExecResult> {
    const { listener, execs } = this.#context;
    const name = this.#pods.containers.get(id)?.labels.container ?? id;
    const onLeftovers = (message: string): void => listener.onMessage(id, message);
    return this.#whileOpen(() => execs.run({ id, name, command, timeoutSeconds, onLeftovers }));
  }

  /** Ends and removes everything it made, unless it is kept. Resolves when nothing is left. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#events.stop();
    for (const { output } of this.#pods.containers.values()) output?.stop();
    this.#context.onClose();
    await this.#context.execs.close();
    if (!this.#context.keep) await this.#remove();
  }

  async #remove(): Promise<void> {
    const { engine, clock, session, listener } = this.#context;
    try {
      const failure = await engine.ping(ANSWER_LIMIT);
      if (failure !== undefined) throw failure;
      // Pods that are still being created are removed too.
      const creating = Promise.allSettled(this.#underWay);
      const created = await withTimeout(clock, creating, CREATION_LIMIT);
      const limit = REMOVAL_LIMIT + REMOVAL_OF_ONE * this.#pods.containers.size;
      const removing = removeContainersAndVolumes(engine, session);
      const removed = await withTimeout(clock, removing, limit);
      if (removed === 'timeout') throw new RuntimeError(`${this.name} is still removing it`);
      if (created === 'timeout') throw new RuntimeError(`${this.name} is still creating`);
    } catch (error) {
      if (!(error instanceof RuntimeError)) throw error;
      const text = `could not remove everything, run kprobe down later: ${error.message}`;
      listener.onNote('warning', text);
    }
  }

  /** Waits for work. Never settles once kprobe ends, since the kubelet would then report a failure of the pod. */
  async #whileOpen<T>(start: () => Promise<T>): Promise<T> {
    const never = new Promise<T>(() => undefined);
    if (this.#isClosing()) return never;
    const work = start();
    this.#underWay.add(work);
    await Promise.allSettled([work]);
    this.#underWay.delete(work);
    return this.#isClosing() ? never : work;
  }

  #isClosing(): boolean {
    return this.#closing !== undefined;
  }

  #states(): Promise<ReadonlyMap<string, string>> {
    const { engine, session } = this.#context;
    return engine.states([sessionLabel(session)]);
  }

  /** Takes over the containers that another process made and left. */
  async #adopt(): Promise<void> {
    const { engine, adopts, listener } = this.#context;
    if (!adopts) return;
    const states = await this.#states();
    const seen = await engine.inspect([...states.keys()]);
    for (const container of [...seen].sort((a, b) => a.createdAt - b.createdAt)) {
      const labels = decodeLabels(container.labels);
      if (labels === undefined) continue;
      const { id } = container;
      if (labels.kind === 'sandbox') {
        const hostNetwork = container.networkMode === 'host';
        this.#pods.sandboxes.set(id, { id, labels, hostNetwork });
        await this.#sandboxMaker.volumeOf(labels).ensure();
        continue;
      }
      const running = isAlive(container);
      const known: KnownContainer = { id, labels, policy: 'File', tty: container.tty, running };
      this.#pods.containers.set(id, known);
      const { startedAt } = container;
      const { container: name } = labels;
      listener.onFound(id, { pod: { metadata: labels }, container: name, running, startedAt });
      if (running) this.#containerMaker.follow(known);
    }
    this.#containerMaker.skip(seen.length);
  }
}
