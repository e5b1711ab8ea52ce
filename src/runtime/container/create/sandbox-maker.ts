import { allContainers, type Pod } from '../../../api/index.js';
import { RuntimeError } from '../../../kubelet/ports.js';
import { isHostNetworkPod } from '../../../kubelet/runtime-pod-status.js';
import type { EngineImages } from '../engine-commands.js';
import { createTar } from '../tar.js';
import type { EngineContext } from './engine-context.js';
import {
  engineName,
  labelArguments,
  type PodLabels,
  podLabels,
  type SandboxLabels,
} from './labels.js';
import { nodenameForKernel } from './pod-network.js';
import { LOOPBACK } from './pod-routes.js';
import { PodVolume } from './pod-volume.js';

const PAUSE_IMAGE = 'kprobe-pause:1';

/** Makes sandboxes: containers that do nothing but hold a pod's namespaces and volume. */
export class SandboxMaker {
  readonly #volumes = new Map<string, PodVolume>();
  #pauseReady: Promise<void> | undefined;

  constructor(private readonly context: EngineContext) {}

  async run(pod: Pod, attempt: number): Promise<{ id: string; ips: readonly string[] }> {
    const { engine, config, node, session, network, pods } = this.context;
    const { commands } = engine;
    const volume = this.volumeOf(pod.metadata);
    await Promise.all([
      this.#ensurePause(),
      volume.ensure(),
      volume.ensureInMemory(pod, node.allocatable),
      ensureVolumeImages(commands.images, pod),
    ]);
    const common = podLabels(this.context, pod.metadata);
    const labels: SandboxLabels = { ...common, kind: 'sandbox', attempt };
    const hostNetwork = isHostNetworkPod(pod);
    const id = await commands.create([
      `--name=${engineName(pod, 'sandbox', session, attempt)}`,
      ...labelArguments(labels),
      ...(hostNetwork ? ['--network=host'] : this.#network(pod)),
      ...(pod.spec.securityContext?.sysctls ?? []).map(
        ({ name, value }) => `--sysctl=${name}=${value}`,
      ),
      // podman stops what it removes, and a pause process ignores TERM.
      '--stop-signal=KILL',
      '--ipc=shareable',
      ...volume.mountArguments(pod),
      PAUSE_IMAGE,
      '/pause',
    ]);
    pods.sandboxes.set(id, { id, labels, hostNetwork });
    try {
      await volume.verify(pod);
      await Promise.all([volume.fill(id, { pod, config, node }), commands.start(id)]);
    } catch (error) {
      // The next attempt makes a new one.
      await commands.remove([id]);
      pods.sandboxes.delete(id);
      throw error;
    }
    if (hostNetwork) return { id, ips: [] };
    if (network === 'none') return { id, ips: [LOOPBACK] };
    const [seen] = await engine.inspect([id]);
    return { id, ips: seen?.ips ?? [] };
  }

  /** Returns the volume of a pod, which all its sandboxes share. */
  volumeOf(pod: Pick<PodLabels, 'uid' | 'name' | 'namespace'>): PodVolume {
    const { engine, session } = this.context;
    const known = this.#volumes.get(pod.uid);
    if (known !== undefined) return known;
    const labels = labelArguments(podLabels(this.context, pod));
    const volume = new PodVolume(engine, `kprobe-${session}-${pod.uid}`, labels);
    this.#volumes.set(pod.uid, volume);
    return volume;
  }

  #network(pod: Pod): string[] {
    const { network, portsOf } = this.context;
    const args = ['--network', network, '--hostname', nodenameForKernel(pod)];
    if (network === 'none') return args;
    const ports = portsOf(pod).flatMap((port) => ['--publish', `127.0.0.1::${port}`]);
    return [...args, ...ports, ...hostPorts(pod)];
  }

  #ensurePause(): Promise<void> {
    this.#pauseReady ??= this.#makePause().catch((error: unknown) => {
      this.#pauseReady = undefined;
      throw error;
    });
    return this.#pauseReady;
  }

  async #makePause(): Promise<void> {
    const { commands } = this.context.engine;
    const { images } = commands;
    if ((await images.getImageRef(PAUSE_IMAGE)) !== undefined) return;
    const content = pauseProgram(await commands.architecture());
    const archive = await createTar([{ path: 'pause', mode: 0o755, content }]);
    await images.import(archive, PAUSE_IMAGE);
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

/**
 * The program of the sandbox, like Kubernetes' pause: it waits forever, and lets the kernel reap what dies in its
 * process namespace (SIGCHLD ignored). It is 200 bytes of machine code, so that no image has to be pulled.
 */
function pauseProgram(architecture: string): Uint8Array {
  return architecture === 'arm64' || architecture === 'aarch64'
    ? elf(0xb7, ARM64)
    : elf(0x3e, AMD64);
}

/** Address of the file in memory, and offset of the code in it. */
const BASE = 0x400000;
const CODE_OFFSET = 0x78;

/** struct kernel_sigaction: SIG_IGN, no flags, no restorer, an empty mask. */
const ACTION = [1, ...Array.from({ length: 31 }, () => 0)];

const AMD64: readonly number[] = [
  ...[0xb8, 0x0d, 0, 0, 0], // mov eax, 13 (rt_sigaction)
  ...[0xbf, 0x11, 0, 0, 0], // mov edi, 17 (SIGCHLD)
  ...[0x48, 0x8d, 0x35, 0x13, 0, 0, 0], // lea rsi, [rip + action]
  ...[0x31, 0xd2], // xor edx, edx
  ...[0x41, 0xba, 0x08, 0, 0, 0], // mov r10d, 8
  ...[0x0f, 0x05], // syscall
  ...[0xb8, 0x22, 0, 0, 0], // again: mov eax, 34 (pause)
  ...[0x0f, 0x05], // syscall
  ...[0xeb, 0xf7], // jmp again
  ...ACTION,
];

const ARM64: readonly number[] = [
  ...word(0xd28010c8), // mov x8, 134 (rt_sigaction)
  ...word(0xd2800220), // mov x0, 17 (SIGCHLD)
  ...word(0x100001c1), // adr x1, action
  ...word(0xd2800002), // mov x2, 0
  ...word(0xd2800103), // mov x3, 8
  ...word(0xd4000001), // svc 0
  ...word(0xd2800928), // again: mov x8, 73 (ppoll)
  ...word(0xd2800000), // mov x0, 0
  ...word(0xd2800001), // mov x1, 0
  ...word(0xd2800002), // mov x2, 0
  ...word(0xd2800003), // mov x3, 0
  ...word(0xd2800104), // mov x4, 8
  ...word(0xd4000001), // svc 0
  ...word(0x17fffff9), // b again
  ...word(0xd503201f), // nop, nop: the action is aligned
  ...word(0xd503201f),
  ...ACTION,
];

function word(value: number): number[] {
  return [value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, value >>> 24];
}

/** Returns an ELF file of one segment that is readable and executable. */
function elf(machine: number, code: readonly number[]): Uint8Array {
  const file = Buffer.alloc(CODE_OFFSET + code.length);
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  file.writeUInt16LE(2, 16);
  file.writeUInt16LE(machine, 18);
  file.writeUInt32LE(1, 20);
  file.writeBigUInt64LE(BigInt(BASE + CODE_OFFSET), 24);
  file.writeBigUInt64LE(64n, 32);
  file.writeUInt16LE(64, 52);
  file.writeUInt16LE(56, 54);
  file.writeUInt16LE(1, 56);
  file.writeUInt32LE(1, 64);
  file.writeUInt32LE(5, 68);
  file.writeBigUInt64LE(BigInt(BASE), 80);
  file.writeBigUInt64LE(BigInt(BASE), 88);
  file.writeBigUInt64LE(BigInt(file.length), 96);
  file.writeBigUInt64LE(BigInt(file.length), 104);
  file.writeBigUInt64LE(0x1000n, 112);
  file.set(code, CODE_OFFSET);
  return file;
}
