import type { Pod } from '../../../api/index.js';
import { latin1, toText } from '../../../go/byte-string.js';
import {
  type ContainerConfig,
  type ExecResult,
  type Runtime,
  RuntimeError,
  type RuntimePod,
  type RuntimePodStatus,
} from '../../../kubelet/ports.js';
import {
  assertAnswers,
  type EngineEvent,
  type EngineEvents,
  engineEvents,
  EngineImages,
  pauseMessage,
} from '../engine.js';
import { type Inspected, isAlive } from '../inspect.js';
import { ContainerMaker } from './container-maker.js';
import {
  type Created,
  type CreatedOptions,
  CreatedPods,
  endReason,
  type KnownContainer,
  stateOf,
} from './created-pods.js';
import { decodeLabels } from './labels.js';
import { SandboxMaker } from './sandbox-maker.js';
import { removeContainersAndVolumes, sessionLabel } from './sessions.js';

/** Pods that kprobe makes in a container engine, as a kubelet has its runtime make them. */
export class CreatedRuntime implements Runtime {
  readonly #created: Created;
  readonly name: string;
  readonly images: EngineImages;
  readonly #pods = new CreatedPods();
  readonly #sandboxMaker: SandboxMaker;
  readonly #containerMaker: ContainerMaker;
  readonly #ends: Ends;
  readonly #events: EngineEvents;
  readonly #underWay = new Set<Promise<unknown>>();
  #adopting: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: CreatedOptions) {
    const { engine, session } = options;
    const { cli } = engine;
    this.name = cli.kind.name;
    this.images = new EngineImages(cli);
    this.#created = { ...options, cli, images: this.images, pods: this.#pods };
    this.#sandboxMaker = new SandboxMaker(this.#created);
    this.#containerMaker = new ContainerMaker(this.#created, this.#sandboxMaker);
    this.#ends = new Ends(this.#created, this.#sandboxMaker);
    this.#events = engineEvents(engine, { label: [sessionLabel(session)] }, (event) => {
      void this.#ends.onEvent(event);
    });
  }

  status(): Promise<void> {
    return assertAnswers(this.#created.engine);
  }

  async getPods(): Promise<readonly RuntimePod[]> {
    this.#adopting ??= this.#adopt();
    await this.#adopting;
    const states = await this.#states();
    this.#events.ensure();
    await this.#ends.onListing(states);
    return this.#pods.list(states);
  }

  async getPodStatus({ uid }: RuntimePod): Promise<RuntimePodStatus> {
    const seen = await this.#created.engine.inspect(this.#pods.idsOf(uid));
    await this.#ends.onInspected(seen);
    const [latest] = this.#pods.sandboxesOf(uid);
    const sandbox = seen.find(({ id }) => id === latest?.id);
    if (latest && sandbox) this.#created.routes.update(uid, sandbox, latest.hostNetwork);
    return this.#pods.status(uid, seen);
  }

  async runPodSandbox(pod: Pod, attempt: number): Promise<{ id: string; ips: readonly string[] }> {
    this.#assertOpen();
    return this.#making(this.#sandboxMaker.run(pod, attempt));
  }

  async stopPodSandbox(id: string): Promise<void> {
    const running = this.#pods.containersIn(id).filter((container) => container.running);
    await Promise.all(running.map((container) => this.stopContainer(container.id, 0)));
    await this.#created.cli.runIfPresent(['kill', id]);
  }

  async removePodSandbox(id: string): Promise<void> {
    await this.stopPodSandbox(id);
    await Promise.all(this.#pods.containersIn(id).map((c) => this.removeContainer(c.id)));
    await this.#created.cli.runIfPresent(['rm', '--force', '--volumes', id]);
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
    await this.#created.cli.run(['stop', '-t', grace, id], { limit: 0 });
    await this.#ends.onInspected(await this.#created.engine.inspect([id]));
  }

  async removeContainer(id: string): Promise<void> {
    await this.#created.cli.runIfPresent(['rm', '--force', '--volumes', id]);
    this.#pods.containers.get(id)?.output?.stop();
    this.#pods.containers.delete(id);
  }

  async execSync(
    id: string,
    command: readonly string[],
    timeoutSeconds: number,
  ): Promise<ExecResult> {
    this.#assertOpen();
    const { listener, execs } = this.#created;
    const name = this.#pods.containers.get(id)?.labels.container ?? id;
    const onLeftovers = (message: string): void => listener.onMessage(id, message);
    return execs.run({ id, name, command, timeoutSeconds, onLeftovers });
  }

  /** Ends and removes everything it made, unless it is kept. Resolves when nothing is left. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#events.stop();
    for (const { output } of this.#pods.containers.values()) output?.stop();
    this.#created.onClose();
    await this.#created.execs.close();
    if (this.#created.keep) return;
    // Wait for what is being made, so that it is removed too.
    await Promise.allSettled(this.#underWay);
    await this.#remove();
  }

  async #remove(): Promise<void> {
    const { engine, session, listener } = this.#created;
    try {
      await removeContainersAndVolumes(engine, session);
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

  #states(): Promise<ReadonlyMap<string, string>> {
    const { engine, session } = this.#created;
    return engine.states([sessionLabel(session)]);
  }

  /** Takes over the containers that another process made and left. */
  async #adopt(): Promise<void> {
    const { engine, adopts, listener } = this.#created;
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
      listener.onFound(id, { pod: { metadata: labels }, container: labels.container, running });
      if (running) this.#containerMaker.follow(known);
    }
    this.#containerMaker.skip(seen.length);
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw new RuntimeError('the runtime is closing');
  }
}

/** The end of a container that was removed while it ran. */
const REMOVED = { exitCode: 137, reason: 'Removed' };

/** Reports each container's end once, whether an event, a listing or an inspection shows it first. */
class Ends {
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
    known.message = terminationMessage(known.policy, seen, file, known.output?.tail() ?? '');
    const reason = endReason(seen);
    const { exitCode } = seen;
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
