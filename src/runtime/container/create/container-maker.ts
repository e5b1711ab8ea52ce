import { verifyRunAsNonRoot } from '../../../kubelet/containers/run-as-non-root.js';
import { type ContainerConfig, RuntimeError } from '../../../kubelet/ports.js';
import { makeEnvironmentVariables } from '../../environment/environment-variables.js';
import { containerArguments, expandContainerCommandAndArgs } from './container-arguments.js';
import { ContainerOutput } from './container-output.js';
import type { CreatedOptions } from './created-options.js';
import type { CreatedPods, KnownContainer } from './created-pods.js';
import type { Engine, EngineImages } from './engine.js';
import { containerLabels, engineName, labelArguments } from './labels.js';
import { containerMounts } from './pod-mounts.js';
import type { SandboxMaker } from './sandbox-maker.js';

/** Makes and starts containers. */
export class ContainerMaker {
  readonly #options: CreatedOptions;
  readonly #engine: Engine;
  readonly #images: EngineImages;
  readonly #sandboxes: SandboxMaker;
  readonly #pods: CreatedPods;
  #next = 0;

  constructor(
    options: CreatedOptions,
    engine: Engine,
    images: EngineImages,
    sandboxes: SandboxMaker,
    pods: CreatedPods,
  ) {
    this.#options = options;
    this.#engine = engine;
    this.#images = images;
    this.#sandboxes = sandboxes;
    this.#pods = pods;
  }

  /** Continues the numbering after the containers taken over. */
  skip(count: number): void {
    this.#next = Math.max(this.#next, count);
  }

  async create(config: ContainerConfig): Promise<string> {
    const { pod, container, sandboxID, podIPs } = config;
    const { node, config: source, session } = this.#options;
    const env = makeEnvironmentVariables({ pod, container, podIPs, node, config: source });
    if (!env.ok) throw new RuntimeError(env.error, 'configuration');
    await this.#verifyUser(config);
    const volume = this.#sandboxes.volumeOf(pod);
    const mountpoint = await volume.ensure();
    const number = this.#next++;
    const messageFile = `messages/${container.name}-${number}`;
    const { mounts, subPaths } = containerMounts(
      pod,
      container,
      env.value,
      mountpoint,
      messageFile,
    );
    await volume.prepare(sandboxID, messageFile, subPaths);
    const restartCount = config.restartCount || this.#countOf(config);
    const labels = containerLabels(this.#options, { ...config, restartCount }, messageFile);
    const id = await this.#engine.run(
      containerArguments({
        name: engineName(pod, container.name, session, number),
        labels: labelArguments(labels),
        pod,
        container,
        image: container.image,
        sandboxID,
        env: env.value,
        command: expandContainerCommandAndArgs(container, env.value),
        mounts,
      }),
    );
    const policy = container.terminationMessagePolicy ?? 'File';
    this.#pods.containers.set(id, { id, labels, policy, running: false });
    return id;
  }

  async start(id: string): Promise<void> {
    const known = this.#pods.containers.get(id);
    if (known === undefined) throw new RuntimeError(`container ${id} not found`, 'notFound');
    try {
      await this.#engine.run(['start', id]);
    } catch (error) {
      if (error instanceof RuntimeError) {
        known.failed = { message: error.message, at: this.#options.clock.now() };
      }
      throw error;
    }
    known.running = true;
    this.follow(known);
  }

  /** Passes on a container's output from its start. */
  follow(known: KnownContainer): void {
    const { clock, cli, listener } = this.#options;
    known.output = new ContainerOutput(clock, cli, known.id, (stream, text) =>
      listener.onOutput(known.id, stream, text),
    );
  }

  /**
   * Counts the runs of a container that somebody removed from the engine; the kubelet counts their logs.
   * Ports calcRestartCountByLogDir (pkg/kubelet/kuberuntime/kuberuntime_container.go).
   */
  #countOf({ pod, container }: ContainerConfig): number {
    const before = this.#pods
      .containersOf(pod.metadata.uid)
      .filter(({ labels }) => labels.container === container.name);
    return Math.max(0, ...before.map(({ labels }) => labels.restartCount + 1));
  }

  async #verifyUser({ pod, container }: ContainerConfig): Promise<void> {
    const wanted =
      container.securityContext?.runAsNonRoot ?? pod.spec.securityContext?.runAsNonRoot;
    if (wanted !== true) return;
    const problem = verifyRunAsNonRoot(pod, container, await this.#images.userOf(container.image));
    if (problem !== undefined) throw new RuntimeError(problem, 'configuration');
  }
}
