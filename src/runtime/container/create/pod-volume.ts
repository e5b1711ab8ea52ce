import { RuntimeError } from '../../../kubelet/ports.js';
import type { EngineCli } from '../engine-cli.js';
import { createTar, firstFile, type TarEntry } from '../tar.js';
import { setUpHostPath } from './host-path.js';
import { isReadOnly, type SubPath, volumeFolder } from './pod-mounts.js';
import { volumeFiles, type VolumeInput } from './volume-files.js';

/** Mount point of the pod's volume in a sandbox. */
export const POD_FOLDER = '/kprobe';
/** Bytes read of a file, by default. */
const MAX_READ = 16 * 1024;
/** Bytes read of a message, of which the end counts. */
const MAX_MESSAGE = 1024 * 1024;

/** One engine volume for a pod: its volumes and its containers' termination messages. */
export class PodVolume {
  readonly #cli: EngineCli;
  readonly #labels: readonly string[];
  #mountpoint: string | undefined;
  #isFilled = false;

  constructor(
    cli: EngineCli,
    readonly name: string,
    labels: readonly string[],
  ) {
    this.#cli = cli;
    this.#labels = labels;
  }

  /** Resolves with its path on the engine's machine. */
  async path(): Promise<string> {
    return this.#mountpoint ?? this.ensure();
  }

  /** Creates it unless it exists; somebody may have removed it. Resolves with its path. */
  async ensure(): Promise<string> {
    const inspect = ['volume', 'inspect', '--format', '{{.Mountpoint}}', this.name];
    try {
      const found = await this.#cli.run(inspect);
      // Another process made it.
      if (this.#mountpoint === undefined) this.#isFilled = true;
      this.#mountpoint = found;
    } catch (error) {
      if (!(error instanceof RuntimeError) || error.code !== 'notFound') throw error;
      this.#isFilled = false;
      await this.#cli.run(['volume', 'create', ...this.#labels, this.name]);
      this.#mountpoint = await this.#cli.run(inspect);
    }
    return this.#mountpoint;
  }

  /** Fills a new one with the pod's own data. */
  async fill(sandboxID: string, input: VolumeInput): Promise<void> {
    if (this.#isFilled) return;
    await this.#extract(sandboxID, podEntries(input));
    this.#isFilled = true;
  }

  /** Prepares what one container mounts: the file for its message, and folders within volumes. */
  async prepare(
    sandboxID: string,
    messageFile: string,
    subPaths: readonly SubPath[],
  ): Promise<void> {
    const entries: TarEntry[] = [];
    for (const { root, parts } of subPaths) {
      for (let length = 1; length <= parts.length; length++) {
        const path = `${root}/${parts.slice(0, length).join('/')}`;
        const found = await this.#read(sandboxID, path);
        if (found === undefined) entries.push({ path: `${path}/`, mode: 0o777 });
        else refuseLink(path, found);
      }
    }
    entries.push({ path: messageFile, mode: 0o666, content: new Uint8Array() });
    await this.#extract(sandboxID, entries);
  }

  /** Returns the termination message that a container wrote. */
  async readMessage(sandboxID: string, messageFile: string): Promise<Uint8Array> {
    const archive = await this.#read(sandboxID, messageFile, MAX_MESSAGE);
    return (archive && firstFile(archive)) ?? new Uint8Array();
  }

  async #read(
    sandboxID: string,
    path: string,
    maxOutput = MAX_READ,
  ): Promise<Uint8Array | undefined> {
    const args = ['cp', `${sandboxID}:${POD_FOLDER}/${path}`, '-'];
    const end = await this.#cli.call(args, { maxOutput });
    return end.kind === 'exited' && end.exitCode === 0 ? end.stdout : undefined;
  }

  async #extract(sandboxID: string, entries: readonly TarEntry[]): Promise<void> {
    await this.#cli.run(['cp', '-', `${sandboxID}:${POD_FOLDER}`], { input: createTar(entries) });
  }
}

/** Rejects a symbolic link, which a container may have put where the next one's mount begins. */
function refuseLink(path: string, archive: Uint8Array): void {
  if (Buffer.from(archive).toString('latin1', 156, 157) !== '2') return;
  throw new RuntimeError(`subPath ${path}: is a symbolic link`, 'configuration');
}

/** The folders of all volumes, and their files; throws a RuntimeError with the kubelet's text. */
function podEntries(input: VolumeInput): readonly TarEntry[] {
  const { pod } = input;
  const fsGroup = pod.spec.securityContext?.fsGroup;
  const group = fsGroup === undefined ? {} : { gid: fsGroup };
  // The group may read what its volume holds: SetVolumeOwnership (pkg/volume/volume_linux.go).
  const readable = fsGroup === undefined ? 0 : 0o440;
  const entries: TarEntry[] = [
    { path: 'volumes/', mode: 0o755 },
    { path: 'messages/', mode: 0o755 },
  ];
  for (const volume of pod.spec.volumes ?? []) {
    const { hostPath, name } = volume;
    const folder = volumeFolder(name);
    const files = volumeFiles(input, volume);
    const problem = files.ok ? hostPath && setUpHostPath(hostPath, true) : files.error;
    if (problem !== undefined || !files.ok) {
      throw new RuntimeError(`MountVolume.SetUp failed for volume "${name}" : ${problem}`);
    }
    if (hostPath !== undefined) continue;
    entries.push({ ...(isReadOnly(volume) ? {} : group), path: `${folder}/`, mode: 0o777 });
    for (const parent of parentsOf(files.value.map(({ path }) => path))) {
      entries.push({ path: `${folder}/${parent}/`, mode: 0o755 });
    }
    for (const { path, mode, content } of files.value) {
      entries.push({ ...group, path: `${folder}/${path}`, mode: mode | readable, content });
    }
  }
  return entries;
}

function parentsOf(paths: readonly string[]): readonly string[] {
  const parents = paths.flatMap((path) => {
    const parts = path.split('/').slice(0, -1);
    return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  });
  return [...new Set(parents)].sort();
}
