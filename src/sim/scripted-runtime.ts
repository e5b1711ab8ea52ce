import { ownField, type Pod } from '../api/index.js';
import { type Clock, type Random, sleep } from '../clock/clock.js';
import { verifyRunAsNonRoot } from '../kubelet/containers/container-starter.js';
import {
  type ContainerConfig,
  type ExecResult,
  type ImageService,
  KILLED,
  type Runtime,
  RuntimeError,
  type RuntimePod,
  type RuntimePodStatus,
} from '../kubelet/ports.js';
import { RuntimePods } from '../kubelet/runtime-pods.js';
import type { Exit, RuntimeListener } from '../kubelet/traced-runtime.js';
import type { Faults } from './faults.js';
import { DEFAULT_RUN, type Scenario, type ScriptedRun, START_TAKES } from './scenario.js';
import { ScriptedContainer } from './scripted-container.js';

/** The address of a scripted pod that gets no other one. */
const POD_IP = '192.168.192.168';
/** The user of every image; not root, so that runAsNonRoot passes. */
const IMAGE_USER = '65532';

export interface ScriptedWorld {
  /** Random numbers of the scripts; the clock's when absent. */
  readonly random?: Random;
  /** Images that are present without a pull. */
  readonly present?: readonly string[];
  readonly podIP?: string;
  /** Times are the clock's. */
  readonly faults?: (() => Faults) | undefined;
  readonly onStart?: ((container: ScriptedContainer) => void) | undefined;
}

/** A runtime whose containers follow a scenario. */
export class ScriptedRuntime implements Runtime {
  readonly name = 'simulated';
  readonly images: ImageService;
  readonly #pods = new RuntimePods<ScriptedContainer>();
  readonly #starts = new Map<string, number>();
  /** The pods until something changes: the kubelet asks each second, which was 7 % of a simulation's CPU time. */
  #listing: readonly RuntimePod[] | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly scripts: Scenario['containers'],
    private readonly listener: RuntimeListener,
    private readonly world: ScriptedWorld = {},
  ) {
    this.images = scriptedImages(world.present);
  }

  status(): Promise<void> {
    return Promise.resolve();
  }

  getPods(): Promise<readonly RuntimePod[]> {
    this.#listing ??= this.#pods.list();
    return Promise.resolve(this.#listing);
  }

  getPodStatus({ uid }: RuntimePod): Promise<RuntimePodStatus> {
    return Promise.resolve(this.#pods.status(uid, [this.world.podIP ?? POD_IP]));
  }

  runPodSandbox(pod: Pod, attempt: number): Promise<{ id: string; ips: readonly string[] }> {
    const id = this.#pods.addSandbox(pod, attempt);
    return this.#changed({ id, ips: [this.world.podIP ?? POD_IP] });
  }

  stopPodSandbox(id: string): Promise<void> {
    this.#pods.stopSandbox(id);
    return this.#changed(undefined);
  }

  removePodSandbox(id: string): Promise<void> {
    this.#pods.removeSandbox(id);
    return this.#changed(undefined);
  }

  createContainer(config: ContainerConfig): Promise<string> {
    const refusal = verifyRunAsNonRoot(config.pod, config.container, IMAGE_USER);
    if (refusal !== undefined) return Promise.reject(new RuntimeError(refusal, 'configuration'));
    const id = this.#pods.newID(config.container.name);
    const { clock, listener, world } = this;
    const { random = () => clock.random(), faults } = world;
    const onExit = (exit: Exit): void => {
      this.#listing = undefined;
      listener.onExit(id, exit);
    };
    this.#pods.add(new ScriptedContainer(id, config, clock, random, onExit, faults));
    return this.#changed(id);
  }

  async startContainer(id: string): Promise<void> {
    const container = this.#pods.get(id);
    const script = this.#nextRun(container.config);
    const { startError, startTakes = startError === undefined ? START_TAKES : 0 } = script;
    if (startError === undefined || startTakes > 0) await sleep(this.clock, startTakes);
    if (startError !== undefined) throw new RuntimeError(startError);
    this.#listing = undefined;
    container.start(script);
    this.world.onStart?.(container);
  }

  stopContainer(id: string, gracePeriodSeconds: number): Promise<void> {
    return this.#pods.get(id).stop(gracePeriodSeconds);
  }

  removeContainer(id: string): Promise<void> {
    this.#pods.remove(id);
    return this.#changed(undefined);
  }

  execSync(
    id: string,
    command: readonly string[],
    timeoutSeconds: number,
    canceled?: AbortSignal,
  ): Promise<ExecResult> {
    const container = this.container(id);
    // A worker may not know yet that its container was removed.
    if (container === undefined) return Promise.resolve(KILLED);
    return container.exec(command.join(' '), timeoutSeconds, canceled);
  }

  /** Returns the container until it is removed. */
  container(id: string): ScriptedContainer | undefined {
    return this.#pods.find(id);
  }

  /** Forgets the listing after a change, and resolves with the result. */
  #changed<Result>(result: Result): Promise<Result> {
    this.#listing = undefined;
    return Promise.resolve(result);
  }

  #nextRun({ pod, container }: ContainerConfig): ScriptedRun {
    const key = `${pod.metadata.uid} ${container.name}`;
    const run = this.#starts.get(key) ?? 0;
    this.#starts.set(key, run + 1);
    const runs = ownField(this.scripts, container.name) ?? [];
    return runs[run] ?? runs.at(-1) ?? DEFAULT_RUN;
  }
}

/** Pulls every image at once. */
function scriptedImages(present: Iterable<string> = []): ImageService {
  const images = new Set(present);
  return {
    getImageRef: (image) => Promise.resolve(images.has(image) ? image : undefined),
    pullImage(image) {
      images.add(image);
      return Promise.resolve({ ref: image, size: 0 });
    },
  };
}
