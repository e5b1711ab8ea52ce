import type { Pod } from '../../../api/index.js';
import { isHostNetworkPod } from '../../../kubelet/runtime-pod-status.js';
import { inspectContainers } from '../engine-queries.js';
import { createTar } from '../tar.js';
import type { CreatedOptions } from './created-options.js';
import type { KnownContainer } from './created-pods.js';
import { type CreatedPods, LOOPBACK } from './created-pods.js';
import type { Engine } from './engine.js';
import type { EngineImages } from './engine.js';
import { labelArguments, podLabels, type SandboxLabels } from './labels.js';
import { engineName } from './labels.js';
import { pauseProgram } from './pause-program.js';
import { POD_FOLDER, PodVolume } from './pod-volume.js';

const PAUSE_IMAGE = 'kprobe-pause:1';

/** Makes sandboxes: containers that do nothing but hold a pod's namespaces and volume. */
export class SandboxMaker {
  readonly #options: CreatedOptions;
  readonly #engine: Engine;
  readonly #images: EngineImages;
  readonly #pods: CreatedPods;
  readonly #volumes = new Map<string, PodVolume>();
  #pauseReady: Promise<void> | undefined;

  constructor(options: CreatedOptions, engine: Engine, images: EngineImages, pods: CreatedPods) {
    this.#options = options;
    this.#engine = engine;
    this.#images = images;
    this.#pods = pods;
  }

  async run(pod: Pod, attempt: number): Promise<{ id: string; ips: readonly string[] }> {
    const { cli, config, node } = this.#options;
    const volume = this.volumeOf(pod);
    await Promise.all([this.#ensurePause(), volume.ensure()]);
    const labels: SandboxLabels = { ...podLabels(this.#options, pod), kind: 'sandbox', attempt };
    const hostNetwork = isHostNetworkPod(pod);
    const id = await this.#engine.run([
      ...[
        'create',
        '--pull',
        'never',
        '--name',
        engineName(pod, 'sandbox', this.#options.session, attempt),
      ],
      ...labelArguments(labels),
      ...(hostNetwork ? ['--network', 'host'] : this.#network(pod)),
      ...['--ipc', 'shareable', '--volume', `${volume.name}:${POD_FOLDER}`],
      ...[PAUSE_IMAGE, '/pause'],
    ]);
    this.#pods.sandboxes.set(id, { id, labels, hostNetwork });
    try {
      const filled = attempt === 0 ? volume.fill(id, { pod, config, node }) : undefined;
      await Promise.all([filled, this.#engine.run(['start', id])]);
    } catch (error) {
      // The next attempt makes a new one.
      await this.#engine.runIfPresent(['rm', '--force', id]);
      this.#pods.sandboxes.delete(id);
      throw error;
    }
    if (hostNetwork) return { id, ips: [] };
    if (this.#options.network === 'none') return { id, ips: [LOOPBACK] };
    const [seen] = await inspectContainers(cli, [id]);
    return { id, ips: seen?.ips ?? [] };
  }

  /** The volume of a pod; one for all its sandboxes. */
  volumeOf({ metadata: { uid, name, namespace } }: PodName): PodVolume {
    const { cli, session, owner } = this.#options;
    const known = this.#volumes.get(uid);
    if (known !== undefined) return known;
    const labels = labelArguments({ session, owner, uid, name, namespace });
    const volume = new PodVolume(cli, `kprobe-${session}-${uid}`, labels);
    this.#volumes.set(uid, volume);
    return volume;
  }

  /** Returns the termination message that a container wrote. */
  readMessage({ labels }: KnownContainer): Promise<Uint8Array> {
    return this.volumeOf({ metadata: labels }).readMessage(labels.sandboxID, labels.messageFile);
  }

  #network(pod: Pod): string[] {
    const { network, portsOf } = this.#options;
    const hostname = (pod.spec.hostname ?? pod.metadata.name).slice(0, 63);
    const about = ['--network', network, '--hostname', hostname];
    if (network === 'none') return about;
    const ports = portsOf(pod).flatMap((port) => ['--publish', `127.0.0.1::${port}`]);
    return [...about, ...ports, ...hostPorts(pod)];
  }

  #ensurePause(): Promise<void> {
    this.#pauseReady ??= this.#makePause().catch((error: unknown) => {
      this.#pauseReady = undefined;
      throw error;
    });
    return this.#pauseReady;
  }

  async #makePause(): Promise<void> {
    if ((await this.#images.getImageRef(PAUSE_IMAGE)) !== undefined) return;
    const info = await this.#engine.run(this.#options.cli.kind.architecture);
    const program = { path: 'pause', mode: 0o755, content: pauseProgram(info) };
    await this.#images.import(createTar([program]), PAUSE_IMAGE);
  }
}

interface PodName {
  readonly metadata: Pick<Pod['metadata'], 'uid' | 'name' | 'namespace'>;
}

function hostPorts({ spec }: Pod): string[] {
  const ports = [...(spec.initContainers ?? []), ...spec.containers].flatMap((c) => c.ports ?? []);
  return ports
    .filter(({ hostPort = 0 }) => hostPort !== 0)
    .flatMap(({ hostPort = 0, hostIP = '', containerPort, protocol = 'TCP' }) => {
      const ip = hostIP === '' ? '127.0.0.1' : hostIP;
      return ['--publish', `${ip}:${hostPort}:${containerPort}/${protocol.toLowerCase()}`];
    });
}
