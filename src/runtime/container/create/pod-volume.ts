import type { Pod, Volume } from '../../../api/index.js';
import { RuntimeError } from '../../../kubelet/ports.js';
import type { Engine } from '../engine.js';
import type { EngineCommands, EngineImages } from '../engine-commands.js';
import { createTar, firstEntry, type TarEntry, withoutEngineFiles } from '../tar.js';
import type { ImageAccounts } from './container-arguments.js';
import { LABELS } from './labels.js';
import {
  DATA_FOLDER,
  DATA_LINK,
  isPodData,
  isReadOnly,
  setUpHostPath,
  type SubPath,
  volumeFolder,
} from './pod-mounts.js';
import {
  emptyDirMemorySize,
  isInMemory,
  type VolumeFile,
  volumeFiles,
  type VolumeInput,
} from './volume-files.js';

const POD_FOLDER = '/kprobe';
const PAGE_SIZE = 4096;
/** Bytes that are read of a file. */
const MAX_READ = 16 * 1024;
/** Bytes that are read of a termination message, passwd or group. */
const MAX_MESSAGE = 1024 * 1024;

/** The engine volume of a pod, with its volumes on disk, its files for /etc, and its containers' termination messages. */
export class PodVolume {
  readonly #commands: EngineCommands;
  readonly #isPodman: boolean;
  #mountpoint: string | undefined;
  #isFilled = false;

  constructor(
    { commands, kind }: Pick<Engine, 'commands' | 'kind'>,
    private readonly name: string,
    private readonly labels: readonly string[],
  ) {
    this.#commands = commands;
    this.#isPodman = kind.name === 'podman';
  }

  /** Resolves with its path on the engine's machine. */
  async path(): Promise<string> {
    return this.#mountpoint ?? this.ensure();
  }

  /** Creates it unless it exists, since it may have been removed. Resolves with its path. */
  async ensure(): Promise<string> {
    const { path, isNew } = await this.#ensure(this.name, []);
    if (isNew) this.#isFilled = false;
    // Another process has created the folder.
    else if (this.#mountpoint === undefined) this.#isFilled = true;
    this.#mountpoint = path;
    return path;
  }

  /** Creates the pod's volumes in memory unless they exist. Resolves with their paths, by name. */
  async ensureInMemory(
    pod: Pod,
    allocatable: VolumeInput['node']['allocatable'],
  ): Promise<ReadonlyMap<string, string>> {
    const { fsGroup } = pod.spec.securityContext ?? {};
    const mode = fsGroup === undefined ? 'mode=0777' : `mode=2777,gid=${fsGroup}`;
    const ensured = (pod.spec.volumes ?? []).filter(isInMemory).map(async (volume) => {
      const size = emptyDirMemorySize(pod, volume, allocatable);
      // podman takes `size` for a quota of a folder.
      const limit = this.#isPodman ? `nr_blocks=${Math.ceil(size / PAGE_SIZE)}` : `size=${size}`;
      const options = ['type=tmpfs', 'device=tmpfs', `o=${limit},${mode}`];
      const { path } = await this.#ensure(
        this.#inMemoryName(volume),
        options.flatMap((option) => ['--opt', option]),
      );
      return [volume.name, path] as const;
    });
    return new Map(await Promise.all(ensured));
  }

  /** Rejects when a volume was removed since it was ensured: the engine then makes a new one, without labels. */
  async verify({ spec: { volumes = [] } }: Pod): Promise<void> {
    const inMemory = volumes.filter(isInMemory).map((volume) => this.#inMemoryName(volume));
    await Promise.all([this.name, ...inMemory].map((name) => this.#path(name)));
  }

  /** Returns the flags that mount it, and the pod's volumes in memory, in a sandbox. */
  mountArguments({ spec: { volumes = [] } }: Pod): string[] {
    const inMemory = volumes
      .filter(isInMemory)
      .map((volume) => `${this.#inMemoryName(volume)}:${POD_FOLDER}/${volumeFolder(volume.name)}`);
    return [`${this.name}:${POD_FOLDER}`, ...inMemory].flatMap((mount) => ['--volume', mount]);
  }

  #inMemoryName({ name }: Volume): string {
    return `${this.name}-${name}`;
  }

  async #ensure(
    name: string,
    options: readonly string[],
  ): Promise<{ readonly path: string; readonly isNew: boolean }> {
    const known = await this.#commands.volumePath(name, LABELS.session);
    if (known !== undefined) return { path: known, isNew: false };
    // A volume without the label would stay after the run.
    await this.#commands.removeVolumes([name]);
    await this.#commands.createVolume(name, [...this.labels, ...options]);
    return { path: await this.#path(name), isNew: true };
  }

  async #path(name: string): Promise<string> {
    const path = await this.#commands.volumePath(name, LABELS.session);
    if (path === undefined) throw new RuntimeError(`volume ${name} was removed`);
    return path;
  }

  /** Fills a volume that is new or empty with the pod's own data, and with images. */
  async fill(sandboxID: string, input: VolumeInput): Promise<void> {
    // The process that created it may have ended before it was filled.
    const isKept = this.#isFilled && (await this.#read(sandboxID, `${POD_FOLDER}/messages`));
    if (isKept) return;
    await this.#extract(sandboxID, podEntries(input));
    for (const { name, image } of input.pod.spec.volumes ?? []) {
      if (image === undefined) continue;
      await this.#copyImage(
        image.reference ?? '',
        `${sandboxID}:${POD_FOLDER}/${volumeFolder(name)}`,
      );
    }
    this.#isFilled = true;
  }

  async #copyImage(image: string, target: string): Promise<void> {
    await this.#withContainer(image, async (id) => {
      const files = this.#commands.exportFiles(id);
      try {
        await this.#commands.copyIn(target, withoutEngineFiles(files.stdout));
      } finally {
        files.stop();
      }
    });
  }

  readAccounts(image: string, images: Pick<EngineImages, 'userOf'>): Promise<ImageAccounts> {
    return this.#withContainer(image, async (id) => {
      const read = async (path: string): Promise<string> =>
        new TextDecoder().decode(await this.readFile(id, path, MAX_MESSAGE));
      const [user, passwd, group] = await Promise.all([
        images.userOf(image),
        read('/etc/passwd'),
        read('/etc/group'),
      ]);
      return { user, passwd, group };
    });
  }

  async #withContainer<T>(image: string, use: (id: string) => Promise<T>): Promise<T> {
    const id = await this.#commands.create([...this.labels, image, '/none']);
    try {
      return await use(id);
    } finally {
      await this.#commands.remove([id]);
    }
  }

  /** Prepares what one container mounts: files, and folders within volumes. */
  async prepare(
    sandboxID: string,
    files: readonly VolumeFile[],
    subPaths: readonly SubPath[],
  ): Promise<void> {
    const entries: TarEntry[] = [];
    for (const { root, parts } of subPaths) {
      for (let length = 1; length <= parts.length; length++) {
        const path = `${root}/${parts.slice(0, length).join('/')}`;
        const found = await this.#read(sandboxID, `${POD_FOLDER}/${path}`);
        if (found === undefined) entries.push({ path: `${path}/`, mode: 0o777 });
        // A container may have put a link where the next one's mount begins.
        else if ((await firstEntry(found))?.type === 'symlink') {
          throw new RuntimeError(`subPath ${path}: is a symbolic link`, 'configuration');
        }
      }
    }
    await this.#extract(sandboxID, [...entries, ...files]);
  }

  async readMessage(sandboxID: string, messageFile: string): Promise<Uint8Array> {
    return this.readFile(sandboxID, `${POD_FOLDER}/${messageFile}`, MAX_MESSAGE);
  }

  /** Returns a file of a container; empty when there is none. */
  async readFile(container: string, path: string, maxOutput = MAX_READ): Promise<Uint8Array> {
    const archive = await this.#read(container, path, maxOutput);
    return (archive && (await firstEntry(archive))?.data) ?? new Uint8Array();
  }

  #read(sandboxID: string, path: string, maxBytes = MAX_READ): Promise<Uint8Array | undefined> {
    return this.#commands.copyOut(`${sandboxID}:${path}`, maxBytes);
  }

  async #extract(sandboxID: string, entries: readonly TarEntry[]): Promise<void> {
    await this.#commands.copyIn(`${sandboxID}:${POD_FOLDER}`, await createTar(entries));
  }
}

/** The folders of all volumes, and their files; throws a RuntimeError with the kubelet's text. */
function podEntries(input: VolumeInput): readonly TarEntry[] {
  const folders = ['volumes/', 'messages/', 'etc/'].map((path) => ({ path, mode: 0o755 }));
  return [
    ...folders,
    ...(input.pod.spec.volumes ?? []).flatMap((volume) => volumeEntries(input, volume)),
  ];
}

function volumeEntries(input: VolumeInput, volume: Volume): readonly TarEntry[] {
  const { hostPath, name } = volume;
  const files = volumeFiles(input, volume);
  const problem = files.ok ? hostPath && setUpHostPath(hostPath, true) : files.error;
  if (problem !== undefined || !files.ok) {
    throw new RuntimeError(`MountVolume.SetUp failed for volume "${name}" : ${problem}`);
  }
  if (hostPath !== undefined || isInMemory(volume)) return [];
  const { fsGroup } = input.pod.spec.securityContext ?? {};
  // fsGroup owns the volume: SetVolumeOwnership (pkg/volume/volume_linux.go).
  const group = fsGroup === undefined ? {} : { gid: fsGroup };
  const folder = `${volumeFolder(name)}/`;
  if (isPodData(volume))
    return [{ path: folder, mode: 0o777 }, ...dataEntries(folder, files.value, group)];
  if (isReadOnly(volume)) return [{ path: folder, mode: 0o755 }];
  return [{ ...group, path: folder, mode: fsGroup === undefined ? 0o777 : 0o2777 }];
}

/** The files below a folder that `..data` leads to, as a kubelet writes them. Ports Write (pkg/volume/util/atomic_writer.go). */
function dataEntries(
  folder: string,
  files: readonly VolumeFile[],
  group: { readonly gid?: number },
): readonly TarEntry[] {
  const data = `${folder}${DATA_FOLDER}/`;
  const readable = group.gid === undefined ? 0 : 0o440;
  const visible = new Set(files.map(({ path }) => path.split('/')[0] ?? ''));
  return [
    ...['', ...parentsOf(files.map(({ path }) => path))].map((parent) => ({
      path: `${data}${parent}${parent === '' ? '' : '/'}`,
      mode: 0o755,
    })),
    ...files.map(({ path, mode, content }) => ({
      ...group,
      path: `${data}${path}`,
      mode: mode | readable,
      content,
    })),
    { path: `${folder}${DATA_LINK}`, mode: 0o777, link: DATA_FOLDER },
    ...[...visible].map((name) => ({
      path: `${folder}${name}`,
      mode: 0o777,
      link: `${DATA_LINK}/${name}`,
    })),
  ];
}

function parentsOf(paths: readonly string[]): readonly string[] {
  const parents = paths.flatMap((path) => {
    const parts = path.split('/').slice(0, -1);
    return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  });
  return [...new Set(parents)].sort();
}
