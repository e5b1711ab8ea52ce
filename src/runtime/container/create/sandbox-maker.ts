import { allContainers, type Pod } from '../../../api/index.js';
import { RuntimeError } from '../../../kubelet/ports.js';
import { isHostNetworkPod } from '../../../kubelet/runtime-pod-status.js';
import { createTar } from '../tar.js';
import type { Created } from './created-options.js';
import { LOOPBACK } from './created-pods.js';
import type { EngineImages } from './engine.js';
import {
  engineName,
  labelArguments,
  type PodLabels,
  podLabels,
  type SandboxLabels,
} from './labels.js';
import { pauseProgram } from './pause-program.js';
import { nodenameForKernel } from './pod-network.js';
import { PodVolume } from './pod-volume.js';

const PAUSE_IMAGE = 'kprobe-pause:1';

/** Makes sandboxes: containers that do nothing but hold a pod's namespaces and volume. */
export class SandboxMaker {
  readonly #created: Created;
  readonly #volumes = new Map<string, PodVolume>();
  #pauseReady: Promise<void> | undefined;

  constructor(created: Created) {
    this.#created = created;
  }

  async run(pod: Pod, attempt: number): Promise<{ id: string; ips: readonly string[] }> {
    const { engine, cli, config, node, session, network, pods } = this.#created;
    const volume = this.volumeOf(pod.metadata);
    await Promise.all([
      this.#ensurePause(),
      volume.ensure(),
      volume.ensureInMemory(pod, node.allocatable),
      ensureVolumeImages(this.#created.images, pod),
    ]);
    const ofPod = podLabels(this.#created, pod.metadata);
    const labels: SandboxLabels = { ...ofPod, kind: 'sandbox', attempt };
    const hostNetwork = isHostNetworkPod(pod);
    const id = await cli.run([
      'create',
      ...['--pull', 'never', '--name', engineName(pod, 'sandbox', session, attempt)],
      ...labelArguments(labels),
      ...(hostNetwork ? ['--network', 'host'] : this.#network(pod)),
      ...(pod.spec.securityContext?.sysctls ?? []).flatMap(({ name, value }) => [
        '--sysctl',
        `${name}=${value}`,
      ]),
      // podman stops what it removes, and a pause process ignores TERM.
      ...['--stop-signal', 'KILL', '--ipc', 'shareable', ...volume.mountArguments(pod)],
      ...[PAUSE_IMAGE, '/pause'],
    ]);
    pods.sandboxes.set(id, { id, labels, hostNetwork });
    try {
      await Promise.all([volume.fill(id, { pod, config, node }), cli.run(['start', id])]);
    } catch (error) {
      // The next attempt makes a new one.
      await cli.runIfPresent(['rm', '--force', '--volumes', id]);
      pods.sandboxes.delete(id);
      throw error;
    }
    if (hostNetwork) return { id, ips: [] };
    if (network === 'none') return { id, ips: [LOOPBACK] };
    const [seen] = await engine.inspect([id]);
    return { id, ips: seen?.ips ?? [] };
  }

  /** The volume of a pod; one for all its sandboxes. */
  volumeOf(pod: Pick<PodLabels, 'uid' | 'name' | 'namespace'>): PodVolume {
    const { cli, session } = this.#created;
    const known = this.#volumes.get(pod.uid);
    if (known !== undefined) return known;
    const labels = labelArguments(podLabels(this.#created, pod));
    const volume = new PodVolume(cli, `kprobe-${session}-${pod.uid}`, labels);
    this.#volumes.set(pod.uid, volume);
    return volume;
  }

  #network(pod: Pod): string[] {
    const { network, portsOf } = this.#created;
    const about = ['--network', network, '--hostname', nodenameForKernel(pod)];
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
    const { cli, images } = this.#created;
    if ((await images.getImageRef(PAUSE_IMAGE)) !== undefined) return;
    const content = pauseProgram(await cli.run(cli.kind.architecture));
    await images.import(createTar([{ path: 'pause', mode: 0o755, content }]), PAUSE_IMAGE);
  }
}

/** Pulls the images of volumes as their policies say. Ports EnsureImageExists (pkg/kubelet/images/image_manager.go). */
async function ensureVolumeImages(
  images: EngineImages,
  { spec: { volumes = [] } }: Pod,
): Promise<void> {
  for (const { image } of volumes) {
    if (image?.reference === undefined) continue;
    const { reference, pullPolicy } = image;
    const isThere = pullPolicy !== 'Always' && (await images.getImageRef(reference)) !== undefined;
    if (isThere) continue;
    if (pullPolicy === 'Never') {
      throw new RuntimeError(
        `Container image "${reference}" is not present with pull policy of Never`,
      );
    }
    await images.pullImage(reference);
  }
}

function hostPorts({ spec }: Pod): string[] {
  const ports = allContainers(spec).flatMap((container) => container.ports ?? []);
  return ports
    .filter(({ hostPort = 0 }) => hostPort !== 0)
    .flatMap(({ hostPort = 0, hostIP = '', containerPort, protocol = 'TCP' }) => {
      const ip = hostIP === '' ? '127.0.0.1' : hostIP;
      return ['--publish', `${ip}:${hostPort}:${containerPort}/${protocol.toLowerCase()}`];
    });
}
