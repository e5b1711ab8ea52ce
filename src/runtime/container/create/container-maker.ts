import { verifyRunAsNonRoot } from '../../../kubelet/containers/container-starter.js';
import { type ContainerConfig, RuntimeError } from '../../../kubelet/ports.js';
import { isHostNetworkPod } from '../../../kubelet/runtime-pod-status.js';
import {
  type Environment,
  makeEnvironmentVariables,
} from '../../environment/environment-variables.js';
import type { OnLine } from '../../process-output.js';
import { followOutput } from '../engine.js';
import {
  containerArguments,
  identityOf,
  type ImageAccounts,
  needsAccounts,
} from './container-arguments.js';
import type { EngineContext } from './engine-context.js';
import type { KnownContainer } from './known-pods.js';
import { type ContainerLabels, engineName, labelArguments, podLabels } from './labels.js';
import { containerMounts, type Mount } from './pod-mounts.js';
import { hasDNSConfig, hostsFile, resolvConf } from './pod-network.js';
import type { SandboxMaker } from './sandbox-maker.js';
import type { VolumeFile } from './volume-files.js';

export class ContainerMaker {
  readonly #imageAccounts = new Map<string, Promise<ImageAccounts>>();
  readonly #warnings = new Set<string>();
  #next = 0;

  constructor(
    private readonly context: EngineContext,
    private readonly sandboxes: SandboxMaker,
  ) {}

  /** Continues the numbers of containers after those that were taken over. */
  skip(count: number): void {
    this.#next = Math.max(this.#next, count);
  }

  async create(config: ContainerConfig): Promise<string> {
    const { pod, container, sandboxID, podIPs } = config;
    const { engine, node, session, pods } = this.context;
    const source = this.context.config;
    const env = makeEnvironmentVariables({ pod, container, podIPs, node, config: source });
    if (!env.ok) throw new RuntimeError(env.error, 'configuration');
    await this.#verifyUser(config);
    const number = this.#next++;
    const messageFile = `messages/${container.name}-${number}`;
    const mounts = await this.#mounts(config, env.value, messageFile);
    const identity = identityOf(pod, container, await this.#accounts(config));
    const labels: ContainerLabels = {
      ...podLabels(this.context, pod.metadata),
      kind: 'container',
      container: container.name,
      sandboxID,
      hash: config.hash,
      restartCount: config.restartCount || this.#countOf(config),
      imageRef: config.imageRef,
      messageFile,
    };
    const args = [
      `--name=${engineName(pod, container.name, session, number)}`,
      ...labelArguments(labels),
      // With docker, the hostname comes with the network.
      ...(engine.kind.name === 'podman' ? ['--uts', `container:${sandboxID}`] : []),
      ...containerArguments({ pod, container, sandboxID, env: env.value, mounts, identity }),
    ];
    const id = await engine.commands.create(args, (line) => this.#onWarning(line));
    const policy = container.terminationMessagePolicy ?? 'File';
    const { tty = false } = container;
    pods.containers.set(id, { id, labels, policy, tty, running: false });
    return id;
  }

  /** Reports each warning of the engine once, such as a memory limit that it ignores. */
  #onWarning(line: string): void {
    const { engine, listener } = this.context;
    if (!this.#warnings.has(line)) listener.onNote('warning', `${engine.kind.name}: ${line}`);
    this.#warnings.add(line);
  }

  /** Reads the users and groups of a container's image if they are needed, once for each image. */
  async #accounts(config: ContainerConfig): Promise<ImageAccounts | undefined> {
    const { pod, container, imageRef } = config;
    if (!needsAccounts(pod, container)) return undefined;
    const known = this.#imageAccounts.get(imageRef);
    if (known !== undefined) return known;
    const volume = this.sandboxes.volumeOf(pod.metadata);
    const reading = volume.readAccounts(container.image, this.context.engine.commands.images);
    this.#imageAccounts.set(imageRef, reading);
    reading.catch(() => this.#imageAccounts.delete(imageRef));
    return reading;
  }

  /** Makes the files and folders that a container mounts. Resolves with its mounts. */
  async #mounts(
    config: ContainerConfig,
    env: Environment,
    messageFile: string,
  ): Promise<readonly Mount[]> {
    const { pod, sandboxID } = config;
    const volume = this.sandboxes.volumeOf(pod.metadata);
    const [mountpoint, inMemory, etcFiles] = await Promise.all([
      volume.path(),
      volume.ensureInMemory(pod, this.context.node.allocatable),
      this.#etcFiles(config),
    ]);
    const etc = new Map(etcFiles.map(({ path }) => [`/${path}`, path]));
    const files = { mountpoint, inMemory, messageFile, etc };
    const { mounts, subPaths } = containerMounts({ ...config, env, ...files });
    const message = { path: messageFile, mode: 0o666, content: new Uint8Array() };
    await volume.prepare(sandboxID, [...etcFiles, message], subPaths);
    return mounts;
  }

  async #etcFiles({ pod, podIPs, sandboxID }: ContainerConfig): Promise<readonly VolumeFile[]> {
    const volume = this.sandboxes.volumeOf(pod.metadata);
    const readFile = async (path: string): Promise<string> =>
      new TextDecoder().decode(await volume.readFile(sandboxID, path));
    const files: [path: string, text: string][] = [];
    const hostNetwork = isHostNetworkPod(pod);
    if (hostNetwork ? pod.spec.hostAliases !== undefined : podIPs.length > 0) {
      files.push([
        'etc/hosts',
        hostsFile(pod, podIPs, hostNetwork ? await readFile('/etc/hosts') : ''),
      ]);
    }
    if (hasDNSConfig(pod)) {
      files.push(['etc/resolv.conf', resolvConf(pod, await readFile('/etc/resolv.conf'))]);
    }
    return files.map(([path, text]) => ({
      path,
      mode: 0o644,
      content: new TextEncoder().encode(text),
    }));
  }

  async start(id: string): Promise<void> {
    const known = this.context.pods.containers.get(id);
    if (known === undefined) throw new RuntimeError(`container ${id} not found`, 'notFound');
    try {
      await this.context.engine.commands.start(id);
    } catch (error) {
      if (error instanceof RuntimeError) {
        known.failed = { message: error.message, at: this.context.clock.now() };
      }
      throw error;
    }
    known.running = true;
    this.follow(known);
  }

  /** Passes on a container's output from its start. */
  follow(known: KnownContainer): void {
    const { listener } = this.context;
    const onLine: OnLine = (stream, text) => listener.onOutput(known.id, stream, text);
    known.output = followOutput(this.context, known, {}, onLine);
  }

  /**
   * Counts the runs of a container that somebody removed from the engine; the kubelet counts their logs.
   * Ports calcRestartCountByLogDir (pkg/kubelet/kuberuntime/kuberuntime_container.go).
   */
  #countOf({ pod, container }: ContainerConfig): number {
    const before = this.context.pods
      .containersOf(pod.metadata.uid)
      .filter(({ labels }) => labels.container === container.name);
    return Math.max(0, ...before.map(({ labels }) => labels.restartCount + 1));
  }

  async #verifyUser({ pod, container }: ContainerConfig): Promise<void> {
    const wanted =
      container.securityContext?.runAsNonRoot ?? pod.spec.securityContext?.runAsNonRoot;
    if (wanted !== true) return;
    const problem = verifyRunAsNonRoot(
      pod,
      container,
      await this.context.engine.commands.images.userOf(container.image),
    );
    if (problem !== undefined) throw new RuntimeError(problem, 'configuration');
  }
}
