import type { Pod } from '../../../api/index.js';
import {
  type ContainerConfig,
  type ExecResult,
  type Runtime,
  RuntimeError,
  type RuntimePod,
  type RuntimePodStatus,
} from '../../../kubelet/ports.js';
import { EngineEvents } from '../engine-events.js';
import { leftoverNote } from '../engine-execs.js';
import { engineTrouble, inspectContainers } from '../engine-queries.js';
import { isAlive } from '../inspect.js';
import { ContainerMaker } from './container-maker.js';
import type { CreatedOptions } from './created-options.js';
import { CreatedPods, type KnownContainer } from './created-pods.js';
import { PodNetwork } from './created-routes.js';
import { Ends } from './ends.js';
import { Engine, EngineImages } from './engine.js';
import { decodeLabels, SESSION_LABEL } from './labels.js';
import { SandboxMaker } from './sandbox-maker.js';

/** Seconds between TERM and KILL when the runtime closes. */
const CLOSE_GRACE_PERIOD = 2;

/** Pods that kprobe makes in a container engine, as a kubelet has its runtime make them. */
export class CreatedRuntime implements Runtime {
  readonly #options: CreatedOptions;
  readonly name: string;
  readonly images: EngineImages;
  readonly network: PodNetwork;
  readonly #engine: Engine;
  readonly #pods = new CreatedPods();
  readonly #sandboxMaker: SandboxMaker;
  readonly #containerMaker: ContainerMaker;
  readonly #ends: Ends;
  readonly #events: EngineEvents;
  readonly #underWay = new Set<Promise<unknown>>();
  #adopting: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: CreatedOptions) {
    this.#options = options;
    const { cli, session } = options;
    this.name = cli.kind.name;
    this.#engine = new Engine(cli);
    this.images = new EngineImages(cli);
    this.network = new PodNetwork(options, this.#pods);
    this.#sandboxMaker = new SandboxMaker(options, this.#engine, this.images, this.#pods);
    this.#containerMaker = new ContainerMaker(
      options,
      this.#engine,
      this.images,
      this.#sandboxMaker,
      this.#pods,
    );
    this.#ends = new Ends(options, this.#pods, (...about) =>
      this.#sandboxMaker.readMessage(...about),
    );
    this.#events = new EngineEvents(cli, [`label=${SESSION_LABEL}=${session}`], (event) => {
      void this.#ends.onEvent(event);
    });
  }

  async status(): Promise<void> {
    const trouble = await engineTrouble(this.#options.cli);
    if (trouble !== undefined) throw trouble;
  }

  async getPods(): Promise<readonly RuntimePod[]> {
    await this.#adopt();
    const states = await this.#engine.states(this.#options.session);
    this.#events.ensure();
    await this.#ends.onListing(states);
    return this.#pods.list(states);
  }

  async getPodStatus({ uid }: RuntimePod): Promise<RuntimePodStatus> {
    const seen = await inspectContainers(this.#options.cli, this.#pods.idsOf(uid));
    await this.#ends.onInspected(seen);
    this.network.update(uid, seen);
    return this.#pods.status(uid, seen);
  }

  async runPodSandbox(pod: Pod, attempt: number): Promise<{ id: string; ips: readonly string[] }> {
    this.#assertOpen();
    return this.#making(this.#sandboxMaker.run(pod, attempt));
  }

  async stopPodSandbox(id: string): Promise<void> {
    const running = this.#pods.containersIn(id).filter((container) => container.running);
    await Promise.all(running.map((container) => this.stopContainer(container.id, 0)));
    await this.#engine.runIfPresent(['kill', id]);
  }

  async removePodSandbox(id: string): Promise<void> {
    await this.stopPodSandbox(id);
    await Promise.all(this.#pods.containersIn(id).map((c) => this.removeContainer(c.id)));
    await this.#engine.runIfPresent(['rm', '--force', id]);
    this.#pods.sandboxes.delete(id);
  }

  async createContainer(config: ContainerConfig): Promise<string> {
    this.#assertOpen();
    return this.#making(this.#containerMaker.create(config));
  }

  async startContainer(id: string): Promise<void> {
    this.#assertOpen();
    await this.#making(this.#containerMaker.start(id));
  }

  async stopContainer(id: string, gracePeriodSeconds: number): Promise<void> {
    const grace = String(Math.max(0, Math.ceil(gracePeriodSeconds)));
    await this.#engine.run(['stop', '-t', grace, id], { limit: 0 });
    await this.#ends.onInspected(await inspectContainers(this.#options.cli, [id]));
  }

  async removeContainer(id: string): Promise<void> {
    await this.#engine.runIfPresent(['rm', '--force', id]);
    this.#pods.containers.get(id)?.output?.stop();
    this.#pods.containers.delete(id);
  }

  async execSync(
    id: string,
    command: readonly string[],
    timeoutSeconds: number,
  ): Promise<ExecResult> {
    this.#assertOpen();
    const { listener, execs } = this.#options;
    const name = this.#pods.containers.get(id)?.labels.container ?? id;
    const onLeftovers = (commands: readonly string[]): void => {
      if (commands.length > 0) listener.onNote('info', leftoverNote(name, commands));
    };
    return execs.run({ id, command, timeoutSeconds, onLeftovers });
  }

  /** Ends and removes everything it made, unless it is kept. Resolves when nothing is left. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#events.stop();
    for (const { output } of this.#pods.containers.values()) output?.stop();
    this.#options.onClose();
    await this.#options.execs.close();
    if (this.#options.keep) return;
    // Wait for what is being made, so that it is removed too.
    await Promise.allSettled(this.#underWay);
    await this.#remove();
  }

  async #remove(): Promise<void> {
    const { session, listener } = this.#options;
    try {
      await this.#engine.removeSession(session, CLOSE_GRACE_PERIOD);
    } catch (error) {
      if (!(error instanceof RuntimeError)) throw error;
      const what = `could not remove everything, run kprobe down later: ${error.message}`;
      listener.onNote('warning', what);
    }
  }

  #making<T>(work: Promise<T>): Promise<T> {
    this.#underWay.add(work);
    const done = (): boolean => this.#underWay.delete(work);
    void work.then(done, done);
    return work;
  }

  #adopt(): Promise<void> {
    this.#adopting ??= adoptSession(
      this.#options,
      this.#pods,
      this.#sandboxMaker,
      this.#containerMaker,
    );
    return this.#adopting;
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw new RuntimeError('the runtime is closing');
  }
}

/** Takes over the containers that another process made and left. */
export async function adoptSession(
  options: CreatedOptions,
  pods: CreatedPods,
  sandboxes: SandboxMaker,
  maker: ContainerMaker,
): Promise<void> {
  const { cli, session, adopts, listener } = options;
  if (!adopts) return;
  const states = await new Engine(cli).states(session);
  const seen = await inspectContainers(cli, [...states.keys()]);
  for (const container of [...seen].sort((a, b) => a.createdAt - b.createdAt)) {
    const labels = decodeLabels(container.labels);
    if (labels === undefined) continue;
    const { id } = container;
    if (labels.kind === 'sandbox') {
      pods.sandboxes.set(id, { id, labels, hostNetwork: container.networkMode === 'host' });
      await sandboxes.volumeOf({ metadata: labels }).ensure();
      continue;
    }
    const running = isAlive(container);
    const known: KnownContainer = { id, labels, policy: 'File', running };
    pods.containers.set(id, known);
    const pod = { metadata: labels };
    listener.onFound(id, { pod, container: labels.container, running });
    if (running) maker.follow(known);
  }
  maker.skip(seen.length);
}
