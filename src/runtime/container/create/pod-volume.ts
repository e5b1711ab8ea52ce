import type { Pod } from '../../../api/index.js';
import { RuntimeError } from '../../../kubelet/ports.js';
import type { EngineCli } from '../engine-cli.js';
import { engineError } from '../engine-error.js';
import { createTar, firstFile, type TarEntry } from '../tar.js';
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

  constructor(
    cli: EngineCli,
    readonly name: string,
    labels: readonly string[],
  ) {
    this.#cli = cli;
    this.#labels = labels;
  }

  /** Creates it if needed. Resolves with its path on the engine's machine. */
  async ensure(): Promise<string> {
    if (this.#mountpoint !== undefined) return this.#mountpoint;
    await this.#run(['volume', 'create', ...this.#labels, this.name]);
    const printed = await this.#run([
      'volume',
      'inspect',
      '--format',
      '{{.Mountpoint}}',
      this.name,
    ]);
    this.#mountpoint = new TextDecoder().decode(printed).trim();
    return this.#mountpoint;
  }

  /** Fills the volumes with the pod's own data. */
  async fill(sandboxID: string, input: VolumeInput): Promise<void> {
    await this.#extract(sandboxID, podEntries(input));
  }

  /** Prepares what one container mounts: the file for its message, and folders within volumes. */
  async prepare(
    sandboxID: string,
    messageFile: string,
    subPaths: readonly SubPath[],
  ): Promise<void> {
    for (const { root, parts } of subPaths) {
      for (let length = 1; length <= parts.length; length++) {
        await this.#refuseLink(sandboxID, `${root}/${parts.slice(0, length).join('/')}`);
      }
    }
    const folders = await this.#missing(sandboxID, subPaths);
    const message: TarEntry = { path: messageFile, mode: 0o666, content: new Uint8Array() };
    await this.#extract(sandboxID, [...folders, message]);
  }

  /** Returns the termination message that a container wrote. */
  async readMessage(sandboxID: string, messageFile: string): Promise<Uint8Array> {
    const archive = await this.#read(sandboxID, messageFile, MAX_MESSAGE);
    return (archive && firstFile(archive)) ?? new Uint8Array();
  }

  /** Rejects a symbolic link, which a container may have put where the next one's mount begins. */
  async #refuseLink(sandboxID: string, path: string): Promise<void> {
    const archive = await this.#read(sandboxID, path);
    if (archive === undefined || Buffer.from(archive).toString('latin1', 156, 157) !== '2') return;
    throw new RuntimeError(`subPath ${path}: is a symbolic link`, 'configuration');
  }

  /** The folders of the paths that are not there. */
  async #missing(sandboxID: string, subPaths: readonly SubPath[]): Promise<readonly TarEntry[]> {
    const entries: TarEntry[] = [];
    for (const { root, parts } of subPaths) {
      for (let length = 1; length <= parts.length; length++) {
        const path = `${root}/${parts.slice(0, length).join('/')}`;
        if ((await this.#read(sandboxID, path)) === undefined) {
          entries.push({ path: `${path}/`, mode: 0o777 });
        }
      }
    }
    return entries;
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
    await this.#run(['cp', '-', `${sandboxID}:${POD_FOLDER}`], createTar(entries));
  }

  async #run(args: readonly string[], input?: Uint8Array): Promise<Uint8Array> {
    const end = await this.#cli.call(args, input === undefined ? {} : { input });
    if (end.kind !== 'exited' || end.exitCode !== 0) throw engineError(this.#cli.kind, end);
    return end.stdout;
  }
}

/** The folders of all volumes, and their files; throws a RuntimeError with the kubelet's text. */
function podEntries(input: VolumeInput): readonly TarEntry[] {
  const { pod } = input;
  const entries: TarEntry[] = [
    { path: 'volumes/', mode: 0o755 },
    { path: 'messages/', mode: 0o755 },
  ];
  for (const volume of pod.spec.volumes ?? []) {
    if (volume.hostPath !== undefined) continue;
    const folder = volumeFolder(volume.name);
    const files = volumeFiles(input, volume);
    if (!files.ok) {
      throw new RuntimeError(
        `MountVolume.SetUp failed for volume "${volume.name}" : ${files.error}`,
      );
    }
    entries.push({ ...ownedBy(pod, isReadOnly(volume)), path: `${folder}/`, mode: 0o777 });
    for (const parent of parentsOf(files.value.map(({ path }) => path))) {
      entries.push({ path: `${folder}/${parent}/`, mode: 0o755 });
    }
    for (const { path, mode, content } of files.value) {
      entries.push({
        ...groupOf(pod),
        path: `${folder}/${path}`,
        mode: withGroup(pod, mode),
        content,
      });
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

function groupOf({ spec }: Pod): { readonly gid?: number } {
  const fsGroup = spec.securityContext?.fsGroup;
  return fsGroup === undefined ? {} : { gid: fsGroup };
}

function ownedBy(pod: Pod, readOnly: boolean): { readonly gid?: number } {
  return readOnly ? {} : groupOf(pod);
}

/** The group may read what its volume holds. Ports SetVolumeOwnership (pkg/volume/volume_linux.go). */
function withGroup({ spec }: Pod, mode: number): number {
  return spec.securityContext?.fsGroup === undefined ? mode : mode | 0o440;
}
