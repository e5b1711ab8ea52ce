import type { Readable } from 'node:stream';

import { JsonReader, tryParseJson } from '../../api/index.js';
import { type ImageService, type PulledImage, RuntimeError } from '../../kubelet/ports.js';
import { CALL_LIMIT, type EngineCli, type EngineStream, MAX_LISTING } from './engine-cli.js';

/** Creates, changes and removes what an engine has. Calls may reject with a RuntimeError. */
export interface EngineCommands {
  readonly images: EngineImages;
  /** Creates a container with the arguments of `create`; resolves with its id. */
  create(args: readonly string[]): Promise<string>;
  start(id: string): Promise<void>;
  /** Sends TERM, and KILL after the grace period; resolves when the containers have ended. Some of them may be gone. */
  stop(ids: readonly string[], gracePeriodSeconds: number): Promise<void>;
  /** Kills a container that may have ended already. */
  kill(id: string): Promise<void>;
  /** Removes containers, some of which may be gone, with their anonymous volumes. */
  remove(ids: readonly string[]): Promise<void>;
  /** Extracts an archive into a folder of a container, `ID:PATH`. */
  copyIn(target: string, archive: Uint8Array | Readable): Promise<void>;
  /** Returns the beginning of an archive of `ID:PATH`, or undefined where there is no such file. */
  copyOut(source: string, maxBytes: number): Promise<Uint8Array | undefined>;
  /** Reads all files of a container as an archive. */
  exportFiles(id: string): EngineStream;
  /** Returns the path of a volume on the engine's machine, or undefined where there is no such volume. */
  volumePath(name: string): Promise<string | undefined>;
  createVolume(name: string, args: readonly string[]): Promise<void>;
  /** Returns the names of the volumes that have a label. */
  volumesWith(label: string): Promise<readonly string[]>;
  /** Returns the value of a label of each of these volumes; one that is gone by now is left out. */
  labelsOfVolumes(names: readonly string[], label: string): Promise<readonly string[]>;
  removeVolumes(names: readonly string[]): Promise<void>;
  networks(): Promise<readonly string[]>;
  /** Returns the architecture of the engine's machine, as Go names it. */
  architecture(): Promise<string>;
}

/** The images of an engine. */
export interface EngineImages extends ImageService {
  /** Returns the image's user; empty for root. */
  userOf(image: string): Promise<string>;
  import(archive: Uint8Array, name: string): Promise<void>;
}

/** The commands of an engine's command line. */
export class CliCommands implements EngineCommands {
  readonly images: EngineImages;

  constructor(private readonly cli: EngineCli) {
    this.images = new CliImages(cli);
  }

  create(args: readonly string[]): Promise<string> {
    return this.cli.run(['create', '--pull', 'never', ...args]);
  }

  async start(id: string): Promise<void> {
    await this.cli.run(['start', id]);
  }

  stop(ids: readonly string[], gracePeriodSeconds: number): Promise<void> {
    const grace = Math.max(0, Math.ceil(gracePeriodSeconds));
    const limit = grace * 1000 + CALL_LIMIT;
    return this.cli.runIfPresent(['stop', '-t', String(grace), ...ids], { limit });
  }

  kill(id: string): Promise<void> {
    return this.cli.runIfPresent(['kill', id]);
  }

  remove(ids: readonly string[]): Promise<void> {
    return this.cli.runIfPresent(['rm', '--force', '--volumes', ...ids]);
  }

  async copyIn(target: string, archive: Uint8Array | Readable): Promise<void> {
    // Without the flag, which is docker's default, podman would give everything to the container's user.
    const limit = archive instanceof Uint8Array ? CALL_LIMIT : 0;
    await this.cli.run(['cp', '--archive=false', '-', target], { input: archive, limit });
  }

  async copyOut(source: string, maxBytes: number): Promise<Uint8Array | undefined> {
    const end = await this.cli.call(['cp', source, '-'], { maxOutput: maxBytes });
    return end.kind === 'exited' && end.exitCode === 0 ? end.stdout : undefined;
  }

  exportFiles(id: string): EngineStream {
    return this.cli.stream(['cp', `${id}:/.`, '-']);
  }

  volumePath(name: string): Promise<string | undefined> {
    const inspect = ['volume', 'inspect', '--format', '{{.Mountpoint}}', name];
    return unlessNotFound(this.cli.run(inspect));
  }

  async createVolume(name: string, args: readonly string[]): Promise<void> {
    await this.cli.run(['volume', 'create', ...args, name]);
  }

  async volumesWith(label: string): Promise<readonly string[]> {
    const ls = ['volume', 'ls', '--quiet', '--filter', `label=${label}`];
    return linesOf(await this.cli.run(ls));
  }

  async labelsOfVolumes(names: readonly string[], label: string): Promise<readonly string[]> {
    if (names.length === 0) return [];
    // A volume that is gone fails the command, which still prints the others.
    const end = await this.cli.call(['volume', 'inspect', ...names], { maxOutput: MAX_LISTING });
    const list =
      end.kind === 'exited' ? tryParseJson(new TextDecoder().decode(end.stdout)) : undefined;
    if (list === undefined) throw new RuntimeError(`the volumes cannot be inspected`);
    const values = new JsonReader({ list })
      .list('list')
      .map((volume) => volume.in('Labels').text(label));
    return values.filter((value) => value !== '');
  }

  removeVolumes(names: readonly string[]): Promise<void> {
    return this.cli.runIfPresent(['volume', 'rm', '--force', ...names]);
  }

  async networks(): Promise<readonly string[]> {
    return linesOf(await this.cli.run(['network', 'ls', '--format', '{{.Name}}']));
  }

  architecture(): Promise<string> {
    return this.cli.run(this.cli.kind.architecture);
  }
}

class CliImages implements EngineImages {
  constructor(private readonly cli: EngineCli) {}

  getImageRef(image: string): Promise<string | undefined> {
    return this.#inspect(image, '{{.Id}}');
  }

  async userOf(image: string): Promise<string> {
    return (await this.#inspect(image, '{{.Config.User}}')) ?? '';
  }

  async pullImage(image: string): Promise<PulledImage> {
    await this.cli.run(['pull', '--quiet', '--', image], { limit: 0 });
    const ref = (await this.getImageRef(image)) ?? image;
    const size = Number(await this.#inspect(image, '{{.Size}}'));
    return { ref, size: Number.isFinite(size) ? size : 0 };
  }

  async import(archive: Uint8Array, name: string): Promise<void> {
    await this.cli.run(['import', '-', name], { input: archive });
  }

  #inspect(image: string, format: string): Promise<string | undefined> {
    const inspect = ['image', 'inspect', '--format', format, '--', image];
    return unlessNotFound(this.cli.run(inspect));
  }
}

async function unlessNotFound<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RuntimeError && error.code === 'notFound') return undefined;
    throw error;
  }
}

function linesOf(printed: string): readonly string[] {
  return printed.split('\n').filter((line) => line !== '');
}
