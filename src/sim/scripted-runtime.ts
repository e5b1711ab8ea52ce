import { ownField, type Pod } from '../api/index.js';
import { type Clock, type Random, sleep } from '../clock/clock.js';
import { verifyRunAsNonRoot } from '../kubelet/containers/container-starter.js';
import {
  type ContainerConfig,
  type ExecResult,
  type ImageService,
  type PulledImage,
  type Runtime,
  RuntimeError,
  type RuntimePod,
  type RuntimePodStatus,
  type RuntimeSandboxStatus,
} from '../kubelet/ports.js';
import type { Exit, RuntimeListener } from '../kubelet/traced-runtime.js';
import { DEFAULT_RUN, type Scenario, type ScriptedRun, START_TAKES } from './scenario.js';
import { KILLED, ScriptedContainer } from './scripted-container.js';
import type { Surroundings } from './surroundings.js';

/** The address of a scripted pod without one of its own. */
const POD_IP = '192.168.192.168';
/** The user of every image; not root, so that runAsNonRoot passes. */
const IMAGE_USER = '65532';

interface Sandbox {
  readonly id: string;
  readonly pod: Pod;
  readonly attempt: number;
  ready: boolean;
}

export interface ScriptedWorld {
  /** Random numbers of the scripts; the clock's when absent. */
  readonly random?: Random;
  /** Images that are present without a pull. */
  readonly present?: readonly string[];
  /** Address of its pods. */
  readonly podIP?: string;
  /** Times are the clock's. */
  readonly surroundings?: (() => Surroundings) | undefined;
  /** Called for each start of a container. */
  readonly onStart?: ((container: ScriptedContainer) => void) | undefined;
}

/** A runtime whose containers follow a scenario. */
export class ScriptedRuntime implements Runtime {
  readonly name = 'simulated';
  readonly images: ImageService;
  readonly #sandboxes: Sandbox[] = [];
  /** Newest first. */
  readonly #containers: ScriptedContainer[] = [];
  readonly #byID = new Map<string, ScriptedContainer>();
  readonly #starts = new Map<string, number>();
  readonly #random: Random;
  readonly #surroundings: (() => Surroundings) | undefined;
  readonly #podIP: string;
  readonly #onStart: ScriptedWorld['onStart'];
  #nextID = 0;
  /** The pods until something changes: the kubelet asks each second, which was 7 % of a simulation's CPU time. */
  #listing: readonly RuntimePod[] | undefined;

  readonly #clock: Clock;
  readonly #scripts: Scenario['containers'];
  readonly #listener: RuntimeListener;

  constructor(
    clock: Clock,
    scripts: Scenario['containers'],
    listener: RuntimeListener,
    {
      random = () => clock.random(),
      present = [],
      podIP = POD_IP,
      surroundings,
      onStart,
    }: ScriptedWorld = {},
  ) {
    this.#onStart = onStart;
    this.#surroundings = surroundings;
    this.#clock = clock;
    this.#scripts = scripts;
    this.#listener = listener;
    this.#random = random;
    this.#podIP = podIP;
    this.images = new ScriptedImages(present);
  }

  status(): Promise<void> {
    return Promise.resolve();
  }

  getPods(): Promise<readonly RuntimePod[]> {
    this.#listing ??= this.#list();
    return Promise.resolve(this.#listing);
  }

  getPodStatus({ uid }: RuntimePod): Promise<RuntimePodStatus> {
    const sandboxStatuses = this.#sandboxesOf(uid).map((sandbox) =>
      sandboxStatus(sandbox, this.#podIP),
    );
    const [latest] = sandboxStatuses;
    const containerStatuses = this.#containersOf(uid).map((c) => c.status());
    const ips = latest?.state === 'ready' ? latest.ips : [];
    return Promise.resolve({ uid, ips, sandboxStatuses, containerStatuses });
  }

  runPodSandbox(pod: Pod, attempt: number): Promise<{ id: string; ips: readonly string[] }> {
    const id = this.#newID('sandbox');
    this.#listing = undefined;
    this.#sandboxes.unshift({ id, pod, attempt, ready: true });
    return Promise.resolve({ id, ips: [this.#podIP] });
  }

  stopPodSandbox(id: string): Promise<void> {
    const sandbox = this.#sandboxes.find((candidate) => candidate.id === id);
    if (sandbox !== undefined) sandbox.ready = false;
    this.#listing = undefined;
    return Promise.resolve();
  }

  removePodSandbox(id: string): Promise<void> {
    remove(this.#sandboxes, id);
    this.#listing = undefined;
    return Promise.resolve();
  }

  createContainer(config: ContainerConfig): Promise<string> {
    const refusal = verifyRunAsNonRoot(config.pod, config.container, IMAGE_USER);
    if (refusal !== undefined) return Promise.reject(new RuntimeError(refusal, 'configuration'));
    const id = this.#newID(config.container.name);
    const onExit = (exit: Exit): void => {
      this.#listing = undefined;
      this.#listener.onExit(id, exit);
    };
    const container = new ScriptedContainer(
      id,
      config,
      this.#clock,
      this.#random,
      onExit,
      this.#surroundings,
    );
    this.#listing = undefined;
    this.#containers.unshift(container);
    this.#byID.set(id, container);
    return Promise.resolve(id);
  }

  async startContainer(id: string): Promise<void> {
    const container = this.#find(id);
    const script = this.#nextRun(container.config);
    if (script.startError !== undefined) throw new RuntimeError(script.startError);
    await sleep(this.#clock, script.startTakes ?? START_TAKES);
    this.#listing = undefined;
    container.start(script);
    this.#onStart?.(container);
  }

  stopContainer(id: string, gracePeriodSeconds: number): Promise<void> {
    return this.#find(id).stop(gracePeriodSeconds);
  }

  removeContainer(id: string): Promise<void> {
    remove(this.#containers, id);
    this.#listing = undefined;
    this.#byID.delete(id);
    return Promise.resolve();
  }

  execSync(id: string, command: readonly string[], timeoutSeconds: number): Promise<ExecResult> {
    // A worker may not know yet that its container was removed.
    return this.container(id)?.exec(command.join(' '), timeoutSeconds) ?? Promise.resolve(KILLED);
  }

  /** Returns the container until it is removed. */
  container(id: string): ScriptedContainer | undefined {
    return this.#byID.get(id);
  }

  #list(): readonly RuntimePod[] {
    return [...new Map(this.#sandboxes.map(({ pod }) => [pod.metadata.uid, pod])).values()].map(
      ({ metadata: { uid, name, namespace } }) => ({
        uid,
        name,
        namespace,
        containers: this.#containersOf(uid).map(({ id, state, config }) => ({
          id,
          state,
          name: config.container.name,
          sandboxID: config.sandboxID,
        })),
        sandboxes: this.#sandboxesOf(uid).map(({ id, ready }) => ({
          id,
          state: ready ? 'ready' : 'notReady',
        })),
      }),
    );
  }

  #nextRun({ pod, container }: ContainerConfig): ScriptedRun {
    const key = `${pod.metadata.uid} ${container.name}`;
    const run = this.#starts.get(key) ?? 0;
    this.#starts.set(key, run + 1);
    const runs = ownField(this.#scripts, container.name) ?? [];
    return runs[run] ?? runs.at(-1) ?? DEFAULT_RUN;
  }

  #sandboxesOf(uid: string): Sandbox[] {
    return this.#sandboxes.filter(({ pod }) => pod.metadata.uid === uid);
  }

  #containersOf(uid: string): ScriptedContainer[] {
    return this.#containers.filter(({ config }) => config.pod.metadata.uid === uid);
  }

  #find(id: string): ScriptedContainer {
    const container = this.container(id);
    if (container === undefined) throw new RuntimeError(`container ${id} not found`, 'notFound');
    return container;
  }

  #newID(what: string): string {
    return `${what}-${this.#nextID++}`;
  }
}

/** Pulls every image at once. */
class ScriptedImages implements ImageService {
  readonly #present: Set<string>;

  constructor(present: readonly string[]) {
    this.#present = new Set(present);
  }

  getImageRef(image: string): Promise<string | undefined> {
    return Promise.resolve(this.#present.has(image) ? image : undefined);
  }

  pullImage(image: string): Promise<PulledImage> {
    this.#present.add(image);
    return Promise.resolve({ ref: image, size: 0 });
  }
}

function sandboxStatus({ id, pod, attempt, ready }: Sandbox, podIP: string): RuntimeSandboxStatus {
  return {
    id,
    state: ready ? 'ready' : 'notReady',
    attempt,
    hostNetwork: pod.spec.hostNetwork ?? false,
    ips: [podIP],
  };
}

function remove(list: { readonly id: string }[], id: string): void {
  const index = list.findIndex((item) => item.id === id);
  if (index !== -1) list.splice(index, 1);
}
